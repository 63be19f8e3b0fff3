"""Where a house stands: its lot in a frame whose street lies to -y, and what must stay free."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from shapely import Polygon

from vlnscope.worlds.houses.mesh.builder import Area, grown
from vlnscope.worlds.houses.mesh.exterior import ground_level
from vlnscope.worlds.houses.plan.plan import XY, FloorPlan, Opening, Room

Box = tuple[float, float, float, float]

CLEAR = 1.2
"""Metres around a house, its terraces and balconies where nothing stands."""

_TURNS: dict[XY, int] = {(0, -1): 0, (-1, 0): 1, (0, 1): 2, (1, 0): 3}
"""Quarters counter-clockwise by which a front that looks this way is turned to -y."""


class Front(NamedTuple):
    """The middle of the front door, and the way that one looks out of it: one of the four axes."""

    at: XY
    out: XY


@dataclass(frozen=True)
class Lot:
    """A house in the frame of its street.

    Attributes:
        quarters: quarters of a circle, counter-clockwise, from this frame to that of the plan.
        house: what all storeys cover, outdoor rooms included.
        indoor: what the indoor rooms of all storeys cover, with their walls.
        terraces: the outdoor rooms on the lowest storey.
        garages: boxes x0, y0, x1, y1 of the garages on the lowest storey.
        door: the middle of the front door.
        ground: height of the ground.
        top: height of the highest ceiling.
        blind: of the sides to -x, +x, -y and +y, whether neither windows nor doors look that way.
    """

    quarters: int
    house: Area
    indoor: Area
    terraces: Area
    garages: tuple[Box, ...]
    door: XY
    ground: float
    top: float
    blind: tuple[bool, bool, bool, bool]

    @property
    def bounds(self) -> Box:
        """The box x0, y0, x1, y1 around the house and its outdoor rooms."""
        x0, y0, x1, y1 = self.house.bounds
        return x0, y0, x1, y1


def lot_of(plan: FloorPlan) -> Lot:
    """Return the lot of a house; edits change it only where they move the front door."""
    front = front_of(plan)
    turns = _TURNS[front.out]
    lowest = min(floor.level for floor in plan.floors)
    rooms = [(room, _turned(Polygon(room.polygon), turns)) for room in plan.rooms]
    indoor = grown(shapely.union_all([area for room, area in rooms if not room.outdoor], grid_size=1e-5))
    house = shapely.union_all([indoor, *(area for room, area in rooms if room.outdoor)], grid_size=1e-5)
    low = [(room, area) for room, area in rooms if room.floor == lowest]
    return Lot(
        quarters=-turns % 4,
        house=house,
        indoor=indoor,
        terraces=shapely.union_all([area for room, area in low if room.outdoor], grid_size=1e-5),
        garages=tuple(_box(area) for room, area in low if _built_as(room) == "g"),
        door=_turned_point(front.at, turns),
        ground=ground_level(plan),
        top=max(_ceiling(plan, room) for room in plan.rooms),
        blind=_blind(plan, turns),
    )


def front_of(plan: FloorPlan) -> Front:
    """Return the front door of a house.

    That is the door of the entry (or, without one, of any room) that leads out; where there is none, the
    middle of the longest outer wall of the entry. A flat high above the ground has its front where most of
    its windows look.
    """
    lowest = min(plan.floors, key=lambda floor: floor.level)
    entries = {room.id for room in plan.rooms if _built_as(room) == "e" and not room.outdoor}
    ways = _ways_out(plan)
    if lowest.elevation - ground_level(plan) > 1.0 and ways:
        return _sunny_side(ways)
    doors = [(door, out) for door, out in ways if door.kind != "window"]
    if entries:
        doors = [(door, out) for door, out in doors if entries & {*door.rooms}]
    doors.sort(key=lambda way: (way[0].floor != lowest.level, way[0].rooms[1] is not None))
    if doors:
        return Front(doors[0][0].centre, doors[0][1])
    indoor = shapely.union_all([Polygon(room.polygon) for room in plan.rooms if not room.outdoor])
    return _longest_wall(next((r for r in plan.rooms if r.id in entries), plan.rooms[0]), indoor)


def _sunny_side(ways: list[tuple[Opening, XY]]) -> Front:
    outs = [out for _, out in ways]
    best = max(sorted({*outs}), key=outs.count)
    return Front(next(way.centre for way, out in ways if out == best), best)


def _outward(at: XY, axis: str, inside: Area) -> XY:
    ways: tuple[XY, XY] = ((0, -1), (0, 1)) if axis == "x" else ((-1, 0), (1, 0))
    free = [
        way for way in ways if not inside.contains(shapely.Point(at[0] + 0.2 * way[0], at[1] + 0.2 * way[1]))
    ]
    return free[0] if free else ways[0]


def _longest_wall(room: Room, indoor: Area) -> Front:
    corners = [*room.polygon, room.polygon[0]]
    best, front = -1.0, Front(room.polygon[0], (0, -1))
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        length = abs(x1 - x0) + abs(y1 - y0)
        out = (float(np.sign(y1 - y0)), -float(np.sign(x1 - x0)))
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        if length > best and not indoor.contains(
            shapely.Point(middle[0] + 0.2 * out[0], middle[1] + 0.2 * out[1])
        ):
            best, front = length, Front(middle, out)
    return front


def _blind(plan: FloorPlan, turns: int) -> tuple[bool, bool, bool, bool]:
    """Say of the sides to -x, +x, -y and +y whether nothing opens to them."""
    open_ways = {_turned_point(out, turns) for _, out in _ways_out(plan)}
    left, right, near, far = (way not in open_ways for way in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    return left, right, near, far


def _ways_out(plan: FloorPlan) -> list[tuple[Opening, XY]]:
    """Return the openings of indoor rooms that lead outside, with the way that one looks out of each."""
    rooms = {room.id: room for room in plan.rooms}
    ways = []
    for opening in plan.openings:
        inside = [rooms[r] for r in opening.rooms if r is not None and not rooms[r].outdoor]
        if len(inside) == 1:
            ways.append((opening, _outward(opening.centre, opening.axis, Polygon(inside[0].polygon))))
    return ways


def _ceiling(plan: FloorPlan, room: Room) -> float:
    floor = plan.floor_of(room)
    return floor.elevation + max(floor.height, getattr(room, "height", 0.0))


def _built_as(room: Room) -> str:
    return room.built_as or room.label


def _turned_point(point: XY, turns: int) -> XY:
    x, y = point
    for _ in range(turns):
        x, y = -y, x
    return x, y


def _turned(area: Polygon, turns: int) -> Polygon:
    return Polygon([_turned_point((x, y), turns) for x, y in area.exterior.coords])


def _box(area: Polygon) -> Box:
    x0, y0, x1, y1 = area.bounds
    return x0, y0, x1, y1
