"""What avoid and rescue tell: whether an agent heeds what it is told beside the goal."""

from vlnscope.benchmarks.fidelity.avoid.findings.find import find

__all__ = ["find"]
