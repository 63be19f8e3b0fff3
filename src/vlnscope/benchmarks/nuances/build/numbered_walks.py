"""Things in a row, as someone sees them who walks straight on, and corridors with doors on either side.

Corridors are straight hallways, walked along from the last viewpoint with most doors ahead.
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
LONGEST = 8
"""Most steps of a walk."""
BEYOND = 2.5
"""Who goes through a door may stop so far behind it, metres."""
HALLWAY = "h"


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
        phrase: how it is said, a key of the wordings.
        name: what is counted, as the lexicon calls it.
    """

    start: int
    heading: float
    row: Row
    phrase: str
    name: str


def row_of(
    site: IndexedScene, start: int, towards: Point, things: Iterable[tuple[int, Point]], reach: Reach
) -> Row | None:
    """Number the things ahead of a walker on both sides; None where counting is not clear.

    Args:
        site: the scene.
        start: where the walker stands.
        towards: a point straight ahead.
        things: what is counted, with the middle of each.
        reach: the walk to a thing, and where else it may end.
    """
    here = site.point(start)
    length = ((towards[0] - here[0]) ** 2 + (towards[1] - here[1]) ** 2) ** 0.5
    sides: dict[str, list[tuple[float, float, int]]] = {"left": [], "right": []}
    for thing, middle in things:
        along, aside = passing(here, towards, middle)
        along *= length
        if -BEHIND <= along <= AHEAD and abs(aside) <= WIDE:
            return None
        if along > 0 and NARROW <= abs(aside) <= WIDE:
            sides["right" if aside > 0 else "left"].append((along, aside, thing))
    if not all(_spaced(sorted(spots)) for spots in sides.values()):
        return None
    return {
        f"{number}-{side}": Counted(thing, along, aside, *reach(thing))
        for side, spots in sides.items()
        for number, (along, aside, thing) in enumerate(sorted(spots)[:MOST], 1)
    }


def numbered(row: Row) -> list[str]:
    """Return the keys of what has to be counted: on its side there is a second one.

    Example:
        >>> one = Counted(0, 2.0, 1.0, (), ())
        >>> numbered({"1-left": one, "2-left": one, "1-right": one})
        ['1-left', '2-left']
    """
    return [key for key in row if f"2-{key.partition('-')[2]}" in row]


def _spaced(spots: Sequence[tuple[float, float, int]]) -> bool:
    return all(b[0] - a[0] >= APART for a, b in pairwise(spots))


def corridor_series(site: IndexedScene, counts: FilterCounts) -> list[NumberedWalks]:
    """Return the best start of each corridor in each direction."""
    plan: FloorPlan = site.scene.layer("plan")
    halls = [(number, room) for number, room in enumerate(plan.rooms) if room.label == HALLWAY]
    halls = counts.keep(
        "NU rooms: hallway is long and straight", halls, lambda hall: _axis(hall[1]) is not None
    )
    halls = counts.keep(
        "NU rooms: two doors or more", halls, lambda hall: len(_doors(plan, hall[1])) >= LEAST
    )
    chosen = []
    for number, room in halls:
        for ahead in (1.0, -1.0):
            options = list(_series(site, plan, number, room, ahead))
            counts.add("NU rooms: counting is clear from some viewpoint", 1, bool(options))
            if options:
                chosen.append(max(options, key=lambda series: (*_worth(series.row), -series.start)))
    return chosen


def _axis(room: Room) -> tuple[float, float] | None:
    """Return the direction of a rectangular corridor, None if the room is no such thing."""
    xs, ys = [x for x, _ in room.polygon], [y for _, y in room.polygon]
    width, depth = max(xs) - min(xs), max(ys) - min(ys)
    if len(room.polygon) != 4 or max(width, depth) < LONG * min(width, depth):
        return None
    return (1.0, 0.0) if width > depth else (0.0, 1.0)


def _doors(plan: FloorPlan, room: Room) -> list[Opening]:
    return [way for way in plan.openings if way.kind == "door" and room.id in way.rooms]


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
        towards = (x + ahead * axis[0], y + ahead * axis[1], z)
        row = row_of(site, start, towards, things, partial(_walk, site, start, number, doors))
        if row and sum(bool(counted.path) for counted in row.values()) > 1:
            yield NumberedWalks(
                start, math.atan2(axis[0] * ahead, axis[1] * ahead) % math.tau, row, "door", "door"
            )


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


def _worth(row: Row) -> tuple[int, int]:
    """Return how many numbered doors lead somewhere, and, negative, how many steps it is to the last door."""
    paths = [counted.path for counted in row.values() if counted.path]
    return sum(bool(row[key].path) for key in numbered(row)), -max(map(len, paths))
