"""The built-in kinds of sight, one module each."""
