"""The command line: one file per verb, each only parses, calls and prints."""
