"""Furnishes houses: what objects there are, where people put them, and what must stay free."""
