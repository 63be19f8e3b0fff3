"""Ceilings that are not level with their storey: rooms of double height, and slopes under a roof.

Under a sloped roof (`Floor.eaves`), the ceiling of a room falls towards each of its outer walls that runs
along the ridge, at 45°, from the full height of the storey to the eaves.
"""

from __future__ import annotations

from typing import NamedTuple

from vlnscope.worlds.houses.layout.walls import Edge, free_walls
from vlnscope.worlds.houses.plan.plan import WALL, XY, Floor, FloorPlan, Room

REACHES = 0.5
"""A room that is so much higher than the floor of a storey above reaches into that storey, metres."""


class CeilingSlope(NamedTuple):
    """A strip of a sloped ceiling along an outer wall.

    Attributes:
        wall: the outer wall; its line is the middle of the wall.
        eaves: elevation of the ceiling at the inner face of the wall.
        depth: how far the slope reaches from that face into the room; it rises by as much.
    """

    wall: Edge
    eaves: float
    depth: float

    def rise(self, point: XY) -> float:
        """Return the elevation of the slope, carried on into the room, over a point."""
        across = point[1] if self.wall.axis == "x" else point[0]
        return self.eaves + (self.wall.at - across) * self.wall.out - WALL / 2


def ceiling_slopes(plan: FloorPlan, room: Room) -> list[CeilingSlope]:
    """Return the slopes of a room's ceiling; none where ceilings are level, and none outdoors."""
    floor = plan.floor_of(room)
    depth = floor.height - floor.eaves
    if room.outdoor or room.height or not floor.eaves or depth <= 0:
        return []
    others = [
        other.polygon
        for other in plan.rooms
        if other.id != room.id and not other.outdoor and reaches(plan, other, floor)
    ]
    return [
        CeilingSlope(wall, floor.elevation + floor.eaves, depth)
        for wall in free_walls(room.polygon, others)
        if wall.axis == floor.ridge
    ]


def ceiling_at(plan: FloorPlan, room: Room, point: XY) -> float:
    """Return the elevation of a room's ceiling over a point in it."""
    floor = plan.floor_of(room)
    full = floor.elevation + plan.height_of(room)
    lows = [
        slope.rise(point)
        for slope in ceiling_slopes(plan, room)
        if slope.wall.low <= (point[0] if slope.wall.axis == "x" else point[1]) <= slope.wall.high
    ]
    return min([full, *lows])


def reaches(plan: FloorPlan, room: Room, floor: Floor) -> bool:
    """Return whether a room is on a storey, or reaches up into it from one below."""
    if room.floor == floor.level:
        return True
    own = plan.floor_of(room)
    return own.elevation < floor.elevation and own.elevation + room.height >= floor.elevation + REACHES


def voids_on(plan: FloorPlan, floor: Floor) -> list[Room]:
    """Return the rooms that reach up into a storey from one below."""
    return [
        room
        for room in plan.rooms
        if room.height and room.floor != floor.level and reaches(plan, room, floor)
    ]
