"""Trains agents of continuous environments: experts' walks are stored once, then learned from."""
