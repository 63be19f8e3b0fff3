"""How far the nearest wall is."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled, inlined
from vlnscope.worlds.continuous.navmesh.corridor import (
    CLOSED,
    MOST_NODES,
    NEW,
    Search,
    begin,
    between,
    enter,
    new_search,
    put,
)
from vlnscope.worlds.continuous.navmesh.nearest import NAN, project
from vlnscope.worlds.continuous.navmesh.open_list import pop
from vlnscope.worlds.continuous.navmesh.plane import ZERO, Float32, Float32s, to_edge
from vlnscope.worlds.continuous.navmesh.surface import Surface


@compiled
def wall_distances(surface: Surface, points: Float32s, within: Float32) -> Float32s:
    """Return the distance of each snapped point to the nearest wall, at most `within`; NaN off the ground."""
    out = np.empty(len(points), np.float32)
    search = new_search(surface.counts.size)
    for k in range(len(points)):
        poly, x, y, z = project(surface, points[k, 0], points[k, 1], points[k, 2])
        if poly < 0:
            out[k] = NAN
        else:
            begin(search, k, poly, x, y, z, ZERO)
            out[k] = np.sqrt(_spread(surface, search, k, x, z, within * within))
    return out


@inlined
def _spread(surface: Surface, search: Search, number: int, x: Float32, z: Float32, least: Float32) -> Float32:
    """Spread over the ground in a circle that shrinks with each wall found; return its squared radius."""
    size, nodes = 1, 1
    place, total, state, parent = search.place, search.total, search.state, search.parent
    while size > 0:
        poly, size = pop(search.heap, size, total)
        state[poly] = CLOSED
        least = _hit(surface, poly, x, z, least)
        count = surface.counts[poly]
        for edge in range(count):
            other = surface.neighbours[poly, edge]
            if other < 0 or other == parent[poly] or not surface.walkable[other]:
                continue
            far, _ = to_edge(surface.corners, poly, edge, edge + 1 if edge + 1 < count else 0, x, z)
            if far > least:
                continue
            if search.seen[other] != number:
                if nodes == MOST_NODES:
                    continue
                nodes += 1
                search.seen[other], state[other] = number, NEW
                first = surface.portals[poly, edge]
                put(place, other, surface.corners, poly, first, first + 1 if first + 1 < count else 0)
            cost = total[poly] + between(place, poly, other)
            if state[other] == NEW or (state[other] != CLOSED and cost < total[other]):
                parent[other], total[other] = poly, cost
                size = enter(search.heap, size, other, total, state)
    return least


@inlined
def _hit(surface: Surface, poly: int, x: Float32, z: Float32, least: Float32) -> Float32:
    """Squared distance to the nearest wall of a polygon, if that is less than `least`."""
    count = surface.counts[poly]
    for start in range(count):
        other = surface.neighbours[poly, start]
        if other < 0 or not surface.walkable[other]:
            far, _ = to_edge(surface.corners, poly, start, start + 1 if start + 1 < count else 0, x, z)
            least = min(least, far)
    return least
