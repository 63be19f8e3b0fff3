"""The corridor of polygons that leads from one point to another: A* with Detour's costs, limits and ties."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled, inlined
from vlnscope.worlds.continuous.navmesh.open_list import lift, pop
from vlnscope.worlds.continuous.navmesh.plane import HALF, ZERO, Bytes, Float32, Float32s, Int32s, distance
from vlnscope.worlds.continuous.navmesh.surface import Surface

MOST_NODES = 2048
"""Polygons that a search may touch; Habitat's setting."""
MOST_POLYS = 256
"""Polygons of a corridor at most; Habitat's setting."""
MOST_POINTS = 256
"""Corners of a path at most; Habitat's setting."""
NEW, OPEN, CLOSED = np.uint8(0), np.uint8(1), np.uint8(2)
_SCALE = np.float32(0.999)


class Search(NamedTuple):
    """Room for searches, used again from one to the next; one entry per polygon where nothing else is said.

    Attributes:
        seen: the search that last touched the polygon.
        state: `NEW`, `OPEN` or `CLOSED`.
        parent: where it was entered from, -1 for the start.
        place: (n, 3) where its node lies.
        cost: of the way up to there.
        total: cost with what is left by the heuristic.
        heap: the open list.
        corridor: the polygons of the path that was found.
        points: (m, 3) the corners of the path that was found.
        funnel: (6, 3) where string pulling keeps its state.
    """

    seen: Int32s
    state: Bytes
    parent: Int32s
    place: Float32s
    cost: Float32s
    total: Float32s
    heap: Int32s
    corridor: Int32s
    points: Float32s
    funnel: Float32s


@compiled
def new_search(polys: int) -> Search:
    """Make room for searches in a mesh of so many polygons."""
    return Search(
        np.full(polys, np.int32(-1)),
        np.zeros(polys, np.uint8),
        np.empty(polys, np.int32),
        np.empty((polys, 3), np.float32),
        np.empty(polys, np.float32),
        np.empty(polys, np.float32),
        np.empty(min(polys, MOST_NODES) + 1, np.int32),
        np.empty(MOST_POLYS, np.int32),
        np.empty((MOST_POINTS, 3), np.float32),
        np.empty((6, 3), np.float32),
    )


@inlined
def begin(search: Search, number: int, poly: int, x: Float32, y: Float32, z: Float32, total: Float32) -> None:
    """Put the first node on the open list."""
    search.seen[poly] = number
    search.state[poly] = OPEN
    search.parent[poly] = -1
    search.place[poly, 0], search.place[poly, 1], search.place[poly, 2] = x, y, z
    search.cost[poly] = ZERO
    search.total[poly] = total
    search.heap[0] = poly


@inlined
def put(place: Float32s, other: int, corners: Float32s, poly: int, start: int, end: int) -> None:
    """Put the node of a polygon in the middle of the edge that it is entered through."""
    for axis in range(3):
        place[other, axis] = (corners[poly, start, axis] + corners[poly, end, axis]) * HALF


@inlined
def between(place: Float32s, a: int, b: int) -> Float32:
    """Return the distance of two nodes."""
    return distance(place[a, 0], place[a, 1], place[a, 2], place[b, 0], place[b, 1], place[b, 2])


@inlined
def find_corridor(
    surface: Surface, search: Search, number: int, start: int, goal: int, a: Float32s, b: Float32s
) -> int:
    """Find the corridor from point a on polygon `start` to point b on `goal`.

    Returns how many polygons it has, 0 if there is none or Detour's limits are passed; `search.corridor`
    holds them. `number` must be new in `search`.
    """
    if start == goal:
        search.corridor[0] = start
        return 1
    x, y, z = b[0], b[1], b[2]
    begin(search, number, start, a[0], a[1], a[2], distance(a[0], a[1], a[2], x, y, z) * _SCALE)
    size, nodes = 1, 1
    place, total, state, parent = search.place, search.total, search.state, search.parent
    while size > 0:
        poly, size = pop(search.heap, size, total)
        state[poly] = CLOSED
        if poly == goal:
            return _trace(parent, goal, search.corridor)
        count, cost_here = surface.counts[poly], search.cost[poly]
        for edge in range(count):
            other = surface.neighbours[poly, edge]
            if other < 0 or other == parent[poly] or not surface.walkable[other]:
                continue
            if search.seen[other] != number:
                if nodes == MOST_NODES:
                    return 0
                nodes += 1
                search.seen[other], state[other] = number, NEW
                first = surface.portals[poly, edge]
                put(place, other, surface.corners, poly, first, first + 1 if first + 1 < count else 0)
            rest = distance(place[other, 0], place[other, 1], place[other, 2], x, y, z)
            cost = cost_here + between(place, poly, other)
            if other == goal:
                cost += rest
                rest = ZERO
            sum_here = cost + rest * _SCALE
            if state[other] == NEW or sum_here < total[other]:
                parent[other], search.cost[other], total[other] = poly, cost, sum_here
                size = enter(search.heap, size, other, total, state)
    return 0


@inlined
def enter(heap: Int32s, size: int, poly: int, total: Float32s, state: Bytes) -> int:
    """Put a node on the open list, or in its new place there; return the length of the list."""
    if state[poly] == OPEN:
        at = 0
        while heap[at] != poly:
            at += 1
        lift(heap, at, poly, total)
        return size
    state[poly] = OPEN
    lift(heap, size, poly, total)
    return size + 1


@inlined
def _trace(parent: Int32s, goal: int, corridor: Int32s) -> int:
    """Write the corridor down; 0 if it is too long."""
    length, poly = 0, goal
    while poly >= 0:
        length += 1
        poly = parent[poly]
    if length > MOST_POLYS:
        return 0
    poly = goal
    for k in range(length - 1, -1, -1):
        corridor[k] = poly
        poly = parent[poly]
    return length
