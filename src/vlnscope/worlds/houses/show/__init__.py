"""Houses to look at: well-composed views, cut-open floors, a poster and films."""
