"""What NavNuances scores mean: statements, tables and figure data beside chance and published rows."""

from vlnscope.benchmarks.nuances.findings.find import find

__all__ = ["find"]
