"""Outlines of rooms: their sides, their area, which way round they run, and what lies in them."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.worlds.houses.plan.plan import XY


def sides(polygon: Sequence[XY]) -> tuple[tuple[XY, XY], ...]:
    """Return the sides of a polygon, each from one corner to the next."""
    return tuple(zip(polygon, (*polygon[1:], *polygon[:1]), strict=True))


def area(polygon: Sequence[XY]) -> float:
    """Return the signed area of a polygon; positive if its corners run counter-clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in sides(polygon)) / 2


def counter_clockwise(polygon: Sequence[XY]) -> tuple[XY, ...]:
    """Return the polygon with its corners in counter-clockwise order, its first corner kept."""
    if area(polygon) >= 0:
        return tuple(polygon)
    return (polygon[0], *reversed(polygon[1:]))


def inside(polygon: Sequence[XY], point: XY) -> bool:
    """Return whether a point lies in a polygon (even-odd rule)."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in sides(polygon):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd
