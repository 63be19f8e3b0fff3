"""The navigation graph of a house: viewpoints in rooms, doorways and on stairs, joined where one can walk."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.core.files import digest
from vlnscope.types import Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.graph.edges import FARTHEST, pairs_of, seen_pairs, thinned
from vlnscope.worlds.houses.graph.obstacles import Obstacles
from vlnscope.worlds.houses.graph.spacing import spread_out
from vlnscope.worlds.houses.graph.viewpoint_spots import (
    StairSpots,
    ViewpointSpot,
    climbs,
    doorway_spot,
    has_viewpoint,
    room_spots,
)
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening

CAMERA = 1.5
"""Height of the camera above the floor."""


class Viewpoints(NamedTuple):
    """The viewpoints of a house: their graph, and per node the number of its room and the camera's height."""

    graph: NavGraph
    regions: tuple[int, ...]
    heights: Floats


def viewpoints(plan: FloorPlan) -> Viewpoints:
    """Derive the viewpoints of a house from its plan.

    Viewpoints of a room depend on that room, its openings and what is in it, so that an edit elsewhere leaves
    them where they are. The graph is connected if a walker can get everywhere; where furniture or closed
    doors part the house, so is the graph.
    """
    stairs = climbs(plan)
    spots: list[ViewpointSpot] = []
    pairs: list[tuple[int, int]] = []
    for floor in plan.floors:
        ground = Obstacles(plan, floor)
        on_floor = _storey(plan, ground, stairs)
        numbers = list(range(len(spots), len(spots) + len(on_floor)))
        places = np.array([spot.place for spot in on_floor], dtype=np.float64).reshape(-1, 3)
        pairs += pairs_of(thinned(places, seen_pairs(places, ground)), numbers)
        spots += on_floor
    pairs += _climb(stairs, spots)
    return _graph(plan, spots, pairs)


def _storey(plan: FloorPlan, ground: Obstacles, stairs: list[StairSpots]) -> list[ViewpointSpot]:
    """Return the spots of a storey, the ends of its stairs among them."""
    level = ground.floor.level
    ends = (spot for climb in stairs for spot in (climb.spots[0], climb.spots[-1]))
    spots = list(dict.fromkeys(spot for spot in ends if plan.rooms[spot.room].floor == level))
    on_stairs = len(spots)
    ways = ground.ways
    spots += [doorway_spot(plan, way, ground) for way in ways if has_viewpoint(plan, way)]
    fixed = list(spots)
    for number, room in enumerate(plan.rooms):
        if room.floor == level:
            own = [way for way in ways if room.id in way.rooms]
            centres = {ground.gates[way.id] for way in own}
            near = [spot for spot in fixed if spot.room == number or spot.place[:2] in centres]
            spots += room_spots(plan, number, ground, own, near)
    return spread_out(plan, ground, spots + _missing(plan, ground, spots, ways), on_stairs)


def _missing(
    plan: FloorPlan, ground: Obstacles, spots: list[ViewpointSpot], ways: list[Opening]
) -> list[ViewpointSpot]:
    """Return spots in the doorways through which no straight way leads from a spot to another."""
    known = {spot.key for spot in spots}
    by_room: dict[str, list[ViewpointSpot]] = {}
    for spot in spots:
        by_room.setdefault(plan.rooms[spot.room].id, []).append(spot)
    added = []
    for way in ways:
        doorway = doorway_spot(plan, way, ground)
        if doorway.key not in known and not _crossed(way, by_room, ground):
            added.append(doorway)
    return added


def _crossed(way: Opening, by_room: dict[str, list[ViewpointSpot]], ground: Obstacles) -> bool:
    near, far = (
        np.array([spot.place[:2] for spot in by_room.get(name or "", ())]).reshape(-1, 2)
        for name in way.rooms
    )
    starts, ends = np.repeat(near, len(far), axis=0), np.tile(far, (len(near), 1))
    short = np.hypot(*(starts - ends).T) <= FARTHEST
    at, across = (0, 1) if way.axis == "x" else (1, 0)
    gap = ends[:, across] - starts[:, across]
    share = (way.centre[across] - starts[:, across]) / np.where(gap == 0.0, 1.0, gap)
    crossing = starts[:, at] + share * (ends[:, at] - starts[:, at])
    through = short & (gap != 0.0) & (np.abs(crossing - way.centre[at]) < way.width / 2)
    return bool(ground.clear(starts[through], ends[through]).any())


def _climb(stairs: list[StairSpots], spots: list[ViewpointSpot]) -> list[tuple[int, int]]:
    """Add the spots between the ends of the stairs; return the edges along them."""
    number = {spot.key: i for i, spot in enumerate(spots)}
    pairs = []
    for climb in stairs:
        for spot in climb.spots:
            if spot.key not in number:
                number[spot.key] = len(spots)
                spots.append(spot)
        row = [number[spot.key] for spot in climb.spots]
        pairs += list(pairwise(row))
    return pairs


def _graph(plan: FloorPlan, spots: list[ViewpointSpot], pairs: list[tuple[int, int]]) -> Viewpoints:
    names = [viewpoint_id(plan, spot.key) for spot in spots]
    positions = [(x, y, z + CAMERA) for x, y, z in (spot.place for spot in spots)]
    graph = NavGraph.build(names, positions, [(names[a], names[b]) for a, b in pairs])
    return Viewpoints(graph, tuple(spot.room for spot in spots), np.full(len(spots), CAMERA))


def viewpoint_id(plan: FloorPlan, key: str) -> str:
    """Return the id of a viewpoint: 32 hexadecimal digits, as Matterport's are.

    Houses of different versions of the generator have no id in common, so that paths through one never pass
    for paths through another.
    """
    house = f"{plan.id} v{plan.generator}" if plan.generator else plan.id
    return digest(b"viewpoint", house.encode(), key.encode())
