"""Navigation graphs: distances, candidates, and the 36 views of a panorama."""
