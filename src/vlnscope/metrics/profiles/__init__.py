"""Profiles: whose convention the numbers follow, as settings of switches."""
