"""Where a thing could be put: candidate spots along walls, in corners, in the open, beside and on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.worlds.houses.furnish.boxes import quarter, turned
from vlnscope.worlds.houses.furnish.room import RoomSpace, Wall
from vlnscope.worlds.houses.plan.plan import XY, XYZ, PlanItem

GAP = 0.02
"""Between furniture and the wall behind it (skirting boards need room too)."""
_STEP = 0.25


class Placement(NamedTuple):
    """Middle of the base, quarter turns, and how much it is liked (higher is better)."""

    x: float
    y: float
    z: float
    turns: int
    score: float = 0.0


Score = Callable[[Wall, float, XY], float]
"""Likes a place along a wall: (wall, place along it, point on its face) → score."""


def wall_spots(
    space: RoomSpace, size: XYZ, score: Score, *, off: float = GAP, z: float = 0.0
) -> list[Placement]:
    """Return spots with the back to a wall, `z` above the floor."""
    spots = []
    for wall in space.walls:
        half = size[0] / 2 + (GAP if z == 0.0 else 0.0)
        for along in places(wall.low + half, wall.high - half):
            x, y = wall.point(along, off + size[1] / 2)
            spots.append(Placement(x, y, space.floor.elevation + z, wall.turns, score(wall, along, (x, y))))
    return spots


def places(low: float, high: float) -> list[float]:
    """Return places between two ends: the ends, the middle, and one every quarter of a metre."""
    if high < low:
        return []
    count = max(int((high - low) / _STEP), 1)
    inner = [low + (high - low) * k / count for k in range(1, count)]
    return [low, (low + high) / 2, high, *inner] if high - low > 0.02 else [(low + high) / 2]


def corner_spots(space: RoomSpace, size: XYZ) -> list[Placement]:
    """Return spots at both ends of every wall."""

    def at_end(wall: Wall, along: float, _: XY) -> float:
        return -min(along - wall.low, wall.high - along)

    return [spot for spot in wall_spots(space, size, at_end) if spot.score > -size[0] / 2 - 0.1]


def open_spots(space: RoomSpace, turns: Sequence[int], step: float = 0.3) -> list[Placement]:
    """Return spots over the whole floor, the middle of the room first."""
    across, along = zip(*space.room.polygon, strict=True)
    middle = ((min(across) + max(across)) / 2, (min(along) + max(along)) / 2)
    xs = _around(middle[0], min(across), max(across), step)
    ys = _around(middle[1], min(along), max(along), step)
    z = space.floor.elevation
    return [
        Placement(x, y, z, turn, -float(np.hypot(x - middle[0], y - middle[1])))
        for x in xs
        for y in ys
        for turn in turns
    ]


def local_spot(item: PlanItem, dx: float, dy: float, turn: int = 0, *, z: float | None = None) -> Placement:
    """Return the spot that lies dx to an object's own right-hand +x and dy towards its back.

    Args:
        item: the object; its yaw must be a multiple of 90°.
        dx: along its own x.
        dy: along its own y; its front looks to -y.
        turn: quarter turns relative to the object.
        z: elevation; the base of the object if None.
    """
    turns = quarter(item.yaw) or 0
    ux, uy = turned((dx, dy), turns)
    x, y, base = item.position
    return Placement(x + ux, y + uy, base if z is None else z, (turns + turn) % 4)


def surface_spots(base: PlanItem, height: float, size: XYZ, turn: int = 0) -> list[Placement]:
    """Return spots on top of an object, in rows from its back to its front."""
    width, depth = (size[1], size[0]) if turn % 2 else (size[0], size[1])
    us = _spread(base.size[0] - width - 0.04)
    vs = _spread(base.size[1] - depth - 0.04)
    z = base.position[2] + height
    return [local_spot(base, u, v, turn, z=z) for v in reversed(vs) for u in us]


def _spread(room: float) -> list[float]:
    if room < 0:
        return []
    count = max(int(room / 0.15), 1)
    return [room * (k / count - 0.5) for k in range(count + 1)] if room > 0.02 else [0.0]


def _around(middle: float, low: float, high: float, step: float) -> list[float]:
    count = int((high - low) / 2 / step)
    return [middle + k * step for k in range(-count, count + 1)]
