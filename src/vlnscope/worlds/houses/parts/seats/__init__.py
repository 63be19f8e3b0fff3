"""Things to sit and lie on."""
