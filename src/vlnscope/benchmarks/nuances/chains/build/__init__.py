"""Building chains of atomic instructions."""

from vlnscope.benchmarks.nuances.chains.build.cases import build_cases, count_cases

__all__ = ["build_cases", "count_cases"]
