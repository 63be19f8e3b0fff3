"""Bakes navigation meshes from triangles, as Recast does with Habitat's settings."""
