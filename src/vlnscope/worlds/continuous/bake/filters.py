"""Decides which tops of spans can be stood on: low obstacles, rims of ledges, and ground without headroom."""

from __future__ import annotations

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.grid import Bytes, Grid, Indices, Shorts
from vlnscope.worlds.continuous.bake.voxels import Solid
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings

OPEN_SKY = 0xFFFF
"""The height of the ceiling where there is none."""


def filter_ground(solid: Solid, grid: Grid, settings: NavMeshSettings) -> None:
    """Change in place which spans are ground, by the filters that are switched on.

    - Low-hanging obstacles: what is at most one step higher than the ground below it in its column is ground.
    - Ledges: ground from which a neighbouring column drops by more than a step, or whose neighbours differ by
      more than a step among themselves, is none.
    - Low ceilings: ground with too little headroom is none.
    """
    _filter(
        solid.first, solid.low, solid.high, solid.area, grid.width, grid.depth, grid.headroom, grid.climb,
        settings.filter_low_hanging_obstacles, settings.filter_ledge_spans,
        settings.filter_walkable_low_height_spans,
    )  # fmt: skip


@compiled
def _filter(
    first: Indices, low: Shorts, high: Shorts, area: Bytes, width: int, depth: int, headroom: int, climb: int,
    obstacles: bool, ledges: bool, ceilings: bool,
) -> None:  # fmt: skip
    for cell in range(width * depth):
        start, end = first[cell], first[cell + 1]
        if obstacles:
            _step_on_obstacles(start, end, high, area, climb)
        if ceilings:
            for k in range(start, end):
                if _ceiling(low, k, end) - high[k] <= headroom:
                    area[k] = 0
    if ledges:
        _drop_ledges(first, low, high, area, width, depth, headroom, climb)


@compiled
def _drop_ledges(
    first: Indices, low: Shorts, high: Shorts, area: Bytes, width: int, depth: int, headroom: int, climb: int
) -> None:
    for z in range(depth):
        for x in range(width):
            cell = z * width + x
            start, end = first[cell], first[cell + 1]
            if not (0 < x < width - 1 and 0 < z < depth - 1):
                area[start:end] = 0
                continue
            if end == start + 1:  # level ground under the sky is the most common case by far
                level = True
                for there in (cell - 1, cell + width, cell + 1, cell - width):
                    level &= first[there + 1] == first[there] + 1 and high[first[there]] == high[start]
                if level:
                    continue
            for k in range(start, end):
                if area[k] and _is_ledge(first, low, high, width, cell, k, headroom, climb):
                    area[k] = 0


@compiled
def _ceiling(low: Shorts, span: int, end: int) -> int:
    """Where the next span of the column begins."""
    return int(low[span + 1]) if span + 1 < end else OPEN_SKY


@compiled
def _step_on_obstacles(start: int, end: int, high: Shorts, area: Bytes, climb: int) -> None:
    was_ground = False
    for k in range(start, end):
        is_ground = area[k] != 0
        if not is_ground and was_ground and high[k] - high[k - 1] <= climb:
            area[k] = area[k - 1]
        was_ground = is_ground


@compiled
def _is_ledge(
    first: Indices, low: Shorts, high: Shorts, width: int, cell: int, span: int, headroom: int, climb: int
) -> bool:
    foot = int(high[span])
    top = _ceiling(low, span, first[cell + 1])
    least = most = foot
    for there in (cell - 1, cell + width, cell + 1, cell - width):
        start, end = first[there], first[there + 1]
        for k in range(start - 1, end):  # first the gap below the lowest span, which is a drop
            floor = int(high[k]) if k >= start else -climb
            if min(top, _ceiling(low, k, end)) - max(foot, floor) <= headroom:
                continue
            if floor - foot < -climb:
                return True
            if floor - foot <= climb:
                least, most = min(least, floor), max(most, floor)
    return most - least > climb
