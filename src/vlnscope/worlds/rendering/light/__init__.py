"""Baked light: where it is stored on a mesh, how sun, sky and lamps reach it, and how it is kept on disk."""
