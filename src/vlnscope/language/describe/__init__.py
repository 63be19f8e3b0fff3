"""Describes a path in words: true, short, and leading to the goal alone."""
