"""One file per file format; each registers itself, so adding a format means adding a file."""
