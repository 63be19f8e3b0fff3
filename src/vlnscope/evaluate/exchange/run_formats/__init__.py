"""The layouts in which whole runs are exchanged, one module each."""
