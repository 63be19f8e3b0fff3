"""Puts findings before people: sentences, tables, figures."""
