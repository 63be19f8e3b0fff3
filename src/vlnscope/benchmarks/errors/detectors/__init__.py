"""Detectors of instruction errors: a module each, which registers what it defines."""
