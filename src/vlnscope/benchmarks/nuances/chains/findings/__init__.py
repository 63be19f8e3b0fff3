"""What chains tell: how far an agent gets, and whether doing steps in a row is harder than doing each."""

from vlnscope.benchmarks.nuances.chains.findings.find import find

__all__ = ["find"]
