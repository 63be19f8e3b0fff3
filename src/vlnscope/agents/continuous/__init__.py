"""Agents without learning in continuous space: what `vlnscope.agents.rules` are on graphs."""
