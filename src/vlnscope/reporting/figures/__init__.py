"""Draws figures: matplotlib for papers, plotly for pages."""
