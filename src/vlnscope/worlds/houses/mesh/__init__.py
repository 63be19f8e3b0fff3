"""The mesh of a house: walls, openings, stairs, exterior."""
