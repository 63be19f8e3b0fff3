"""Audits a data set for suspicious episodes, with and without detectors of instruction errors."""
