"""Continuous space: navigation meshes, and how an agent moves on them. All of it speaks Habitat's frame."""
