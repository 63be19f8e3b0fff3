"""Scores prediction files and tour logs."""
