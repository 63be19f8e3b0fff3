"""Candidate statements: the true things that could be said of a path."""
