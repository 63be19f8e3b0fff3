"""What scores of outcomes mean: how walks end, where they go wrong, and where they stop."""

from vlnscope.benchmarks.outcomes.findings.find import find

__all__ = ["find"]
