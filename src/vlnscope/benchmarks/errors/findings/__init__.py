"""What scores of errors mean: what each type of wrong word costs, where, and how soon it shows."""

from vlnscope.benchmarks.errors.findings.find import find

__all__ = ["find"]
