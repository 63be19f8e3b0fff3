"""String pulling: the straight way through a corridor of polygons, with Detour's tolerances."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import inlined
from vlnscope.worlds.continuous.navmesh.corridor import MOST_POINTS, Search
from vlnscope.worlds.continuous.navmesh.nearest import on_boundary
from vlnscope.worlds.continuous.navmesh.plane import (
    ZERO,
    Float32,
    Float32s,
    distance,
    inside,
    to_segment,
    twice_area,
)
from vlnscope.worlds.continuous.navmesh.surface import Surface

_SAME = np.float32(1 / 16384) * np.float32(1 / 16384)
_TOUCHING = np.float32(0.001) * np.float32(0.001)
_APEX, _END, _FUNNEL, _PORTAL = 0, 1, 2, 4  # rows of `Search.funnel`; the last two have a right and a left
_MOVED, _WIDER, _CROSSED = 0, 1, 2


@inlined
def pull(surface: Surface, search: Search, count: int, a: Float32s, b: Float32s) -> int:
    """Write the corners of the way from a to b through `search.corridor` into `search.points`.

    Both ends are moved into the first and the last polygon first; over these they keep their heights.
    Returns the number of corners, 0 if they are too many.
    """
    corridor, points, rows = search.corridor, search.points, search.funnel
    _clamp(surface, corridor[0], a, rows, _APEX)
    _clamp(surface, corridor[count - 1], b, rows, _END)
    copy(rows, _APEX, points, 0)
    size, step, right_at, left_at = 1, 0, 0, 0
    _close(rows)
    while step < count and count > 1:
        _open(surface, search, step, count)
        if step == 0 and _touches(rows):
            step = 1
            continue
        turn = _narrow(rows, 0)
        if turn == _MOVED:
            right_at = step
        if turn == _CROSSED:
            step = left_at
        else:
            turn = _narrow(rows, 1)
            if turn == _MOVED:
                left_at = step
            elif turn == _CROSSED:
                step = right_at
        if turn == _CROSSED:
            right_at, left_at = step, step
            if not _same(points, size - 1, rows, _APEX):
                copy(rows, _APEX, points, size)
                size += 1
                if size == MOST_POINTS or step == count - 1:
                    return size if size < MOST_POINTS else 0
        step += 1
    if not _same(points, size - 1, rows, _END):
        copy(rows, _END, points, size)
        size += 1
    return size if size < MOST_POINTS else 0


@inlined
def _narrow(rows: Float32s, side: int) -> int:
    """Draw one side of the funnel in to its portal, unless the portal is wider.

    Where the sides would cross, the other side becomes the new apex.
    """
    sign = np.float32(1 - 2 * side)
    new = _PORTAL + side
    if sign * _area(rows, _FUNNEL + side, new) > ZERO:
        return _WIDER
    if _same(rows, _APEX, rows, _FUNNEL + side) or sign * _area(rows, _FUNNEL + 1 - side, new) > ZERO:
        copy(rows, new, rows, _FUNNEL + side)
        return _MOVED
    copy(rows, _FUNNEL + 1 - side, rows, _APEX)
    _close(rows)
    return _CROSSED


@inlined
def _close(rows: Float32s) -> None:
    copy(rows, _APEX, rows, _FUNNEL)
    copy(rows, _APEX, rows, _FUNNEL + 1)


@inlined
def _open(surface: Surface, search: Search, step: int, count: int) -> None:
    """Take the next portal: the edge to the next polygon, or the end of the way."""
    rows = search.funnel
    if step + 1 == count:
        copy(rows, _END, rows, _PORTAL)
        copy(rows, _END, rows, _PORTAL + 1)
        return
    poly, other = search.corridor[step], search.corridor[step + 1]
    edge = 0
    while surface.neighbours[poly, edge] != other:
        edge += 1
    end = edge + 1 if edge + 1 < surface.counts[poly] else 0
    for axis in range(3):
        rows[_PORTAL, axis] = surface.corners[poly, end, axis]
        rows[_PORTAL + 1, axis] = surface.corners[poly, edge, axis]


@inlined
def _touches(rows: Float32s) -> bool:
    """Whether the apex lies on the portal."""
    left, right = _PORTAL + 1, _PORTAL
    far, _ = to_segment(
        rows[_APEX, 0], rows[_APEX, 2], rows[left, 0], rows[left, 2], rows[right, 0], rows[right, 2]
    )
    return bool(far < _TOUCHING)


@inlined
def _clamp(surface: Surface, poly: int, point: Float32s, rows: Float32s, row: int) -> None:
    """Move a point to the boundary of a polygon that it does not lie over."""
    x, y, z, count = point[0], point[1], point[2], surface.counts[poly]
    if not inside(surface.corners, poly, count, x, z):
        x, y, z = on_boundary(surface.corners, poly, count, x, z)
    rows[row, 0], rows[row, 1], rows[row, 2] = x, y, z


@inlined
def copy(rows: Float32s, k: int, out: Float32s, j: int) -> None:
    """Copy one point into another row."""
    out[j, 0], out[j, 1], out[j, 2] = rows[k, 0], rows[k, 1], rows[k, 2]


@inlined
def _area(rows: Float32s, b: int, c: int) -> Float32:
    return twice_area(rows[_APEX, 0], rows[_APEX, 2], rows[b, 0], rows[b, 2], rows[c, 0], rows[c, 2])


@inlined
def _same(a: Float32s, k: int, b: Float32s, j: int) -> bool:
    x, y, z = b[j, 0] - a[k, 0], b[j, 1] - a[k, 1], b[j, 2] - a[k, 2]
    return bool(x * x + y * y + z * z < _SAME)


@inlined
def length(points: Float32s, count: int) -> Float32:
    """Return the length of a way, summed up from its start."""
    total = ZERO
    for k in range(1, count):
        total += distance(
            points[k - 1, 0], points[k - 1, 1], points[k - 1, 2], points[k, 0], points[k, 1], points[k, 2]
        )
    return total
