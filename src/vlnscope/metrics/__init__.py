"""Metrics: one file each, the profiles that fix their conventions, and the linter that tests them."""
