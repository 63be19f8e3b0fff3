"""The papers' experiments with learned agents: train, run, compare, and write a page of what came out."""
