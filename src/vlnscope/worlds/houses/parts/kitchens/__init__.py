"""Kitchens: cabinets, sinks and machines."""
