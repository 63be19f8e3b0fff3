"""The floor plan generator: a seed becomes a house without furniture."""
