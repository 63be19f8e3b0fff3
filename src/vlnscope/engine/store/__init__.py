"""The folder of a run: evidence, provenance, merging of shards."""
