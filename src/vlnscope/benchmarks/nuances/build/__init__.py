"""Builds NavNuances items: atomic instructions of five categories, from the layers of any scene."""

from vlnscope.benchmarks.nuances.build.cases import build_cases, count_cases

__all__ = ["build_cases", "count_cases"]
