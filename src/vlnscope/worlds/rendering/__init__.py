"""Meshes and pictures of them, traced by Embree on the CPU."""
