"""A breach found in a floor plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PlanProblem:
    """What is wrong and where, what would be right, and how to mend it."""

    what: str
    expected: str
    fix: str


def at(point: Sequence[float]) -> str:
    """Return a place as text, to centimetres."""
    return f"({point[0]:.2f}, {point[1]:.2f})"
