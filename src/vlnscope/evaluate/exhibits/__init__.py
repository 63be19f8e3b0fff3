"""Figures and tables of the papers that are made by name."""
