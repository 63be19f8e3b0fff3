"""Runs in the files of others: exports that the papers' own tools read, and their files as runs."""
