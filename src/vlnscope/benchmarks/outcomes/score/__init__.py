"""Scores outcomes: how each walk ended, and where it left the reference."""

from vlnscope.benchmarks.outcomes.score.cases import score_cases

__all__ = ["score_cases"]
