"""The open space above ground: where agents can stand, and which neighbouring places they can step to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.filters import OPEN_SKY
from vlnscope.worlds.continuous.bake.grid import Bytes, Grid, Indices, Shorts
from vlnscope.worlds.continuous.bake.voxels import Solid

_FAR = 0xFFFF


class OpenSpace(NamedTuple):
    """Places on ground, column by column as in `Solid`, from the lowest up.

    The four sides are numbered -x, +z, +x, -z.

    Attributes:
        first: number of the first place of each column; one entry more at the end.
        column: the column of each place.
        floor: the voxel above the ground.
        links: the neighbouring place on each of the four sides, -1 where there is none.
        area: 0 where walls are too near, else `WALKABLE`.
    """

    first: Indices
    column: Indices
    floor: Shorts
    links: Indices
    area: Bytes


def open_space(solid: Solid, grid: Grid) -> OpenSpace:
    """Return the places on ground, linked where an agent can step from one to the next.

    Neighbours are linked if they differ by at most a step and share enough headroom. Places nearer to a wall
    or a ledge than the agent's radius lose their area.
    """
    first, column, floor, room = _places(solid.first, solid.low, solid.high, solid.area)
    links = _link(first, floor, room, grid.width, grid.depth, grid.headroom, grid.climb)
    area = np.ones(len(floor), np.uint8)
    distances = rim_distances(links, area)
    return OpenSpace(first, column, floor, links, (distances >= 2 * grid.radius).view(np.uint8))


@compiled
def _places(
    first: Indices, low: Shorts, high: Shorts, area: Bytes
) -> tuple[Indices, Indices, Shorts, Indices]:
    count = 0
    for k in range(area.size):
        count += area[k] != 0
    start = np.empty(first.size, np.int32)
    column, floor, room = np.empty(count, np.int32), np.empty(count, np.int16), np.empty(count, np.int32)
    n = 0
    for cell in range(first.size - 1):
        start[cell] = n
        end = first[cell + 1]
        for k in range(first[cell], end):
            if area[k] != 0:
                top = int(low[k + 1]) if k + 1 < end else OPEN_SKY
                column[n], floor[n], room[n] = cell, high[k], min(top - int(high[k]), 255)
                n += 1
    start[first.size - 1] = n
    return start, column, floor, room


@compiled
def _link(
    first: Indices, floor: Shorts, room: Indices, width: int, depth: int, headroom: int, climb: int
) -> Indices:
    links = np.full((floor.size, 4), -1, np.int32)
    for z in range(depth):
        for x in range(width):
            cell = z * width + x
            for side in range(4):
                there_x, there_z = x + (side == 2) - (side == 0), z + (side == 1) - (side == 3)
                if 0 <= there_x < width and 0 <= there_z < depth:
                    there = there_z * width + there_x
                    for k in range(first[cell], first[cell + 1]):
                        for other in range(first[there], first[there + 1]):
                            top = min(floor[k] + room[k], floor[other] + room[other])
                            bottom = max(floor[k], floor[other])
                            if abs(floor[k] - floor[other]) <= climb and top - bottom >= headroom:
                                links[k, side] = other
                                break
    return links


@compiled
def rim_distances(links: Indices, area: Bytes) -> Indices:
    """Return how far each place is from the rim of its area: 2 for a step to a side, 3 for a diagonal one.

    The rim are places that lack one of their four neighbours in the same area.
    """
    distance = np.empty(area.size, np.int32)
    for k in range(area.size):
        inside = True
        for side in range(4):
            other = links[k, side]
            inside = inside and other >= 0 and area[other] == area[k]
        distance[k] = _FAR if inside else 0
    for k in range(area.size):
        for side in range(3, -1, -3):  # from -z and -x, which come before in the order of columns
            _relax(links, distance, k, side, (side + 3) & 3)
    for k in range(area.size - 1, -1, -1):
        for side in range(1, 3):
            _relax(links, distance, k, side, (side + 3) & 3)
    return distance


@compiled
def _relax(links: Indices, distance: Indices, place: int, side: int, turn: int) -> None:
    """Take over the distance from a neighbour, and from the one that a turn from there leads to."""
    beside = links[place, side]
    if beside < 0:
        return
    least = min(distance[place], distance[beside] + 2)
    corner = links[beside, turn]
    if corner >= 0:
        least = min(least, distance[corner] + 3)
    distance[place] = least
