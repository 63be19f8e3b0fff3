"""Builds pairs of right and wrong instructions by planting errors."""

from vlnscope.benchmarks.errors.build.cases import build_cases, count_cases

__all__ = ["build_cases", "count_cases"]
