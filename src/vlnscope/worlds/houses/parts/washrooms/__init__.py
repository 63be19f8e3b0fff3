"""Bathrooms and laundries."""
