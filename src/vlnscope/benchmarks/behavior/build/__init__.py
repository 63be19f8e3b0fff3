"""Builds behavior cases: truncated episodes with an intervention whose right answer is known."""

from vlnscope.benchmarks.behavior.build.cases import build_cases, count_cases

__all__ = ["build_cases", "count_cases"]
