"""How these cases are rolled out: as those of fidelity are."""

from vlnscope.benchmarks.fidelity.protocol import rules

__all__ = ["rules"]
