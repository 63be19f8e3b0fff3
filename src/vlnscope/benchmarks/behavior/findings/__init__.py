"""What behavior rows mean: statements, the tables of the paper, and its figures as data."""

from vlnscope.benchmarks.behavior.findings.find import find

__all__ = ["find"]
