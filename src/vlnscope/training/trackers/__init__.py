"""The built-in kinds of trackers, one module each."""
