"""Descriptions of paths to look at, and construction of the grammar in rounds."""
