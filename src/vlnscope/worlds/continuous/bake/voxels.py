"""Turns triangles into spans: the stretches of each column of voxels that are solid.

Every triangle is cut along the lines of the grid, row by row and column by column. The heights of each piece
give a span, and spans of a column that overlap or touch become one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.bake.grid import (
    MOST_LEVELS,
    WALKABLE,
    ZERO,
    Bytes,
    Grid,
    Indices,
    Shorts,
    Singles,
    int64,
)

MOST_SPANS = 1 << 26
"""Spans that are kept at most, lest memory run out."""
_ROOM = 12
_ALONG_Z = int64(2)
_LOW, _HIGH, _AREA, _NEXT = 0, 1, 2, 3
_NEAR = np.float32(1e-3)


class Solid(NamedTuple):
    """The solid spans of all columns, column by column (x first, then z), from the lowest up.

    Attributes:
        first: number of the first span of each column; one entry more at the end.
        low: the lowest voxel of each span.
        high: the voxel above the highest, where feet would stand.
        area: `WALKABLE` where its top is ground, else 0.
    """

    first: Indices
    low: Shorts
    high: Shorts
    area: Bytes


def rasterise(vertices: Singles, faces: Indices, grid: Grid, slope: float) -> Solid:
    """Return the spans that triangles fill; tops of triangles up to `slope` degrees steep are ground.

    Triangles without area are left out.

    Raises:
        InputError: there are so many spans that memory would run out.
    """
    faces, steepness = _with_area(vertices, faces)
    flat = np.float32(math.cos(np.float32(slope) / np.float32(180.0) * np.float32(math.pi)))
    area = np.where(steepness > flat, WALKABLE, 0).astype(np.uint8)
    done, first, low, high, areas = _fill(
        vertices, faces, area, grid.low, grid.high, grid.cell, grid.level, grid.width, grid.depth, grid.climb
    )
    if not done:
        raise InputError(
            f"the mesh fills more than {MOST_SPANS} spans of voxels",
            expected="fewer",
            fix="take a larger cell_size, or bake a part of the mesh",
        )
    return Solid(first, low, high, areas)


def _with_area(vertices: Singles, faces: Indices) -> tuple[Indices, Singles]:
    """Triangles that have an area, and the upward part of their normals."""
    corner = vertices[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    squares = normal * normal
    length = np.sqrt((squares[:, 0] + squares[:, 1]) + squares[:, 2])
    kept = length > 0
    scale = np.float32(1.0) / length[kept]
    return np.ascontiguousarray(faces[kept]), normal[kept, 1] * scale


@compiled
def _fill(
    vertices: Singles, faces: Indices, area: Bytes, low: Singles, high: Singles,
    cell: np.float32, level: np.float32, width: int, depth: int, climb: int,
) -> tuple[bool, Indices, Shorts, Shorts, Bytes]:  # fmt: skip
    """Rasterise into linked lists, one per column, and return them in order."""
    per_cell, per_level = np.float32(1.0) / cell, np.float32(1.0) / level
    head = np.full(width * depth, -1, np.int32)
    pool = np.empty((width * depth + 4 * width, 4), np.int32)
    state = np.array([0, -1, 0])  # spans taken from the pool, the first that was given back, spans in use
    rest, row, more, piece, spare = (
        np.empty((_ROOM, 3), np.float32), np.empty((_ROOM, 3), np.float32), np.empty((_ROOM, 3), np.float32),
        np.empty((_ROOM, 3), np.float32), np.empty((_ROOM, 3), np.float32),
    )  # fmt: skip
    for t in range(faces.shape[0]):
        count = ZERO + 3
        for k in range(3):
            for c in range(3):
                rest[k, c] = vertices[faces[t, k], c]
        first_row, last_row = _cells(rest, count, _ALONG_Z, low[2], per_cell, depth)
        for z in range(first_row, last_row + 1):
            line = low[2] + np.float32(z) * cell + cell
            in_row, count = _cut(rest, count, _ALONG_Z, line, row, more)
            rest, more = more, rest
            if in_row < 3:
                continue
            if state[0] + width > pool.shape[0]:
                if pool.shape[0] >= MOST_SPANS:
                    return False, head, head.astype(np.int16), head.astype(np.int16), head.astype(np.uint8)
                pool = _doubled(pool)
            base = z * width
            first_x, last_x = _cells(row, in_row, ZERO, low[0], per_cell, width)
            bottom, top, even = _even_levels(row, in_row, low[1], high[1], per_level)
            for x in range(first_x, last_x + 1):
                if even and first_x < x < last_x - 1:
                    continue
                line = low[0] + np.float32(x) * cell + cell
                in_cell, in_row = _cut(row, in_row, ZERO, line, piece, spare)
                row, spare = spare, row
                if even and first_x < x < last_x:
                    _add_run(
                        head, base + first_x + 1, base + last_x, bottom, top, area[t], climb, pool, state
                    )
                    continue
                if in_cell < 3:
                    continue
                bottom, top, inside = _levels(piece, in_cell, low[1], high[1], per_level)
                if inside:
                    _add(head, base + x, bottom, top, area[t], climb, pool, state)
    first, lows, highs, areas = _in_order(head, pool, state[2])
    return True, first, lows, highs, areas


@compiled
def _cells(
    points: Singles, count: int, axis: int, start: np.float32, per_cell: np.float32, size: int
) -> tuple[int, int]:
    """The first and the last cell along an axis that a polygon reaches."""
    least = most = points[0, axis]
    for k in range(1, count):
        least, most = min(least, points[k, axis]), max(most, points[k, axis])
    return (
        max(0, min(size - 1, int((least - start) * per_cell))),
        max(0, min(size - 1, int((most - start) * per_cell))),
    )


@compiled
def _cut(
    points: Singles, count: int, axis: int, line: np.float32, below: Singles, above: Singles
) -> tuple[int, int]:
    """Cut a convex polygon along a line of the grid; corners on the line belong to both parts."""
    n_below = n_above = 0
    previous = count - 1
    behind = line - points[previous, axis]
    for k in range(count):
        ahead = line - points[k, axis]
        if (behind >= 0) != (ahead >= 0):
            share = behind / (behind - ahead)
            for c in range(3):
                crossing = points[previous, c] + (points[k, c] - points[previous, c]) * share
                below[n_below, c] = crossing
                above[n_above, c] = crossing
            n_below += 1
            n_above += 1
            here_below, here_above = ahead > 0, ahead < 0
        else:
            here_below, here_above = ahead >= 0, ahead <= 0
        if here_below:
            below[n_below, 0], below[n_below, 1], below[n_below, 2] = points[k, 0], points[k, 1], points[k, 2]
            n_below += 1
        if here_above:
            above[n_above, 0], above[n_above, 1], above[n_above, 2] = points[k, 0], points[k, 1], points[k, 2]
            n_above += 1
        previous, behind = k, ahead
    return n_below, n_above


@compiled
def _levels(
    points: Singles, count: int, floor: np.float32, ceiling: np.float32, per_level: np.float32
) -> tuple[int, int, bool]:
    """The voxels that a polygon reaches, from and to, and whether it lies in the box at all."""
    least = most = points[0, 1]
    for k in range(1, count):
        least, most = min(least, points[k, 1]), max(most, points[k, 1])
    least, most = least - floor, most - floor
    height = ceiling - floor
    if most < 0 or least > height:
        return 0, 0, False
    least, most = max(least, np.float32(0.0)), min(most, height)
    bottom = min(math.floor(least * per_level), MOST_LEVELS)
    top = min(max(math.ceil(most * per_level), bottom + 1), MOST_LEVELS)
    return bottom, top, True


@compiled
def _even_levels(
    points: Singles, count: int, floor: np.float32, ceiling: np.float32, per_level: np.float32
) -> tuple[int, int, bool]:
    """The voxels of a polygon, and whether every piece of it has the same ones for certain."""
    bottom, top, inside = _levels(points, count, floor, ceiling, per_level)
    if not inside or top > bottom + 1:
        return bottom, top, False
    flat = True
    for k in range(count):
        flat = flat and points[k, 1] == points[0, 1]
    if flat:
        return bottom, top, True
    for k in range(count):
        height = (points[k, 1] - floor) * per_level
        if height - np.float32(bottom) < _NEAR or np.float32(top) - height < _NEAR:
            return bottom, top, False
    return bottom, top, True


@compiled
def _add_run(
    head: Indices,
    start: int,
    end: int,
    low: int,
    high: int,
    area: int,
    climb: int,
    pool: Indices,
    state: Indices,
) -> None:
    """Add the same span to many columns next to each other."""
    for cell in range(start, end):
        here = head[cell]
        if here >= 0:
            _add(head, cell, low, high, area, climb, pool, state)
            continue
        new = state[0]
        state[0] += 1
        state[2] += 1
        pool[new, _LOW], pool[new, _HIGH], pool[new, _AREA], pool[new, _NEXT] = low, high, area, -1
        head[cell] = new


@compiled
def _add(
    head: Indices, cell: int, low: int, high: int, area: int, climb: int, pool: Indices, state: Indices
) -> None:
    """Add a span to a column, joined with those that it meets.

    What is ground stays ground under a top that is at most `climb` higher.
    """
    before, here = -1, head[cell]
    while here >= 0 and pool[here, _LOW] <= high:
        after = pool[here, _NEXT]
        if pool[here, _HIGH] < low:
            before = here
        else:
            low, high = min(low, pool[here, _LOW]), max(high, pool[here, _HIGH])
            if high - pool[here, _HIGH] <= climb:
                area = max(area, pool[here, _AREA])
            if before < 0:
                head[cell] = after
            else:
                pool[before, _NEXT] = after
            pool[here, _NEXT] = state[1]
            state[1] = here
            state[2] -= 1
        here = after
    state[2] += 1
    new = state[1]
    if new >= 0:
        state[1] = pool[new, _NEXT]
    else:
        new = state[0]
        state[0] += 1
    pool[new, _LOW], pool[new, _HIGH], pool[new, _AREA] = low, high, area
    if before < 0:
        pool[new, _NEXT] = head[cell]
        head[cell] = new
    else:
        pool[new, _NEXT] = pool[before, _NEXT]
        pool[before, _NEXT] = new


@compiled
def _doubled(pool: Indices) -> Indices:
    larger = np.empty((pool.shape[0] * 2, pool.shape[1]), np.int32)
    for k in range(pool.shape[0]):
        for c in range(pool.shape[1]):
            larger[k, c] = pool[k, c]
    return larger


@compiled
def _in_order(head: Indices, pool: Indices, count: int) -> tuple[Indices, Shorts, Shorts, Bytes]:
    first = np.empty(head.size + 1, np.int32)
    low, high, area = np.empty(count, np.int16), np.empty(count, np.int16), np.empty(count, np.uint8)
    k = 0
    for cell in range(head.size):
        first[cell] = k
        here = head[cell]
        while here >= 0:
            low[k], high[k], area[k] = pool[here, _LOW], pool[here, _HIGH], pool[here, _AREA]
            k += 1
            here = pool[here, _NEXT]
    first[head.size] = k
    return first, low, high, area
