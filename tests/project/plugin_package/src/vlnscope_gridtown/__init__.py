"""A plug-in for vlnscope: towns of straight streets, errands in them, and one of every other kind."""
