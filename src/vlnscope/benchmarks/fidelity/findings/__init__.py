"""What scores of fidelity mean: does the agent follow the path, the goal, or neither?"""

from vlnscope.benchmarks.fidelity.findings.find import find

__all__ = ["find"]
