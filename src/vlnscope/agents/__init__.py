"""Agents: whatever decides where to go next. One file per agent; `protocol` says what an agent is."""
