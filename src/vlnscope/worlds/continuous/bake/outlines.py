"""Traces the outlines of regions along voxels, and simplifies them to polygons.

Points of an outline are rows x, height, z, mark. The mark tells what lies beyond an edge (see `BEYOND` and
`RIM`): of raw outlines the edge that ends there, of simplified ones the edge that starts there.
"""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.compact import OpenSpace
from vlnscope.worlds.continuous.bake.grid import ZERO, Bytes, Grid, Indices, Shorts

BEYOND = 0xFFFF
"""Bits of a mark: the region beyond the edge, 0 for none."""
RIM = 0x20000
"""Bit of a mark: beyond the edge is ground that is too near to a wall."""
_LONGEST = 40_000


def outlines(space: OpenSpace, region: Indices, grid: Grid, error: float) -> tuple[list[Indices], Indices]:
    """Return the simplified outlines of all regions, holes included, and the region of each.

    Outlines run with their region to the right, so those of holes run the other way round. Corners between
    regions are kept; along walls, edges leave the voxels by at most `error` cells and are at most
    `grid.edge` long.
    """
    ends, owner, points = _trace(
        space.links, space.column, space.floor, space.area, region, grid.width, np.float32(error), grid.edge
    )
    return np.split(points, ends[:-1]) if len(ends) else [], owner


@compiled
def _trace(
    links: Indices, column: Indices, floor: Shorts, area: Bytes, region: Indices, width: int,
    error: np.float32, longest: int,
) -> tuple[Indices, Indices, Indices]:  # fmt: skip
    sides = _outer_sides(links, region)
    raw, simple = np.empty((_LONGEST, 4), np.int32), np.empty((_LONGEST, 4), np.int32)
    outlined = 0
    for k in range(sides.size):
        outlined += sides[k] != 0
    ends, owner = np.empty(outlined, np.int32), np.empty(outlined, np.int32)
    points = np.empty((4 * outlined, 4), np.int32)  # a place has four corners at most
    n = size = 0
    for place in range(region.size):
        if sides[place] == 0:
            continue
        if sides[place] == 15:
            sides[place] = 0
            continue
        count = _walk(links, column, floor, area, region, sides, width, place, raw)
        count = _simplify(raw[:count], simple, error, longest)
        if count < 3:
            continue
        for k in range(count):
            _copy(simple, k, points, size + k)
        size += count
        ends[n], owner[n] = size, region[place]
        n += 1
    return ends[:n], owner[:n], points[:size]


@compiled
def _outer_sides(links: Indices, region: Indices) -> Bytes:
    """The sides of each place that lie on an outline, as bits."""
    sides = np.zeros(region.size, np.uint8)
    for k in range(region.size):
        if region[k]:
            for side in range(4):
                other = links[k, side]
                if other < 0 or region[other] != region[k]:
                    sides[k] |= 1 << side
    return sides


@compiled
def _walk(
    links: Indices, column: Indices, floor: Shorts, area: Bytes, region: Indices, sides: Bytes,
    width: int, place: int, raw: Indices,
) -> int:  # fmt: skip
    """Walk once around an outline, and take its sides off the list."""
    side = 0
    while not sides[place] >> side & 1:
        side += 1
    first_place, first_side = place, side
    count = 0
    for _ in range(_LONGEST - 1):
        if sides[place] >> side & 1:
            sides[place] &= ~(1 << side)
            other = links[place, side]
            mark = 0
            if other >= 0:
                mark = region[other] | (RIM if area[other] != area[place] else 0)
            raw[count, 0] = column[place] % width + (side == 1 or side == 2)
            raw[count, 1] = _corner_height(links, floor, place, side)
            raw[count, 2] = column[place] // width + (side == 0 or side == 1)
            raw[count, 3] = mark
            count += 1
            side = (side + 1) & 3
        else:
            place, side = links[place, side], (side + 3) & 3
        if place == first_place and side == first_side:
            break
    return count


@compiled
def _corner_height(links: Indices, floor: Shorts, place: int, side: int) -> int:
    """The highest floor of the four places around the corner at the end of a side."""
    following = (side + 1) & 3
    height = floor[place]
    for one, two in ((side, following), (following, side)):
        other = links[place, one]
        if other >= 0:
            height = max(height, floor[other])
            corner = links[other, two]
            if corner >= 0:
                height = max(height, floor[corner])
    return int(height)


@compiled
def _simplify(raw: Indices, out: Indices, error: np.float32, longest: int) -> int:
    """Choose the points of a simplified outline, and mark what lies beyond the edge that starts there.

    Until the last step, the fourth column of `out` holds the number of the raw point.
    """
    count = _fixed_points(raw, out)
    k = 0
    while k < count:
        farthest = _farthest(raw, out[k], out[(k + 1) % count], error)
        if farthest < 0:
            k += 1
        else:
            count = _insert(raw, out, count, k + 1, farthest)
    k = 0
    while k < count and longest > 0:
        middle = _middle(raw, out[k], out[(k + 1) % count], longest)
        if middle < 0:
            k += 1
        else:
            count = _insert(raw, out, count, k + 1, middle)
    for k in range(count):
        out[k, 3] = raw[(out[k, 3] + 1) % raw.shape[0], 3]
    return _without_stops(out, count)


@compiled
def _copy(source: Indices, here: int, target: Indices, there: int) -> None:
    for c in range(4):
        target[there, c] = source[here, c]


@compiled
def _insert(raw: Indices, out: Indices, count: int, at: int, number: int) -> int:
    for k in range(count, at, -1):
        _copy(out, k - 1, out, k)
    _copy(raw, number, out, at)
    out[at, 3] = number
    return count + 1


@compiled
def _fixed_points(raw: Indices, out: Indices) -> int:
    """Where what lies beyond changes; if it never does, the points farthest to the left and to the right."""
    count = ZERO
    alone = True
    for k in range(raw.shape[0]):
        alone = alone and raw[k, 3] & BEYOND == 0
    if not alone:
        for k in range(raw.shape[0]):
            if raw[k, 3] != raw[(k + 1) % raw.shape[0], 3]:
                count = _insert(raw, out, count, count, k)
    if count:
        return count
    left = right = ZERO
    for k in range(1, raw.shape[0]):
        if _before(raw[k], raw[left]):
            left = k
        if _before(raw[right], raw[k]):
            right = k
    count = _insert(raw, out, count, count, left)
    return _insert(raw, out, count, count, right)


@compiled
def _before(one: Indices, other: Indices) -> bool:
    """Whether a point comes first by x, then z: both regions that share an edge look at it in this order."""
    return bool(one[0] < other[0] or (one[0] == other[0] and one[2] < other[2]))


@compiled
def _farthest(raw: Indices, start: Indices, end: Indices, error: np.float32) -> int:
    """The raw point between two points along a wall that strays most; -1 if none strays too far."""
    size = raw.shape[0]
    if _before(start, end):
        step, k, last = 1, (start[3] + 1) % size, end[3]
    else:
        start, end = end, start
        step, k, last = size - 1, (start[3] + size - 1) % size, end[3]
    if raw[k, 3] & BEYOND and not raw[k, 3] & RIM:
        return -1
    most, found = np.float32(0.0), -1
    while k != last:
        away = _distance(raw[k], start, end)
        if away > most:
            most, found = away, k
        k = (k + step) % size
    return found if most > error * error else -1


@compiled
def _distance(point: Indices, start: Indices, end: Indices) -> np.float32:
    """The squared distance of a point from a segment."""
    along_x, along_z = np.float32(end[0] - start[0]), np.float32(end[2] - start[2])
    x, z = np.float32(point[0] - start[0]), np.float32(point[2] - start[2])
    length, share = along_x * along_x + along_z * along_z, along_x * x + along_z * z
    if length > 0:
        share /= length
    share = min(max(share, np.float32(0.0)), np.float32(1.0))
    x = np.float32(start[0]) + share * along_x - np.float32(point[0])
    z = np.float32(start[2]) + share * along_z - np.float32(point[2])
    return x * x + z * z


@compiled
def _middle(raw: Indices, start: Indices, end: Indices, longest: int) -> int:
    """The raw point half-way between two points along a wall that are too far apart; else -1."""
    size = raw.shape[0]
    dx, dz = end[0] - start[0], end[2] - start[2]
    between = (end[3] - start[3]) % size
    if raw[(start[3] + 1) % size, 3] & BEYOND or dx * dx + dz * dz <= longest * longest or between <= 1:
        return -1
    half = between // 2 if _before(start, end) else (between + 1) // 2
    return int((start[3] + half) % size)


@compiled
def _without_stops(out: Indices, count: int) -> int:
    """Leave out points that equal the next one seen from above: they would confuse the triangulation."""
    k = 0
    while k < count:
        following = (k + 1) % count
        if out[k, 0] == out[following, 0] and out[k, 2] == out[following, 2]:
            count -= 1
            for i in range(k, count):
                _copy(out, i + 1, out, i)
        k += 1
    return count
