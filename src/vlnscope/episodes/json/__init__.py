"""Streams JSON of any size record by record, and says where a damaged file breaks."""
