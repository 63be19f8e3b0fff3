"""What tours say of agents: scores, what memory is worth, and how that changes along a tour."""

from vlnscope.benchmarks.tours.findings.find import find

__all__ = ["find"]
