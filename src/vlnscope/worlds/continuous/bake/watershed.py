"""Divides ground into regions: basins that grow from the places farthest from walls until they meet.

The water level sinks from the greatest distance to 0 in steps of two. At every level the regions found so far
grow into what has surfaced, a few places far; what they do not reach founds new regions.
"""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.compact import OpenSpace, rim_distances
from vlnscope.worlds.continuous.bake.grid import Bytes, Indices

_REACH = 8
_BATCH = 8
_FAR = 0xFFFF


def basins(space: OpenSpace) -> tuple[Indices, int]:
    """Return the region of each place, from 1 on (0: no ground), and the number after the last region."""
    distances = rim_distances(space.links, space.area)
    deepest = int(distances.max(initial=0))
    return _flood(space.links, space.area, _smoothed(space.links, distances), deepest)


@compiled
def _smoothed(links: Indices, distance: Indices) -> Indices:
    """Average distances over the nine places around each; those at the rim stay as they are."""
    out = np.empty_like(distance)
    for k in range(distance.size):
        here = distance[k]
        if here <= 2:
            out[k] = here
            continue
        total = here
        for side in range(4):
            beside = links[k, side]
            if beside < 0:
                total += 2 * here
                continue
            corner = links[beside, (side + 1) & 3]
            total += distance[beside] + (distance[corner] if corner >= 0 else here)
        out[k] = (total + 5) // 9
    return out


def _flood(links: Indices, area: Bytes, distance: Indices, deepest: int) -> tuple[Indices, int]:
    region, steps = np.zeros(area.size, np.int32), np.zeros(area.size, np.int32)
    work = np.empty(area.size + 1, np.int32)
    levels = ((deepest + 1) & ~1) // 2
    if not levels:  # all ground lies at its rim
        return region, 1
    surfaced, start = _by_level(area, distance, levels)
    waiting = np.empty(0, np.int32)
    count = 1
    for level in range(levels - 1, -1, -1):
        waiting = np.concatenate((surfaced[start[level] : start[level + 1]], waiting))
        if (levels - 1 - level) % _BATCH == 0:
            waiting.sort()
        waiting = _grow(links, area, region, steps, waiting, _REACH if level else area.size)
        count = _found(links, area, distance, region, steps, waiting, 2 * level, count, work)
        waiting = waiting[region[waiting] == 0]
    _grow(links, area, region, steps, waiting, area.size)
    return region, count


@compiled
def _by_level(area: Bytes, distance: Indices, levels: int) -> tuple[Indices, Indices]:
    """Places by level, and where each level starts; those above the highest level belong to it."""
    start = np.zeros(levels + 1, np.int32)
    for k in range(area.size):
        if area[k]:
            start[min(distance[k] >> 1, levels - 1) + 1] += 1
    for level in range(levels):
        start[level + 1] += start[level]
    end = start.copy()
    out = np.empty(start[levels], np.int32)
    for k in range(area.size):
        if area[k]:
            level = min(distance[k] >> 1, levels - 1)
            out[end[level]] = k
            end[level] += 1
    return out, start


@compiled
def _grow(
    links: Indices, area: Bytes, region: Indices, steps: Indices, places: Indices, rounds: int
) -> Indices:
    """Let regions grow into `places`, all at once in each round; return the places that are left."""
    left = places.copy()
    claimed = np.empty((left.size, 3), np.int32)
    count = places.size
    for _ in range(rounds):
        n = kept = 0
        for i in range(count):
            k = left[i]
            if region[k]:
                continue
            nearest, owner = _FAR, 0
            for side in range(4):
                other = links[k, side]
                if other >= 0 and area[other] == area[k] and region[other] > 0 and steps[other] + 2 < nearest:
                    nearest, owner = steps[other] + 2, region[other]
            if owner:
                claimed[n, 0], claimed[n, 1], claimed[n, 2] = k, owner, nearest
                n += 1
            else:
                left[kept] = k
                kept += 1
        for i in range(n):
            region[claimed[i, 0]] = claimed[i, 1]
            steps[claimed[i, 0]] = claimed[i, 2]
        count = kept
        if n == 0:
            break
    return left[:count]


@compiled
def _found(
    links: Indices, area: Bytes, distance: Indices, region: Indices, steps: Indices, places: Indices,
    level: int, name: int, work: Indices,
) -> int:  # fmt: skip
    """Found regions at places that have none; return the number of the next region."""
    for k in places:
        if region[k] == 0 and _claim(links, area, distance, region, steps, k, max(level - 2, 0), name, work):
            name += 1
    return name


@compiled
def _claim(
    links: Indices, area: Bytes, distance: Indices, region: Indices, steps: Indices,
    seed: np.int32, level: int, name: int, work: Indices,
) -> bool:  # fmt: skip
    """Claim all connected ground above the water that touches no other region."""
    work[0] = seed
    region[seed], steps[seed] = name, 0
    size, members = 1, 0
    while size:
        size -= 1
        k = work[size]
        if _touches_other(links, area, region, k, name):
            region[k] = 0
            continue
        members += 1
        for side in range(4):
            other = links[k, side]
            if other >= 0 and area[other] == area[k] and distance[other] >= level and region[other] == 0:
                region[other], steps[other] = name, 0
                work[size] = other
                size += 1
    return members > 0


@compiled
def _touches_other(links: Indices, area: Bytes, region: Indices, place: int, name: int) -> bool:
    """Whether one of the eight places around belongs to another region."""
    for side in range(4):
        beside = links[place, side]
        if beside < 0 or area[beside] != area[place]:
            continue
        if region[beside] != 0 and region[beside] != name:
            return True
        corner = links[beside, (side + 1) & 3]
        if corner >= 0 and area[corner] == area[place] and region[corner] != 0 and region[corner] != name:
            return True
    return False
