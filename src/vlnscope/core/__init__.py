"""What everything stands on: registry, files, random numbers, errors, tables."""
