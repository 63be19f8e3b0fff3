"""Things in a row, as someone sees them who walks straight on, and corridors with doors on either side.

Corridors are straight hallways, walked along from the last viewpoint with most doors ahead, and from others
from which a high number means a door that it does not mean from the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.landmark_paths import centre_of
from vlnscope.language.geometry import passing
from vlnscope.types import Point
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, Room

AHEAD, BEHIND = 0.6, 1.5
"""What is abreast of the start, less than so many metres ahead or behind, may or may not be counted."""
DOOR_BEHIND = 0.8
"""The same for doors, which are not so long as other things may be: the whole frame is passed, metres."""
APART = 0.8
"""Things of one side are at least so far apart along the way, metres."""
WIDE, NARROW = 3.0, 0.5
"""Most and least metres to the side at which things count; what is nearer to the line lies ahead."""
MOST = 6
"""Highest number that is asked for."""
Reach = Callable[[int], tuple[tuple[int, ...], tuple[int, ...]]]
LEAST = 2
"""Fewest doors of a corridor."""
LONG = 2.0
"""A corridor is at least so many times as long as it is wide."""
LONGEST = 12
"""Most steps of a walk: the sixth door of a corridor is some 15 m away, and agents may take 15 steps."""
RARE = 5
"""Few corridors have so many doors on a side: they are asked for from further starts."""
BEYOND = 2.5
"""Who goes through a door may stop so far behind it, metres."""
HALLWAY = "h"
BOTH = frozenset({"left", "right"})


class Counted(NamedTuple):
    """A thing of the scene that is counted.

    Attributes:
        thing: which.
        along: metres ahead of the start.
        aside: metres to the right of the line.
        path: the walk to it; empty if there is none.
        stops: where else a walk to it may end.
    """

    thing: int
    along: float
    aside: float
    path: tuple[int, ...]
    stops: tuple[int, ...]


Row = dict[str, Counted]
"""What is counted, by number and side such as ``2-left``."""


class NumberedWalks(NamedTuple):
    """Numbered walks from one start.

    Attributes:
        start: where they start.
        heading: where the walker looks.
        row: what is counted.
        clear: the sides on which counting is clear; walks to what is on the other side are negatives only.
        phrase: how it is said, a key of the wordings.
        name: what is counted, as the lexicon calls it.
    """

    start: int
    heading: float
    row: Row
    clear: frozenset[str]
    phrase: str
    name: str

    def numbered(self) -> list[str]:
        """Return the keys of what has to be counted: its side is clear, and there is a second one on it.

        Example:
            >>> one = Counted(0, 2.0, 1.0, (), ())
            >>> row = {"1-left": one, "2-left": one, "1-right": one}
            >>> NumberedWalks(0, 0.0, row, BOTH, "door", "door").numbered()
            ['1-left', '2-left']
        """
        sides = {side for side in self.clear if f"2-{side}" in self.row}
        return [key for key in self.row if key.partition("-")[2] in sides]

    def highest(self) -> int:
        """Return the highest number that has to be counted and has a walk; 0 if there is none."""
        walked = [key for key in self.numbered() if self.row[key].path]
        return max((int(key.partition("-")[0]) for key in walked), default=0)


def row_of(
    site: IndexedScene,
    start: int,
    towards: Point,
    things: Iterable[tuple[int, Point]],
    reach: Reach,
    behind: float = BEHIND,
) -> tuple[Row, frozenset[str]]:
    """Number the things ahead of a walker on both sides, and tell on which sides counting is clear.

    A side is not clear if something on it is abreast of the start or two things on it are close together;
    neither is if something on the line itself is abreast.

    Args:
        site: the scene.
        start: where the walker stands.
        towards: a point straight ahead.
        things: what is counted, with the middle of each.
        reach: the walk to a thing, and where else it may end.
        behind: how far behind the start a thing is, at least, that is clearly not counted.
    """
    here = site.point(start)
    length = ((towards[0] - here[0]) ** 2 + (towards[1] - here[1]) ** 2) ** 0.5
    sides: dict[str, list[tuple[float, float, int]]] = {"left": [], "right": []}
    unclear: set[str] = set()
    for thing, middle in things:
        along, aside = passing(here, towards, middle)
        along *= length
        side = "right" if aside > 0 else "left"
        if -behind <= along <= AHEAD and abs(aside) <= WIDE:
            unclear |= {side} if abs(aside) >= NARROW else BOTH
        if along > 0 and NARROW <= abs(aside) <= WIDE:
            sides[side].append((along, aside, thing))
    unclear |= {side for side, spots in sides.items() if not _spaced(sorted(spots))}
    row = {
        f"{number}-{side}": Counted(thing, along, aside, *reach(thing))
        for side, spots in sides.items()
        for number, (along, aside, thing) in enumerate(sorted(spots)[:MOST], 1)
    }
    return row, BOTH - unclear


def _spaced(spots: Sequence[tuple[float, float, int]]) -> bool:
    return all(b[0] - a[0] >= APART for a, b in pairwise(spots))


def corridor_series(site: IndexedScene, counts: FilterCounts) -> list[NumberedWalks]:
    """Return the best start of each corridor in each direction, and others that give further high numbers."""
    plan: FloorPlan = site.scene.layer("plan")
    halls = [(number, room) for number, room in enumerate(plan.rooms) if room.label == HALLWAY]
    halls = counts.keep(
        "NU rooms: hallway is long and straight", halls, lambda hall: _axis(hall[1]) is not None
    )
    halls = counts.keep(
        "NU rooms: two doors or more", halls, lambda hall: len(_doors(plan, hall[1])) >= LEAST
    )
    chosen: list[NumberedWalks] = []
    for number, room in halls:
        for ahead in (1.0, -1.0):
            options = list(_series(site, plan, number, room, ahead))
            counts.add("NU rooms: counting is clear from some viewpoint", 1, bool(options))
            chosen += _chosen(options)
    return chosen


def _chosen(options: list[NumberedWalks]) -> Iterator[NumberedWalks]:
    """Yield the best of the starts, and then those from which a high number means yet another door."""
    asked: set[tuple[str, int]] = set()
    for series in sorted(options, key=lambda series: (*_worth(series), -series.start), reverse=True):
        walks = {(key, series.row[key].thing) for key in series.numbered() if series.row[key].path}
        if not asked or any(int(key.partition("-")[0]) >= RARE for key, _ in walks - asked):
            yield series
        asked |= walks or {("", -1)}


def _axis(room: Room) -> tuple[float, float] | None:
    """Return the direction of a rectangular corridor, None if the room is no such thing."""
    xs, ys = [x for x, _ in room.polygon], [y for _, y in room.polygon]
    width, depth = max(xs) - min(xs), max(ys) - min(ys)
    if len(room.polygon) != 4 or max(width, depth) < LONG * min(width, depth):
        return None
    return (1.0, 0.0) if width > depth else (0.0, 1.0)


def _ways(plan: FloorPlan, room: Room) -> list[Opening]:
    """Return the doors and passages in the long walls of a corridor: those at its ends are on no side."""
    axis = "x" if _axis(room) == (1.0, 0.0) else "y"
    ways = [way for way in plan.openings if way.kind != "window" and way.axis == axis]
    return [way for way in ways if room.id in way.rooms]


def _doors(plan: FloorPlan, room: Room) -> list[Opening]:
    return [way for way in _ways(plan, room) if way.kind == "door"]


def _in_opening(plan: FloorPlan, room: Room, point: Point) -> bool:
    """Return whether a point is in the wall beside a corridor, where one looks along the wall."""
    return any(
        math.dist(way.centre, point[:2]) < way.width / 2 and abs(_across(way, point)) < NARROW / 2
        for way in _ways(plan, room)
    )


def _across(way: Opening, point: Point) -> float:
    """Return how far a point is from the wall of an opening."""
    side = 1 if way.axis == "x" else 0
    return point[side] - way.centre[side]


def _series(
    site: IndexedScene, plan: FloorPlan, number: int, room: Room, ahead: float
) -> Iterator[NumberedWalks]:
    axis = _axis(room)
    assert axis is not None
    rooms = {other.id: k for k, other in enumerate(plan.rooms)}
    numbers = {thing.id: k for k, thing in enumerate(site.scene_index.things)}
    doors = {
        numbers[way.id]: (way, next((rooms[r] for r in way.rooms if r and r != room.id), None))
        for way in _doors(plan, room)
        if way.id in numbers
    }
    things = [(thing, centre_of(site, thing)) for thing in doors]
    regions = site.scene_index.regions
    for start in (row for row, region in enumerate(regions) if region == number):
        x, y, z = site.point(start)
        if _in_opening(plan, room, (x, y, z)):
            continue
        towards = (x + ahead * axis[0], y + ahead * axis[1], z)
        row, clear = row_of(
            site, start, towards, things, partial(_walk, site, start, number, doors), DOOR_BEHIND
        )
        if clear and sum(bool(counted.path) for counted in row.values()) > 1:
            heading = math.atan2(axis[0] * ahead, axis[1] * ahead) % math.tau
            phrase = "door beside passages" if _passages_ahead(plan, room, (x, y, z), towards) else "door"
            yield NumberedWalks(start, heading, row, clear, phrase, "door")


def _passages_ahead(plan: FloorPlan, room: Room, here: Point, towards: Point) -> bool:
    """Return whether passages lead off a corridor ahead: rooms and doors are then counted differently."""
    ways = [way for way in _ways(plan, room) if way.kind == "passage"]
    return any(passing(here, towards, (*way.centre, here[2]))[0] > -way.width / 2 for way in ways)


def _walk(
    site: IndexedScene, start: int, hall: int, doors: Mapping[int, tuple[Opening, int | None]], thing: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the walk along the corridor through a door, and where behind the door it may end."""
    regions = site.scene_index.regions
    door, beyond = doors[thing]
    inside = [row for row, region in enumerate(regions) if region == beyond and region is not None]
    if door.closed or not inside:
        return (), ()
    away = {row: math.dist(site.point(row)[:2], door.centre) for row in inside}
    end = min(inside, key=lambda row: (away[row], row))
    path = site.walk(start, end)
    entered = [regions[row] for row in path[:-1]]
    fits = 1 < len(path) <= LONGEST + 1 and all(region == hall for region in entered)
    return (path, tuple(row for row in inside if away[row] <= BEYOND)) if fits else ((), ())


def _worth(series: NumberedWalks) -> tuple[int, int]:
    """Return how many numbered doors lead somewhere, and, negative, how many steps it is to the last door."""
    paths = [counted.path for counted in series.row.values() if counted.path]
    return sum(bool(series.row[key].path) for key in series.numbered()), -max(map(len, paths))
