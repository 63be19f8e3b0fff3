"""Compiled loops over ragged batches of paths."""
