"""Compares agents over the same episodes or cases."""
