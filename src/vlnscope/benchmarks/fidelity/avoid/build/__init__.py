"""Building routes on which the shortest way is wrong."""

from vlnscope.benchmarks.fidelity.avoid.build.cases import build_cases, count_cases

__all__ = ["build_cases", "count_cases"]
