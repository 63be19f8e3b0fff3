"""Walls: where rooms touch each other and where they face the outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from vlnscope.worlds.houses.plan.plan import XY

Axis = Literal["x", "y"]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Edge:
    """A straight side of a room.

    Attributes:
        axis: the direction it runs in.
        at: its other coordinate.
        low, high: where it begins and ends along the axis.
        out: +1 or -1, the direction of the other coordinate that leads out of the room.
    """

    axis: Axis
    at: float
    low: float
    high: float
    out: int

    def point(self, along: float) -> XY:
        """Return the point of the edge's line at a coordinate along it."""
        return (along, self.at) if self.axis == "x" else (self.at, along)


def looks(wall: Edge) -> XY:
    """Return the direction that a side of a room looks to, out of the room."""
    return (0.0, float(wall.out)) if wall.axis == "x" else (float(wall.out), 0.0)


def edges(polygon: Sequence[XY]) -> tuple[Edge, ...]:
    """Return the sides of a counter-clockwise rectilinear polygon."""
    return _edges(tuple(polygon))


@lru_cache(maxsize=4096)
def _edges(polygon: tuple[XY, ...]) -> tuple[Edge, ...]:
    sides = []
    for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0])):
        if abs(y0 - y1) <= abs(x0 - x1):
            sides.append(Edge("x", y0, min(x0, x1), max(x0, x1), -1 if x1 > x0 else 1))
        else:
            sides.append(Edge("y", x0, min(y0, y1), max(y0, y1), 1 if y1 > y0 else -1))
    return tuple(sides)


@lru_cache(maxsize=4096)
def _bounds(polygon: tuple[XY, ...]) -> tuple[float, float, float, float]:
    xs, ys = zip(*polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def shared_walls(a: Sequence[XY], b: Sequence[XY], tolerance: float = 1e-3) -> list[Edge]:
    """Return the stretches of wall between two rooms, as edges of the first."""
    walls: list[Edge] = []
    if _apart(a, b, tolerance):
        return walls
    theirs = edges(b)
    for one in edges(a):
        for other in theirs:
            if one.axis == other.axis and one.out == -other.out and abs(one.at - other.at) <= tolerance:
                low, high = max(one.low, other.low), min(one.high, other.high)
                if high - low > tolerance:
                    walls.append(Edge(one.axis, one.at, low, high, one.out))
    return walls


def _apart(a: Sequence[XY], b: Sequence[XY], tolerance: float) -> bool:
    """Return whether the bounding boxes of two rooms do not even touch."""
    ax0, ay0, ax1, ay1 = _bounds(tuple(a))
    bx0, by0, bx1, by1 = _bounds(tuple(b))
    gap = max(ax0 - bx1, bx0 - ax1, ay0 - by1, by0 - ay1)
    return gap > tolerance


def free_walls(polygon: Sequence[XY], others: Iterable[Sequence[XY]]) -> list[Edge]:
    """Return the stretches of a room's walls that no other room touches."""
    shared = [wall for other in others for wall in shared_walls(polygon, other)]
    walls = []
    for edge in edges(polygon):
        taken = [
            (wall.low, wall.high)
            for wall in shared
            if wall.axis == edge.axis and wall.at == edge.at and wall.out == edge.out
        ]
        pieces = without((edge.low, edge.high), taken)
        walls += [Edge(edge.axis, edge.at, low, high, edge.out) for low, high in pieces]
    return walls


def without(interval: Interval, taken: Iterable[Interval]) -> list[Interval]:
    """Return what is left of an interval when others are cut out."""
    left = [interval]
    for low, high in taken:
        left = [
            piece
            for start, end in left
            for piece in ((start, min(end, low)), (max(start, high), end))
            if piece[1] - piece[0] > 1e-6
        ]
    return left
