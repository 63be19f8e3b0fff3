"""Agents that run trained models: from a checkpoint, or with weights that come with vlnscope."""
