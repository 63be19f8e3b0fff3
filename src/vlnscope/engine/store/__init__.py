"""The folder of a run: evidence, provenance, logs of tours."""
