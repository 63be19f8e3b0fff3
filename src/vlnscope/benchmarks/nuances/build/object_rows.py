"""Things alike in a row: several objects of one kind ahead of a walker, of which one is to be reached."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.items import IndexedScene, flat
from vlnscope.benchmarks.nuances.build.landmark_paths import centre_of, landmarks
from vlnscope.benchmarks.nuances.build.numbered_walks import NumberedWalks, Row, row_of
from vlnscope.language.geometry import relative

REACHED, BEND = 2.2, math.radians(50)
"""A walk to a thing ends at most so far from its middle, and no step turns farther from where one looks."""
APART = 1.5
"""Walks to different things end at least so far apart, metres."""
BUILT_IN = frozenset({"kitchen counter", "cabinet"})
"""Things that stand side by side as one."""
LONG = 1.6
"""Longer things are not counted, metres: where one ends and the next begins is hard to see."""
LONGEST = 5
"""Most steps of a walk."""


def thing_series(site: IndexedScene, counts: FilterCounts) -> list[NumberedWalks]:
    """Return all rows of things that can be counted from a viewpoint along one of its ways."""
    tried = [
        (start, name, things)
        for start in range(len(site.places))
        for name, things in _alike(site, start).items()
    ]
    tried = counts.keep(
        "NU objects: two alike in sight, none too long to count", tried, lambda t: _countable(site, t[2])
    )
    walks = [
        NumberedWalks(start, site.course(start, other), row, "count", name)
        for start, name, things in tried
        for other in site.ways[start]
        if (row := _row(site, start, other, things)) and _distinct(site, row)
    ]
    starts = {(series.start, series.name) for series in walks}
    counts.add("NU objects: ahead on a way, with walks to places apart", len(tried), len(starts))
    return walks


def _alike(site: IndexedScene, start: int) -> dict[str, list[int]]:
    by_name: dict[str, list[int]] = {}
    for thing in landmarks(site, start):
        if site.survey.things[thing].name not in BUILT_IN:
            by_name.setdefault(site.survey.things[thing].name, []).append(thing)
    return by_name


def _countable(site: IndexedScene, things: list[int]) -> bool:
    boxes = [site.survey.things[thing].box for thing in things]
    return len(things) > 1 and all(box is not None and max(box[:2]) <= LONG for box in boxes)


def _row(site: IndexedScene, start: int, other: int, things: list[int]) -> Row | None:
    places = [(thing, centre_of(site, thing)) for thing in things]
    return row_of(
        site, start, site.point(other), places, partial(_walk, site, start, site.course(start, other))
    )


def _walk(
    site: IndexedScene, start: int, heading: float, thing: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    centre = centre_of(site, thing)
    seeing = [row for row in range(len(site.places)) if thing in site.survey.visible[row]]
    stops = [row for row in seeing if flat(site.point(row), centre) <= REACHED]
    if not stops:
        return (), ()
    end = min(stops, key=lambda row: (flat(site.point(row), centre), row))
    path = site.walk(start, end)
    fits = 1 < len(path) <= LONGEST + 1 and all(abs(relative(heading, c)) <= BEND for c in site.courses(path))
    return (path, tuple(stops)) if fits else ((), ())


def _distinct(site: IndexedScene, row: Row) -> bool:
    """Return whether there are two walks or more, and their ends are apart."""
    ends = [counted.path[-1] for counted in row.values() if counted.path]
    return len(ends) > 1 and all(site.graph.distances[a, b] > APART for a, b in combinations(ends, 2))
