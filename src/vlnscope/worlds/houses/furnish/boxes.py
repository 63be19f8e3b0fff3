"""Boxes in space: what room an object takes up, and whether two of them meet."""

from __future__ import annotations

import math
from typing import NamedTuple

from vlnscope.worlds.houses.plan.plan import XY, XYZ, PlanItem
from vlnscope.worlds.houses.plan.polygons import sides

TOUCH = 1e-4
"""Boxes that overlap by less than this only touch."""


class Box(NamedTuple):
    """An upright box: its bounds, and its corners if it is not parallel to the axes."""

    x0: float
    y0: float
    x1: float
    y1: float
    z0: float
    z1: float
    corners: tuple[XY, ...] | None = None

    @property
    def area(self) -> float:
        """Area of its footprint (of the bounds, if it is turned)."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    @property
    def centre(self) -> XY:
        """Middle of its footprint."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


def quarter(yaw: float) -> int | None:
    """Return a yaw as a number of quarter turns (0-3); None if it is not a multiple of 90°."""
    turns = yaw / 90.0
    nearest = round(turns)
    return nearest % 4 if abs(turns - nearest) < 1e-9 else None


def front(turns: int) -> XY:
    """Return the direction that the front of an object looks to after some quarter turns."""
    return ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))[turns % 4]


def turned(local: XY, turns: int) -> XY:
    """Turn a vector counter-clockwise by quarter turns.

    Example:
        >>> turned((1.0, 2.0), 1)
        (-2.0, 1.0)
    """
    x, y = local
    return ((x, y), (-y, x), (-x, -y), (y, -x))[turns % 4]


def box_at(position: XYZ, size: XYZ, yaw: float = 0.0) -> Box:
    """Return the box of a thing of some size whose base has its middle at `position`."""
    x, y, z = position
    turns = quarter(yaw)
    if turns is None:
        corners = _corners(x, y, size, math.radians(yaw))
        across, along = zip(*corners, strict=True)
        return Box(min(across), min(along), max(across), max(along), z, z + size[2], corners)
    a, b = (size[1] / 2, size[0] / 2) if turns % 2 else (size[0] / 2, size[1] / 2)
    return Box(x - a, y - b, x + a, y + b, z, z + size[2])


def box_of(item: PlanItem) -> Box:
    """Return the box that an object takes up."""
    return box_at(item.position, item.size, item.yaw)


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap by more than a touch."""
    if (
        min(one.x1, other.x1) - max(one.x0, other.x0) <= TOUCH
        or min(one.y1, other.y1) - max(one.y0, other.y0) <= TOUCH
        or min(one.z1, other.z1) - max(one.z0, other.z0) <= TOUCH
    ):
        return False
    if one.corners is None and other.corners is None:
        return True
    return not (_apart(one, other) or _apart(other, one))


def _corners(x: float, y: float, size: XYZ, yaw: float) -> tuple[XY, ...]:
    cos, sin = math.cos(yaw), math.sin(yaw)
    a, b = size[0] / 2, size[1] / 2
    return tuple(
        (x + u * cos - v * sin, y + u * sin + v * cos) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))
    )


def outline(box: Box) -> tuple[XY, ...]:
    """Return the four corners of a footprint, counter-clockwise."""
    return box.corners or ((box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1))


def _apart(one: Box, other: Box) -> bool:
    """Return whether a side of `one` separates the footprints."""
    own, theirs = outline(one), outline(other)
    for (ax, ay), (bx, by) in sides(own):
        nx, ny = by - ay, ax - bx
        length = math.hypot(nx, ny)
        if min((x - ax) * nx + (y - ay) * ny for x, y in theirs) >= -TOUCH * length:
            return True
    return False
