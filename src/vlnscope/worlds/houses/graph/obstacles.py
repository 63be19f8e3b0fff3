"""The ground of a storey as a walker meets it: what stands in the way, and how much room there is."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely
from shapely import Polygon

from vlnscope.types import Flags, Floats
from vlnscope.worlds.houses.furnish.boxes import box_of, outline
from vlnscope.worlds.houses.layout.walls import Edge, edges
from vlnscope.worlds.houses.mesh.builder import inner
from vlnscope.worlds.houses.mesh.stairs import stair_hole
from vlnscope.worlds.houses.plan.plan import WALL, XY, Floor, FloorPlan, Opening, Room, Stair
from vlnscope.worlds.houses.plan.polygons import sides

BODY = 0.18
"""Radius of a walker."""
HEAD_ROOM = 1.9
"""What begins higher above the floor than this is in nobody's way."""

_HALF = WALL / 2
_RAILING = 0.13  # half the thickness of a wall, and a railing before it
_LEAF = 0.1  # how far a door leaf, laid back to its wall, reaches into a room
_WIDEST_LEAF = 1.25
_FRONT = _HALF + 0.5  # what leaves keep free before other openings
_FLAT = 0.04
_SEAM = 1e-3
_APPROACH = 0.4


class Obstacles:
    """What is solid on one storey, between the floor and head height.

    Attributes:
        floor: the storey.
        solids: the footprints of walls, door leaves, furniture and stairs.
        ways: the openings that one can walk through.
        gates: where to walk through each of them.
    """

    def __init__(self, plan: FloorPlan, floor: Floor) -> None:
        self.floor = floor
        rooms = [room for room in plan.rooms if room.floor == floor.level]
        openings = [opening for opening in plan.openings if opening.floor == floor.level]
        ways = [opening for opening in openings if is_way(opening)]
        self.solids: list[Polygon] = [
            *(wall for room in rooms for wall in _walls(room, ways)),
            *_leaves(rooms, openings),
            *_furniture(plan, floor, {room.id for room in rooms}),
            *_stairs(plan, floor),
        ]
        self._tree = shapely.STRtree(self.solids)
        self.gates = {way.id: gate for way in ways if (gate := self._gateway(way)) is not None}
        self.ways = [way for way in ways if way.id in self.gates]

    def near(self, x0: float, y0: float, x1: float, y1: float) -> list[Polygon]:
        """Return the solids that reach into a rectangle, in a fixed order."""
        return [self.solids[i] for i in np.sort(self._tree.query(shapely.box(x0, y0, x1, y1))).tolist()]

    def clearance(self, points: Floats) -> Floats:
        """Return how far each point (rows x, y) is from the nearest solid; 0 inside one."""
        if not self.solids or not len(points):
            return np.full(len(points), np.inf)
        places = shapely.points(points)
        nearest, far = self._tree.query_nearest(places, all_matches=False, return_distance=True)
        distances = np.full(len(points), np.inf)
        distances[nearest[0]] = far
        return distances

    def clear(self, starts: Floats, ends: Floats, radius: float = BODY) -> Flags:
        """Return whether a walker of some radius gets straight from each start to its end."""
        free = np.ones(len(starts), dtype=np.bool_)
        if not self.solids or not len(starts):
            return free
        lines = shapely.linestrings(np.stack([starts, ends], axis=1))
        free[self._tree.query(lines, predicate="dwithin", distance=radius)[0]] = False
        return free

    def _gateway(self, way: Opening) -> XY | None:
        """Return where to walk through an opening: in its middle, or nearby; None if it is obstructed."""
        most = max(way.width / 2 - BODY - 0.05, 0.0)
        steps = np.arange(0.0, most + 1e-9, 0.1)
        shifts = np.unique(np.concatenate([-steps, steps]))
        shifts = shifts[np.argsort(np.abs(shifts), kind="stable")]
        along, across = ((1.0, 0.0), (0.0, 1.0)) if way.axis == "x" else ((0.0, 1.0), (1.0, 0.0))
        places = np.array([way.centre]) + shifts[:, None] * np.array([along])
        out = np.array([across]) * _APPROACH
        clear = self.clear(places - out, places + out)
        if not clear.any():
            return None
        best = places[int(np.argmax(clear))]
        return round(float(best[0]), 3), round(float(best[1]), 3)


def is_way(opening: Opening) -> bool:
    """Return whether one can walk through an opening from a room to another."""
    return (
        opening.kind != "window"
        and not opening.closed
        and opening.rooms[1] is not None
        and opening.sill <= 0.05
        and opening.head - opening.sill >= HEAD_ROOM
    )


def _walls(room: Room, ways: list[Opening]) -> Iterator[Polygon]:
    """Yield a room's walls (or railings) without the openings one can walk through."""
    half = _RAILING if room.outdoor else _HALF
    own = [way for way in ways if room.id in way.rooms]
    for (x0, y0), (x1, y1) in sides(room.polygon):
        axis, line = ("x", y0) if abs(y0 - y1) < abs(x0 - x1) else ("y", x0)
        low, high = sorted((x0, x1) if axis == "x" else (y0, y1))
        at, across = (0, 1) if axis == "x" else (1, 0)
        gaps = sorted(
            (way.centre[at] - way.width / 2, way.centre[at] + way.width / 2)
            for way in own
            if way.axis == axis
            and abs(way.centre[across] - line) < _SEAM
            and low - _SEAM < way.centre[at] < high + _SEAM
        )
        start = low - _HALF
        for a, b in [*gaps, (high + _HALF, math.inf)]:
            if a > start:
                yield _slab(axis, start, a, line - half, line + half)
            start = max(start, b)


def _slab(axis: str, low: float, high: float, near: float, far: float, of: Opening | None = None) -> Polygon:
    """Return a rectangle along a wall; its sides near and far are measured from the wall `of` an opening."""
    line = 0.0 if of is None else of.centre[1 if axis == "x" else 0]
    near, far = line + near, line + far
    return shapely.box(low, near, high, far) if axis == "x" else shapely.box(near, low, far, high)


def _leaves(rooms: list[Room], openings: list[Opening]) -> Iterator[Polygon]:
    """Yield where open door leaves may be, laid back to the wall on either side, at either end.

    As in `mesh.openings`, no leaf leaves its room or stands before another opening.
    """
    floors = {room.id: inner(room) for room in rooms}
    sides = {room.id: list(edges(room.polygon)) for room in rooms}
    for door in openings:
        if door.kind != "door" or not is_way(door) or door.width > _WIDEST_LEAF:
            continue
        others = [_slab(way.axis, *_span(way), -_FRONT, _FRONT, way) for way in openings if way is not door]
        low, high = _span(door)
        for room in door.rooms:
            wall = next((edge for edge in sides[room or ""] if _holds(edge, door)), None)
            for a, b in ((low - door.width, low), (high, high + door.width)):
                if wall is None or a < wall.low or b > wall.high:
                    continue
                for near, far in ((_HALF + 0.02, _HALF + _LEAF), (-_HALF - _LEAF, -_HALF - 0.02)):
                    leaf = _slab(door.axis, a, b, near, far, door)
                    if floors[room or ""].covers(leaf) and not any(leaf.intersects(it) for it in others):
                        yield leaf


def _holds(edge: Edge, opening: Opening) -> bool:
    """Whether an opening lies in a side of a room."""
    at, along = (opening.centre[1], opening.centre[0]) if edge.axis == "x" else opening.centre
    return edge.axis == opening.axis and abs(at - edge.at) < _SEAM and edge.low < along < edge.high


def _span(opening: Opening) -> tuple[float, float]:
    """Return where an opening begins and ends along its wall."""
    along = opening.centre[0 if opening.axis == "x" else 1]
    return along - opening.width / 2, along + opening.width / 2


def _furniture(plan: FloorPlan, floor: Floor, rooms: set[str]) -> Iterator[Polygon]:
    for item in plan.items:
        if item.room not in rooms:
            continue
        box = box_of(item)
        low, high = box.z0 - floor.elevation, box.z1 - floor.elevation
        if low < HEAD_ROOM and high > _FLAT:
            yield Polygon(outline(box))


def _stairs(plan: FloorPlan, floor: Floor) -> Iterator[Polygon]:
    for stair in plan.stairs:
        if floor.level in stair.floors:
            yield from shapely.get_parts(stair_area(plan, stair)).tolist()


def stair_area(plan: FloorPlan, stair: Stair) -> Polygon:
    """Return what the steps take of the lower floor, which is also the hole in the upper one."""
    wells = [inner(room) for name in stair.rooms for room in plan.rooms if room.id == name]
    common = shapely.intersection_all(wells)
    largest = max(shapely.get_parts(common).tolist(), key=lambda part: part.area)
    return stair_hole(stair, largest).buffer(0.03, join_style="mitre")
