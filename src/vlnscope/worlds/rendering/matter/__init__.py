"""What surfaces are made of: tiles of texels for every texture, and where they lie on the faces of a mesh."""
