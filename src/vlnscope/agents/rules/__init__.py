"""Agents without learning: baselines, oracles, and agents that parse the instruction."""
