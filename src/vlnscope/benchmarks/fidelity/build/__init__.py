"""Builds fidelity cases: paths, each with the whole instruction and with parts of it."""

from vlnscope.benchmarks.fidelity.build.cases import build_cases

__all__ = ["build_cases"]
