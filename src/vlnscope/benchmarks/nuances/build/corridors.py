"""Corridors with doors: straight hallways, walked along from the last viewpoint with most doors ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.landmark_paths import centre_of
from vlnscope.benchmarks.nuances.build.rows import NumberedWalks, Row, numbered, row_of
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, Room

LEAST = 2
"""Fewest doors of a corridor."""
LONG = 2.0
"""A corridor is at least so many times as long as it is wide."""
LONGEST = 8
"""Most steps of a walk."""
BEHIND = 2.5
"""Who goes through a door may stop so far behind it, metres."""
HALLWAY = "h"


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
    found = []
    for number, room in halls:
        for ahead in (1.0, -1.0):
            options = list(_series(site, plan, number, room, ahead))
            counts.add("NU rooms: counting is clear from some viewpoint", 1, bool(options))
            if options:
                found.append(max(options, key=lambda series: (*_worth(series.row), -series.start)))
    return found


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
    numbers = {thing.id: k for k, thing in enumerate(site.survey.things)}
    doors = {
        numbers[way.id]: (way, next((rooms[r] for r in way.rooms if r and r != room.id), None))
        for way in _doors(plan, room)
        if way.id in numbers
    }
    things = [(thing, centre_of(site, thing)) for thing in doors]
    regions = site.survey.regions
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
    regions = site.survey.regions
    door, beyond = doors[thing]
    inside = [row for row, region in enumerate(regions) if region == beyond and region is not None]
    if door.closed or not inside:
        return (), ()
    away = {row: math.dist(site.point(row)[:2], door.centre) for row in inside}
    end = min(inside, key=lambda row: (away[row], row))
    path = site.walk(start, end)
    entered = [regions[row] for row in path[:-1]]
    fits = 1 < len(path) <= LONGEST + 1 and all(region == hall for region in entered)
    return (path, tuple(row for row in inside if away[row] <= BEHIND)) if fits else ((), ())


def _worth(row: Row) -> tuple[int, int]:
    """Return how many numbered doors lead somewhere, and, negative, how many steps it is to the last door."""
    paths = [counted.path for counted in row.values() if counted.path]
    return sum(bool(row[key].path) for key in numbered(row)), -max(map(len, paths))
