"""Diagnosis: everything that is asked of agents, their answers, and one report of it."""
