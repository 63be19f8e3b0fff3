"""Checks metrics: axioms, adversarial paths, desiderata."""
