"""Edits houses: small changes that are written with the plan and can be replayed."""
