"""The heights of ground under and around one polygon, from the voxels."""

from __future__ import annotations

import math

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.grid import Indices, Shorts

UNKNOWN = 0xFFFF
"""The height of a cell where none was found."""


@compiled
def patch_box(points: Indices, polygon: Indices, size: int, width: int, depth: int) -> Indices:
    """Return the cells around a polygon, one more on every side: first x and z, number along x and z."""
    low_x, high_x, low_z, high_z = width, 0, depth, 0
    for k in range(size):
        x, z = points[polygon[k], 0], points[polygon[k], 2]
        low_x, high_x, low_z, high_z = min(low_x, x), max(high_x, x), min(low_z, z), max(high_z, z)
    low_x, low_z = max(low_x - 1, 0), max(low_z - 1, 0)
    high_x, high_z = min(high_x + 1, width), min(high_z + 1, depth)
    return np.array([low_x, low_z, high_x - low_x, high_z - low_z], np.int32)


@compiled
def fill_patch(
    first: Indices, column: Indices, floor: Shorts, links: Indices, region: Indices, width: int,
    points: Indices, polygon: Indices, size: int, owner: int, box: Indices, heights: Indices, queue: Indices,
) -> None:  # fmt: skip
    """Write the heights of the region of a polygon, and around it those that can be reached from there.

    Args:
        first: see `OpenSpace`, as for `column`, `floor`, `links`.
        column: the column of each place.
        floor: its height.
        links: its neighbours.
        region: its region.
        width: cells of the grid along x.
        points: corners of all polygons.
        polygon: the corners of this one.
        size: how many it has.
        owner: its region.
        box: its `patch_box`.
        heights: the heights, row by row; written.
        queue: room for twice as many numbers.
    """
    _clear(heights, box, UNKNOWN)
    known, end = False, 0
    for z in range(box[1], box[1] + box[3]):
        for x in range(box[0], box[0] + box[2]):
            cell = z * width + x
            for place in range(first[cell], first[cell + 1]):
                if region[place] == owner:
                    heights[(z - box[1]) * box[2] + x - box[0]] = floor[place]
                    known = True
                    if _at_border(links, region, place):
                        queue[end] = place
                        end += 1
                    break
    if not known:
        place = _near_centre(first, column, floor, links, width, points, polygon, size, box, heights, queue)
        if place < 0:
            return
        _clear(heights, box, UNKNOWN)
        heights[_spot(column[place], width, box)] = floor[place]
        queue[0], end = place, 1
    _spread(column, floor, links, width, box, heights, queue, end)


@compiled
def _at_border(links: Indices, region: Indices, place: int) -> bool:
    for side in range(4):
        other = links[place, side]
        if other >= 0 and region[other] != region[place]:
            return True
    return False


@compiled
def _clear(heights: Indices, box: Indices, value: int) -> None:
    for k in range(box[2] * box[3]):
        heights[k] = value


@compiled
def _spot(cell: int, width: int, box: Indices) -> int:
    """Where a cell lies in the patch; -1 if outside."""
    x, z = cell % width - box[0], cell // width - box[1]
    if not (0 <= x < box[2] and 0 <= z < box[3]):
        return -1
    return int(z * box[2] + x)


@compiled
def _spread(
    column: Indices, floor: Shorts, links: Indices, width: int, box: Indices, heights: Indices,
    queue: Indices, end: int,
) -> None:  # fmt: skip
    """Fill unknown heights from the places in the queue outwards."""
    k = 0
    while k < end:
        for side in range(4):
            other = links[queue[k], side]
            if other < 0:
                continue
            spot = _spot(column[other], width, box)
            if spot >= 0 and heights[spot] == UNKNOWN:
                heights[spot] = floor[other]
                queue[end] = other
                end += 1
        k += 1


@compiled
def _near_centre(
    first: Indices, column: Indices, floor: Shorts, links: Indices, width: int,
    points: Indices, polygon: Indices, size: int, box: Indices, seen: Indices, stack: Indices,
) -> int:  # fmt: skip
    """The place at the centre of a polygon that has none of its region, walked to from a corner; -1: none."""
    place = _near_corner(first, floor, width, points, polygon, size, box)
    if place < 0:
        return -1
    centre_x, centre_z = 0, 0
    for k in range(size):
        centre_x += points[polygon[k], 0]
        centre_z += points[polygon[k], 2]
    centre_x, centre_z = centre_x // size, centre_z // size
    _clear(seen, box, 0)
    stack[0], n = place, 1
    while n:
        n -= 1
        place = stack[n]
        x, z = column[place] % width, column[place] // width
        if x == centre_x and z == centre_z:
            break
        along_x, along_z = 2 if centre_x > x else 0, 1 if centre_z > z else 3
        straight = along_z if x == centre_x else along_x
        for k in range(4):
            side = (
                3 if k == straight else straight if k == 3 else k
            )  # the straight way comes last: first taken
            other = links[place, side]
            spot = _spot(column[other], width, box) if other >= 0 else -1
            if spot >= 0 and seen[spot] == 0:
                seen[spot] = 1
                stack[n] = other
                n += 1
    return int(place)


@compiled
def _near_corner(
    first: Indices, floor: Shorts, width: int, points: Indices, polygon: Indices, size: int, box: Indices
) -> int:
    """The place nearest in height to a corner of the polygon, in its cell or one around it."""
    steps = np.array([(0, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)])
    best, least = -1, 0xFFFF
    for k in range(size):
        corner = points[polygon[k]]
        for step in steps:
            x, z = corner[0] + step[0], corner[2] + step[1]
            if not (box[0] <= x < box[0] + box[2] and box[1] <= z < box[1] + box[3]):
                continue
            for place in range(first[z * width + x], first[z * width + x + 1]):
                if abs(corner[1] - floor[place]) < least:
                    best, least = place, abs(corner[1] - floor[place])
            if least == 0:
                return best
    return best


@compiled
def height_at(
    heights: Indices, box: Indices, x: np.float32, y: np.float32, z: np.float32,
    per_cell: np.float32, level: np.float32, reach: int,
) -> int:  # fmt: skip
    """Return the height of a patch at a point; where it is unknown, the nearest in height around.

    The rings of cells around are searched outwards, up to `reach`, until one has a height.
    """
    slack = np.float32(0.01)
    column = min(max(math.floor(x * per_cell + slack) - box[0], 0), box[2] - 1)
    row = min(max(math.floor(z * per_cell + slack) - box[1], 0), box[3] - 1)
    height = heights[row * box[2] + column]
    for ring in range(1, reach + 1):
        if height != UNKNOWN:
            break
        least = np.float32(np.inf)
        step_x, step_z = 0, 1
        i, j = ring, 1 - ring
        for _ in range(8 * ring):
            if 0 <= column + i < box[2] and 0 <= row + j < box[3]:
                here = heights[(row + j) * box[2] + column + i]
                away = abs(np.float32(here) * level - y)
                if here != UNKNOWN and away < least:
                    height, least = here, away
            if (i == ring and j == ring) or (i == -ring and j == ring) or (i == -ring and j == -ring):
                step_x, step_z = -step_z, step_x
            i += step_x
            j += step_z
    return int(height)
