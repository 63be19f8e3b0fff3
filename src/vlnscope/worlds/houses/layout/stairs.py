"""Staircases: how much room they need, and where their runs lie."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from vlnscope.worlds.houses.layout.draft import Frame, snap
from vlnscope.worlds.houses.plan.plan import WALL, XY, XYZ

StairKind = Literal["u", "l", "straight", "spiral"]
Run = tuple[XYZ, XYZ]

STRIP = 1.05
"""Free floor before the foot and after the head of a stair, from the wall line."""
STEP_WIDTH = 1.0
MIN_DEPTH = 4.4
"""Depth of row that every kind of stair fits into."""

_RISER = 0.174
_TREAD = 0.25
_WELL = 0.12
_SPIRAL = 1.2
_POST = 0.08
_CHORDS = 6


def step_count(rise: float) -> int:
    """Return an even number of risers whose height is close to comfortable."""
    return 2 * max(round(rise / 2 / _RISER), 1)


def well_length(kind: StairKind, rise: float) -> float:
    """Return how much of a row's length a stairwell of this kind takes."""
    half = step_count(rise) // 2 * _TREAD
    if kind == "u":
        return snap(2 * STEP_WIDTH + _WELL + WALL)
    if kind == "l":
        return snap(STEP_WIDTH + half + STRIP + WALL / 2)
    if kind == "spiral":
        return snap(2 * _SPIRAL + WALL + 0.05)
    return snap(2 * STRIP + 2 * half)


def stair_runs(
    kind: StairKind, frame: Frame, length: float, depth: float, foot: float, head: float
) -> tuple[tuple[Run, ...], float]:
    """Return the runs of a stair and the width of its steps.

    Args:
        kind: ``u`` (turns back on a landing), ``l`` (turns a corner), ``straight`` (along the far wall).
        frame: of the stairwell: u along the corridor, v away from it.
        length: of the well along u.
        depth: of the well along v, at least `MIN_DEPTH`.
        foot: elevation of the lower floor.
        head: elevation of the upper floor.
    """
    rise = head - foot
    steps = step_count(rise)
    places: dict[str, Callable[[float, float, int, float], list[tuple[float, float, float]]]] = {
        "u": _u_corners,
        "l": _l_corners,
        "straight": _straight_corners,
    }
    width = min(snap((length - WALL - _WELL) / 2 - 0.02), 1.2) if kind == "u" else STEP_WIDTH
    corners = places[kind](length, depth, steps, width)
    points: list[XYZ] = [(*frame.point(u, v), round(foot + share * rise, 4)) for u, v, share in corners]
    return tuple((points[i], points[i + 1]) for i in range(0, len(points), 2)), width


def spiral_runs(frame: Frame, depth: float, foot: float, head: float) -> tuple[tuple[Run, ...], float, XY]:
    """Return the runs of a spiral stair in the far corner of a well, the width of its steps and its centre.

    It turns by three quarters; one comes to its foot, and leaves its head, from and to the corridor.
    """
    u, v = WALL / 2 + _SPIRAL + 0.02, depth - WALL / 2 - _SPIRAL - 0.02
    width = _SPIRAL - _POST
    radius = _POST + width / 2
    points: list[XYZ] = []
    for k in range(_CHORDS + 1):
        angle = 1.5 * math.pi * k / _CHORDS
        place = frame.point(u + radius * math.cos(angle), v + radius * math.sin(angle))
        points.append((*place, round(foot + k / _CHORDS * (head - foot), 4)))
    return tuple(pairwise(points)), width, frame.point(u, v)


def _u_corners(length: float, depth: float, steps: int, width: float) -> list[tuple[float, float, float]]:
    going = min((depth - STRIP - width - WALL / 2 - 0.05) / (steps // 2), 0.28)
    reach = going * (steps // 2)
    top = depth - WALL / 2 - width - 0.02
    left, right = WALL / 2 + width / 2 + 0.01, length - WALL / 2 - width / 2 - 0.01
    return [(left, top - reach, 0.0), (left, top, 0.5), (right, top, 0.5), (right, top - reach, 1.0)]


def _l_corners(length: float, depth: float, steps: int, width: float) -> list[tuple[float, float, float]]:
    half = steps // 2
    top = depth - WALL / 2 - width - 0.02
    left = WALL / 2 + width / 2 + 0.01
    inner = WALL / 2 + width + 0.02
    first = min((top - STRIP) / half, 0.28) * half
    second = min((length - STRIP - inner) / half, 0.28) * half
    middle = top + width / 2
    return [(left, top - first, 0.0), (left, top, 0.5), (inner, middle, 0.5), (inner + second, middle, 1.0)]


def _straight_corners(
    length: float, depth: float, steps: int, width: float
) -> list[tuple[float, float, float]]:
    reach = min((length - 2 * STRIP) / steps, 0.28) * steps
    start = (length - reach) / 2
    middle = depth - WALL / 2 - width / 2 - 0.01
    return [(start, middle, 0.0), (start + reach, middle, 1.0)]
