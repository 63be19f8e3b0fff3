"""Data sets by name: files in a data root, and the episodes of built-in houses."""
