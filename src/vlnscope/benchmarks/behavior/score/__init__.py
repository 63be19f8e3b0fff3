"""Scores behavior cases: does the agent do at the last forced node what the instruction says?"""

from vlnscope.benchmarks.behavior.score.cases import score_cases

__all__ = ["score_cases"]
