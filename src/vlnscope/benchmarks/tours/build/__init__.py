"""Builds tours: the paths of a scene in an order that an agent can walk through."""

from vlnscope.benchmarks.tours.build.cases import build_cases

__all__ = ["build_cases"]
