"""Pictures of single walks: first-person strips, posters with map and strip, animations."""
