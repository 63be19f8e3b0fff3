"""Alcoves: parts of ground floor rooms that stand out from the facade, for a bay window or a seat."""

from __future__ import annotations

import numpy as np

from vlnscope.worlds.houses.layout.building_kinds import BuildingKind
from vlnscope.worlds.houses.layout.draft import DraftRoom, HouseDraft, snap
from vlnscope.worlds.houses.layout.walls import Edge, free_walls, looks
from vlnscope.worlds.houses.plan.plan import XY
from vlnscope.worlds.houses.plan.polygons import counter_clockwise, sides

_ROOMS = ("l", "d", "f", "n", "b", "o")
_HOW_OFTEN = 0.35
_WIDTH = (1.8, 2.6)
_DEPTH = (0.6, 1.0)
_MARGIN = 0.6


def add_alcoves(rng: np.random.Generator, draft: HouseDraft, building: BuildingKind) -> None:
    """Give some houses an alcove or two, where nothing stands in front of a wall that is long enough."""
    if building.name in ("townhouse", "apartment") or rng.random() > _HOW_OFTEN:
        return
    rooms = [space for space in draft.on(0) if space.label in _ROOMS]
    for number in rng.permutation(len(rooms))[: int(rng.integers(1, 3))].tolist():
        space = rooms[number]
        others = [other.polygon for other in draft.on(0) if other.number != space.number]
        walls = [
            wall
            for wall in free_walls(space.polygon, others)
            if wall.high - wall.low > _WIDTH[0] + 2 * _MARGIN and looks(wall) not in building.blind
        ]
        if walls:
            _stand_out(rng, draft, space, max(walls, key=lambda wall: wall.high - wall.low))


def _stand_out(rng: np.random.Generator, draft: HouseDraft, space: DraftRoom, wall: Edge) -> None:
    width = snap(min(float(rng.uniform(*_WIDTH)), wall.high - wall.low - 2 * _MARGIN))
    low = snap((wall.low + wall.high - width) / 2)
    high, far = round(low + width, 2), snap(wall.at + wall.out * float(rng.uniform(*_DEPTH)))
    if _taken(draft, space, wall, (low, high, far)):
        return
    corners: list[XY] = []
    for a, b in sides(space.polygon):
        corners.append(a)
        if _lies_on(wall, a, b):
            out = [wall.point(low), _at(wall, low, far), _at(wall, high, far), wall.point(high)]
            along = 0 if wall.axis == "x" else 1
            corners += out if a[along] < b[along] else out[::-1]
    space.polygon = counter_clockwise(corners)


def _at(wall: Edge, along: float, across: float) -> XY:
    return (along, across) if wall.axis == "x" else (across, along)


def _lies_on(wall: Edge, a: XY, b: XY) -> bool:
    """Return whether a wall is part of a side of its room."""
    along, across = (0, 1) if wall.axis == "x" else (1, 0)
    low, high = sorted((a[along], b[along]))
    on_line = abs(a[across] - wall.at) < 1e-6 and abs(b[across] - wall.at) < 1e-6
    return on_line and low - 1e-6 <= wall.low and wall.high <= high + 1e-6


def _taken(draft: HouseDraft, space: DraftRoom, wall: Edge, box: tuple[float, float, float]) -> bool:
    """Return whether another room of the floor lies where an alcove is to be, or close to it."""
    low, high, far = box
    near, far = sorted((wall.at, far + wall.out * 0.5))
    x0, y0, x1, y1 = (low, near, high, far) if wall.axis == "x" else (near, low, far, high)
    for other in draft.on(0):
        if other.number == space.number:
            continue
        a0, b0, a1, b1 = other.bounds
        if min(a1, x1 + 0.3) - max(a0, x0 - 0.3) > 0.01 and min(b1, y1) - max(b0, y0) > 0.01:
            return True
    return False
