"""Free parts of walls: where furniture may be lined up along the floor, and where things may hang."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from vlnscope.worlds.houses.furnish.boxes import Box, box_of, meet
from vlnscope.worlds.houses.furnish.placements import GAP
from vlnscope.worlds.houses.furnish.placer import Filler
from vlnscope.worlds.houses.furnish.room import Wall, Zone
from vlnscope.worlds.houses.furnish.rules import is_cover

_BESIDE = 0.12  # kept free beside doors, windows and furniture by what hangs


class WallStretch(NamedTuple):
    """A part of a wall with nothing before it."""

    wall: Wall
    low: float
    high: float

    @property
    def length(self) -> float:
        """How long it is."""
        return self.high - self.low


def floor_stretches(f: Filler, group: str, depth: float, tall: float = 0.9) -> list[WallStretch]:
    """Return the free parts of the floor along all walls, longest first.

    Args:
        f: the room.
        group: whose clearances do not count.
        depth: of the floor that must be free.
        tall: up to which height it must be free.
    """
    return _gaps(f, f.blocks(group), (0.05, tall), depth + GAP, GAP)


def wall_gaps(f: Filler, low: float, high: float, depth: float = 0.3) -> list[WallStretch]:
    """Return the parts of all walls that are bare between two heights over the floor, longest first.

    Doors (and where their leaves stand open), windows, stairs and furniture before the wall end a gap.
    """
    space = f.space
    blocks = [_wider(zone.box) for zone in (*space.doors, *space.windows)]
    blocks += [_leaf_room(zone) for zone in space.doors if zone.leaf]
    blocks += [_wider(box_of(item)) for item in f.items if not is_cover(item)]
    blocks += [*space.steps, *space.roof]
    return _gaps(f, blocks, (low, high), depth, _BESIDE)


def _wider(box: Box) -> Box:
    return Box(box.x0 - _BESIDE, box.y0 - _BESIDE, box.x1 + _BESIDE, box.y1 + _BESIDE, box.z0, box.z1)


def _leaf_room(zone: Zone) -> Box:
    """Return the wall on one side of a door against which its leaf may lie."""
    box = zone.box
    if box.x1 - box.x0 > box.y1 - box.y0:
        return box._replace(x0=box.x0 - zone.leaf)
    return box._replace(y0=box.y0 - zone.leaf)


def _gaps(
    f: Filler, blocks: Iterable[Box], heights: tuple[float, float], depth: float, margin: float
) -> list[WallStretch]:
    blocks = list(blocks)
    floor = f.space.floor.elevation
    free = []
    for wall in f.space.walls:
        ends = [wall.point(wall.low, 0.01), wall.point(wall.high, depth)]
        xs, ys = sorted(p[0] for p in ends), sorted(p[1] for p in ends)
        strip = Box(xs[0], ys[0], xs[1], ys[1], floor + heights[0], floor + heights[1])
        level = wall.turns % 2 == 0
        met = [box for box in blocks if meet(strip, box)]
        at = wall.low + margin
        for low, high in sorted((box.x0, box.x1) if level else (box.y0, box.y1) for box in met):
            if low > at:
                free.append(WallStretch(wall, at, low))
            at = max(at, high)
        if wall.high - margin > at:
            free.append(WallStretch(wall, at, wall.high - margin))
    return sorted(free, key=lambda s: -s.length)
