"""Cleans up regions: drops small patches of ground, and joins small regions to their neighbours."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Ints
from vlnscope.worlds.continuous.bake.compact import OpenSpace
from vlnscope.worlds.continuous.bake.grid import Grid, Indices
from vlnscope.worlds.continuous.bake.watershed import basins

_LONGEST = 40_000


@dataclass
class _Region:
    """A region while regions are being joined.

    Attributes:
        name: its number; that of the region that it was joined to; 0 once it is dropped.
        size: places in it.
        around: regions that its outline meets, in order; 0 is a wall.
        above: regions above or below some of its places.
        folded: whether it lies above itself.
    """

    name: int
    size: int
    around: list[int]
    above: set[int] = field(default_factory=set)
    folded: bool = False


def regions_of(space: OpenSpace, grid: Grid) -> tuple[Indices, int]:
    """Return the region of each place, from 1 on (0: no ground), and the number of regions.

    Patches that are no larger with all that they are connected to than the grid's `least_region` are dropped;
    regions up to `merged_region` and those that meet no wall join their smallest neighbour, where the joined
    region is still without holes and not above itself.
    """
    region, end = basins(space)
    regions = _collect(space, region, end)
    _drop_small(regions, grid.least_region)
    _merge_small(regions, grid.merged_region)
    numbers = {name: k + 1 for k, name in enumerate(dict.fromkeys(r.name for r in regions if r.name))}
    renamed = np.array([numbers.get(r.name, 0) for r in regions], np.int32)
    return renamed[region], len(numbers)


def _collect(space: OpenSpace, region: Indices, end: int) -> list[_Region]:
    sizes, start = _first_places(space.links, region, end)
    around = np.empty(_LONGEST, np.int32)
    regions = [_Region(0, 0, [])]
    for k in range(1, end):
        met = _walk_around(space.links, region, start[k], around) if start[k] >= 0 else 0
        regions.append(_Region(k, int(sizes[k]), _without_repeats(around[:met].tolist())))
    for pair in np.unique(_stacked(space.first, region)).tolist():
        lower, upper = pair >> 32, pair & 0xFFFFFFFF
        regions[lower].above.add(upper)
        regions[upper].above.add(lower)
        regions[lower].folded |= lower == upper
    return regions


@compiled
def _stacked(first: Indices, region: Indices) -> Ints:
    """Pairs of regions that have places in the same column; the upper 32 bits are the smaller number."""
    out = np.empty(0, np.int64)
    for writing in (False, True):
        n, last = 0, 0
        for cell in range(first.size - 1):
            for k in range(first[cell], first[cell + 1]):
                for other in range(k + 1, first[cell + 1]):
                    low, high = min(region[k], region[other]), max(region[k], region[other])
                    pair = (np.int64(low) << 32) + high
                    if low and pair != last:
                        if writing:
                            out[n] = pair
                        n, last = n + 1, pair
        if not writing:
            out = np.empty(n, np.int64)
    return out


@compiled
def _first_places(links: Indices, region: Indices, end: int) -> tuple[Indices, Indices]:
    """How many places each region has, and the first of them on an outline."""
    start_place, sizes = np.full(end, -1, np.int32), np.zeros(end, np.int32)
    for k in range(region.size):
        name = region[k]
        sizes[name] += 1
        if name and start_place[name] < 0:
            for side in range(4):
                if _beyond(links, region, k, side) != name:
                    start_place[name] = k
                    break
    return sizes, start_place


@compiled
def _beyond(links: Indices, region: Indices, place: int, side: int) -> int:
    other = links[place, side]
    return int(region[other]) if other >= 0 else 0


@compiled
def _walk_around(links: Indices, region: Indices, place: int, out: Indices) -> int:
    """Walk along an outline, and write down what lies beyond whenever that changes; return how often."""
    name, side = region[place], 0
    while _beyond(links, region, place, side) == name:
        side += 1
    first_place, first_side = place, side
    out[0], n = _beyond(links, region, place, side), 1
    for _ in range(_LONGEST - 1):
        beyond = _beyond(links, region, place, side)
        if beyond != name:
            if beyond != out[n - 1]:
                out[n] = beyond
                n += 1
            side = (side + 1) & 3
        else:
            place, side = links[place, side], (side + 3) & 3
        if place == first_place and side == first_side:
            break
    return n


def _without_repeats(around: list[int]) -> list[int]:
    """Leave out what equals the entry after it; after the last one comes the first."""
    kept = [name for name, following in pairwise(around) if name != following]
    kept += around[-1:]
    while len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return kept


def _drop_small(regions: list[_Region], least: int) -> None:
    """Drop patches of connected regions with fewer than `least` places."""
    seen: set[int] = set()
    for region in regions[1:]:
        if region.size == 0 or region.name in seen:
            continue
        patch, waiting = [], [region.name]
        seen.add(region.name)
        while waiting:
            member = regions[waiting.pop()]
            patch.append(member)
            for name in member.around:
                if name and name not in seen:
                    seen.add(name)
                    waiting.append(name)
        if sum(member.size for member in patch) < least:
            for member in patch:
                member.name = member.size = 0


def _merge_small(regions: list[_Region], most: int) -> None:
    mentions: defaultdict[int, set[int]] = defaultdict(set)
    for k, region in enumerate(regions):
        for name in (*region.around, *region.above):
            mentions[name].add(k)
    members = {k: [k] for k in range(len(regions))}
    changed = True
    while changed:
        changed = False
        for region in regions[1:]:
            if region.size == 0 or region.folded or (region.size > most and 0 in region.around):
                continue
            target = _best_neighbour(regions, region)
            if target is not None:
                _join(regions, target, region, mentions, members)
                changed = True


def _best_neighbour(regions: list[_Region], region: _Region) -> _Region | None:
    """The smallest neighbour that a region can be joined to."""
    best: _Region | None = None
    for name in region.around:
        other = regions[name]
        if name == region.name or other.name == 0 or other.folded or (best and other.size >= best.size):
            continue
        if _can_join(region, other) and _can_join(other, region):
            best = other
    return best


def _can_join(one: _Region, other: _Region) -> bool:
    return one.around.count(other.name) == 1 and other.name not in one.above


def _join(
    regions: list[_Region], target: _Region, region: _Region,
    mentions: defaultdict[int, set[int]], members: dict[int, list[int]],
) -> None:  # fmt: skip
    """Let `target` take in a region: its outline replaces the stretch where the two met."""
    old, new = region.name, target.name
    here, there = target.around.index(old), region.around.index(new)
    target.around = _without_repeats(
        target.around[here + 1 :] + target.around[:here] + region.around[there + 1 :] + region.around[:there]
    )
    target.above |= region.above
    target.size += region.size
    region.size, region.around = 0, []
    for name in (*target.around, *target.above):
        mentions[name].add(new)
    for k in members.pop(old):
        regions[k].name = new
        members[new].append(k)
    for k in mentions.pop(old, set()):
        _rename(regions[k], old, new)
        mentions[new].add(k)


def _rename(region: _Region, old: int, new: int) -> None:
    if old in region.around:
        region.around = _without_repeats([new if name == old else name for name in region.around])
    if old in region.above:
        region.above = region.above - {old} | {new}
