"""Explains why two results differ: by their protocols, their data, or the walks themselves."""
