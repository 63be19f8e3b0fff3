"""Steps along the ground: Detour's walk from one point towards another, and Habitat's rules around it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled, inlined
from vlnscope.worlds.continuous.navmesh.nearest import height_over, project
from vlnscope.worlds.continuous.navmesh.plane import (
    HALF,
    LARGEST,
    ZERO,
    Float32s,
    Int32s,
    crossing,
    distance,
    inside,
    lerp,
    on_edge,
    to_edge,
)
from vlnscope.worlds.continuous.navmesh.surface import WALL, Surface

MOST_WAITING = 48
"""Polygons that wait for a visit, at most; Detour's setting."""
MOST_TOUCHED = 64
"""Polygons that a step may touch; Detour's setting."""
NUDGE = np.float32(1e-4)
"""How far Habitat moves a point that lies on the edge of another island, in metres."""
UNSEEN = -2
"""Parent of a polygon that was touched and not entered."""
_TWO, _MARGIN = np.float32(2), np.float32(0.001)


class Walk(NamedTuple):
    """Room for a step.

    Attributes:
        touched: the polygons that were met, in that order.
        parent: per touched polygon, the number among them that it was entered from; `UNSEEN` if it was not.
        queue: numbers of those to visit.
        near: where the walk begins.
        reached: where it ends.
    """

    touched: Int32s
    parent: Int32s
    queue: Int32s
    near: Float32s
    reached: Float32s


@compiled
def steps(surface: Surface, starts: Float32s, targets: Float32s, sliding: bool) -> Float32s:
    """Return where each step ends."""
    out = starts.copy()
    walk = Walk(
        np.empty(MOST_TOUCHED, np.int32),
        np.empty(MOST_TOUCHED, np.int32),
        np.empty(MOST_TOUCHED, np.int32),
        np.empty(3, np.float32),
        np.empty(3, np.float32),
    )
    for k in range(len(starts)):
        if _step(surface, walk, starts[k], targets[k], sliding):
            out[k] = walk.reached
    return out


@inlined
def _step(surface: Surface, walk: Walk, a: Float32s, b: Float32s, sliding: bool) -> bool:
    """Step from a towards b; return whether it can be, and write where it ends to `walk.reached`."""
    near, reached = walk.near, walk.reached
    start, near[0], near[1], near[2] = project(surface, a[0], a[1], a[2])
    goal, _, _, _ = project(surface, b[0], b[1], b[2])
    if start < 0 or goal < 0 or surface.islands[start] != surface.islands[goal]:
        return False
    last = _walk(surface, walk, start, b)
    if last < 0:
        return False
    if not sliding:
        _stop_at_wall(surface, walk, last, b)
    poly = walk.touched[last]
    over, height = height_over(surface.corners, surface.counts, surface.detail, poly, reached[0], reached[2])
    if over:
        reached[1] = height
    found, _, _, _ = project(surface, reached[0], reached[1], reached[2])
    if found < 0 or surface.islands[found] != surface.islands[start]:
        _nudge(surface.centres, poly, reached)
    return True


@inlined
def _nudge(centres: Float32s, poly: int, point: Float32s) -> None:
    """Move a point a little towards the centre of its polygon."""
    x, y, z = centres[poly, 0] - point[0], centres[poly, 1] - point[1], centres[poly, 2] - point[2]
    size = np.sqrt(x * x + y * y + z * z)
    if size > ZERO:
        point[0] += NUDGE * (x / size)
        point[1] += NUDGE * (y / size)
        point[2] += NUDGE * (z / size)


@inlined
def _walk(surface: Surface, walk: Walk, start: int, target: Float32s) -> int:
    """Walk from `walk.near` on polygon `start` towards a target, within the circle over both.

    Returns the number among `walk.touched` of the polygon where the walk ends, -1 if it goes nowhere: the
    one that holds the target, or else the one with the wall that is nearest to it. Writes to `walk.reached`.
    """
    a, reached, corners = walk.near, walk.reached, surface.corners
    x, z = target[0], target[2]
    middle_x, middle_z = lerp(a[0], x, HALF), lerp(a[2], z, HALF)
    radius = distance(a[0], a[1], a[2], x, target[1], z) / _TWO + _MARGIN
    walk.touched[0], walk.parent[0], walk.queue[0] = start, -1, 0
    touched, head, tail = 1, 0, 1
    least, best = LARGEST, -1
    while head < tail:
        current = walk.queue[head]
        head += 1
        poly = walk.touched[current]
        count = surface.counts[poly]
        if inside(corners, poly, count, x, z):
            reached[0], reached[1], reached[2] = x, target[1], z
            best = current
            break
        first = count - 1
        for end in range(count):
            other = surface.neighbours[poly, first]
            if other < 0 or not surface.walkable[other]:
                far, t = to_edge(corners, poly, first, end, x, z)
                if far < least:
                    reached[0], reached[1], reached[2] = on_edge(corners, poly, first, end, t)
                    least, best = far, current
            else:
                at, touched = _touch(walk, touched, other)
                if at >= 0 and walk.parent[at] == UNSEEN and tail - head < MOST_WAITING:
                    far, _ = to_edge(corners, poly, first, end, middle_x, middle_z)
                    if far <= radius * radius:
                        walk.parent[at], walk.queue[tail] = current, at
                        tail += 1
            first = end
    return best


@inlined
def _touch(walk: Walk, touched: int, poly: int) -> tuple[int, int]:
    """Find or add a polygon; return its number, -1 if there is no more room, and how many there are now."""
    for at in range(touched):
        if walk.touched[at] == poly:
            return at, touched
    if touched == MOST_TOUCHED:
        return -1, touched
    walk.touched[touched], walk.parent[touched] = poly, UNSEEN
    return touched, touched + 1


@inlined
def _stop_at_wall(surface: Surface, walk: Walk, last: int, b: Float32s) -> None:
    """Without sliding: end where a wall of the polygons on the way crosses it; of several, nearest to b."""
    least, corners, reached = LARGEST, surface.corners, walk.reached
    way = _way(walk, last)
    for current in range(way):
        poly = walk.touched[walk.queue[current]]
        count = surface.counts[poly]
        for start in range(count):
            if surface.neighbours[poly, start] != WALL:
                continue
            end = start + 1 if start + 1 < count else 0
            crosses, s = crossing(corners, poly, start, end, walk.near[0], walk.near[2], b[0], b[2])
            if crosses:
                x, y, z = on_edge(corners, poly, start, end, s)
                far = (x - b[0]) * (x - b[0]) + (z - b[2]) * (z - b[2])
                if far < least:
                    least = far
                    reached[0], reached[1], reached[2] = x, y, z


@inlined
def _way(walk: Walk, last: int) -> int:
    """Write the numbers of the polygons from the first to the last to `walk.queue`; return how many."""
    count, current = 0, last
    while current >= 0:
        count += 1
        current = walk.parent[current]
    for k in range(count - 1, -1, -1):
        walk.queue[k] = last
        last = walk.parent[last]
    return count
