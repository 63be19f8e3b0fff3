"""Agents: whatever decides where to go next.

`protocol` says what an agent is, `spec` how agents are named and made, `vectorised` how one decides for
thousands of episodes at once. ``rules`` holds baselines, oracles and agents that parse the instruction,
``learned`` the models and what runs them (needs torch), ``pretrained`` the agents with trained weights, and
``remote`` agents in other processes.
"""
