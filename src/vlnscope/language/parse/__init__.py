"""Parses instructions into atomic actions with places, directions and numbers."""
