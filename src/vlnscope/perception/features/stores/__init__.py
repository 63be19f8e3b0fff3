"""The built-in feature stores, one module each."""
