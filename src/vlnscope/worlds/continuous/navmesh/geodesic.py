"""Geodesic distances and paths by Habitat's rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled, inlined, part
from vlnscope.worlds.continuous.navmesh.corridor import Search, find_corridor, new_search
from vlnscope.worlds.continuous.navmesh.nearest import project_all
from vlnscope.worlds.continuous.navmesh.plane import ZERO, Float32, Float32s, Int32s, distance
from vlnscope.worlds.continuous.navmesh.pull import copy, length, pull
from vlnscope.worlds.continuous.navmesh.surface import Surface

INFINITE = np.float32(np.inf)
_CLOSE = np.float32(1e-5)


class Places(NamedTuple):
    """Points with their nearest polygons.

    Attributes:
        points: (n, 3) as they were asked for.
        polys: the nearest polygons, -1 where there is none.
        near: (n, 3) the nearest points.
    """

    points: Float32s
    polys: Int32s
    near: Float32s


@part
def find_path(
    surface: Surface, search: Search, number: int, starts: Places, k: int, goals: Places, j: int
) -> tuple[int, Float32]:
    """Write the corners of the path from start k to goal j into `search.points`.

    The search runs between the nearest points, the string is pulled between those that were asked for.
    Returns the number of corners, 0 if there is no path, and the length.
    """
    start, goal = starts.polys[k], goals.polys[j]
    if start < 0 or goal < 0:
        return 0, INFINITE
    a, b = starts.near[k], goals.near[j]
    if _close(a[0], b[0]) and _close(a[1], b[1]) and _close(a[2], b[2]):
        copy(starts.near, k, search.points, 0)
        copy(goals.near, j, search.points, 1)
        return 2, ZERO
    if surface.islands[start] != surface.islands[goal]:
        return 0, INFINITE
    count = find_corridor(surface, search, number, start, goal, a, b)
    if count == 0:
        return 0, INFINITE
    size = pull(surface, search, count, starts.points[k], goals.points[j])
    return size, length(search.points, size) if size > 0 else INFINITE


@inlined
def _close(a: Float32, b: Float32) -> bool:
    """Whether Habitat takes two coordinates for equal."""
    apart = abs(a - b)
    if a == b or apart < _CLOSE:
        return True
    if a == ZERO or b == ZERO:
        return False
    return bool(apart / (abs(a) + abs(b)) < _CLOSE)


@compiled
def distances(surface: Surface, starts: Float32s, goals: Float32s) -> Float32s:
    """Return the geodesic distances of starts and goals, of which one may be a single point."""
    polys, near = project_all(surface, starts)
    first = Places(starts, polys, near)
    polys, near = project_all(surface, goals)
    second = Places(goals, polys, near)
    count = max(len(starts), len(goals)) if len(starts) and len(goals) else 0
    out = np.empty(count, np.float32)
    search = new_search(surface.counts.size)
    for k in range(count):
        _, out[k] = find_path(surface, search, k, first, k % len(starts), second, k % len(goals))
    return out


@compiled
def nearest_goals(surface: Surface, starts: Float32s, goals: Float32s) -> tuple[Float32s, Int32s]:
    """Return the distance of each start to the nearest of all goals, and which it is; -1 if none is reached.

    As in Habitat, goals are tried in the order of their straight distance, and one that is farther in a
    straight line than the best so far is not tried.
    """
    polys, near = project_all(surface, starts)
    first = Places(starts, polys, near)
    polys, near = project_all(surface, goals)
    second = Places(goals, polys, near)
    out = np.full(len(starts), INFINITE)
    which = np.full(len(starts), np.int32(-1))
    straight = np.empty(len(goals), np.float32)
    search = new_search(surface.counts.size)
    number = 0
    for k in range(len(starts)):
        for j in range(len(goals)):
            a, b = starts[k], goals[j]
            straight[j] = distance(a[0], a[1], a[2], b[0], b[1], b[2])
        for j in np.argsort(straight):
            if not straight[j] > out[k]:
                _, far = find_path(surface, search, number, first, k, second, j)
                number += 1
                if far < out[k]:
                    out[k], which[k] = far, j
    return out, which


@compiled
def path_points(surface: Surface, starts: Float32s, goals: Float32s) -> Float32s:
    """Return the corners of the path from the only start to the only goal."""
    polys, near = project_all(surface, starts)
    first = Places(starts, polys, near)
    polys, near = project_all(surface, goals)
    search = new_search(surface.counts.size)
    size, _ = find_path(surface, search, 0, first, 0, Places(goals, polys, near), 0)
    return search.points[:size].copy()
