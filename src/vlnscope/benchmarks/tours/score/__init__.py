"""Scores tours: a row per episode, and a row per tour."""

from vlnscope.benchmarks.tours.score.cases import score_cases

__all__ = ["score_cases"]
