"""Numerical comprehension: the room behind the i-th door of a corridor, or the i-th of several things alike.

Rooms are counted by doors, which the plan of a house has and Matterport's labels have not: a closed door
counts for whoever walks by. All numbered walks from one start are the set (`set_paths`) in which each is a
negative of the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import combinations

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.files import ordinal_subset
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem, flat
from vlnscope.benchmarks.nuances.build.landmark_paths import centre_of, landmarks
from vlnscope.benchmarks.nuances.build.numbered_walks import (
    Counted,
    NumberedWalks,
    Row,
    corridor_series,
    row_of,
)
from vlnscope.benchmarks.nuances.build.standing import BUILT_IN
from vlnscope.benchmarks.nuances.evaluators.numerical import outcomes
from vlnscope.core.rng import rng_for
from vlnscope.language.describe.candidates.referring import Ref, referents
from vlnscope.language.geometry import relative
from vlnscope.language.names import noun
from vlnscope.types import Episode

REACHED, BEND = 2.2, math.radians(50)
"""A walk to a thing ends at most so far from its middle, and no step turns farther from where one looks."""
APART = 1.5
"""Walks to different things end at least so far apart, metres."""
FEW = 3
"""Series that count so far are rare and come first."""
LONG = 1.6
"""Longer things are not counted, metres: where one ends and the next begins is hard to see."""
LONGEST = 8
"""Most steps of a walk."""
PAST = 1.0
"""A walk through a door goes at most so far past it before, metres."""


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
        NumberedWalks(start, site.course(start, other), row, clear, "count", name)
        for start, name, things in tried
        for other in site.ways[start]
        for row, clear in [_row(site, start, other, things)]
        if clear and _distinct(site, row)
    ]
    starts = {(series.start, series.name) for series in walks}
    counts.add("NU objects: ahead on a way, with walks to places apart", len(tried), len(starts))
    return walks


def _alike(site: IndexedScene, start: int) -> dict[str, list[int]]:
    by_name: dict[str, list[int]] = {}
    for thing in landmarks(site, start):
        if site.scene_index.things[thing].name not in BUILT_IN:
            by_name.setdefault(site.scene_index.things[thing].name, []).append(thing)
    return by_name


def _countable(site: IndexedScene, things: list[int]) -> bool:
    boxes = [site.scene_index.things[thing].box for thing in things]
    return len(things) > 1 and all(box is not None and max(box[:2]) <= LONG for box in boxes)


def _row(site: IndexedScene, start: int, other: int, things: list[int]) -> tuple[Row, frozenset[str]]:
    """Return the things in a row, and the sides on which counting is clear."""
    places = [(thing, centre_of(site, thing)) for thing in things]
    reach = partial(_walk, site, start, site.course(start, other))
    return row_of(site, start, site.point(other), places, reach)


def _walk(
    site: IndexedScene, start: int, heading: float, thing: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    centre = centre_of(site, thing)
    seeing = [row for row in range(len(site.places)) if thing in site.scene_index.visible[row]]
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


OBJECTS, DOOR = "objects", "door"


def numerical_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a house.

    Args:
        site: the house.
        counts: counts what is left out.
        most: how many corridors (in one direction), and how many rows of things, are taken, drawn at random.
        seed: of the drawing.
    """
    items: list[NuanceItem] = []
    for kind, walks in (("rooms", corridor_series(site, counts)), (OBJECTS, thing_series(site, counts))):
        walks = counts.keep(f"NU {kind}: two or more on one side", walks, lambda s: bool(s.numbered()))
        walks = counts.keep(f"NU {kind}: the words mean one thing", walks, lambda s: bool(_meant(site, s)))
        walks = counts.keep(
            f"NU {kind}: wherever a walk to it may end, it counts",
            walks,
            lambda s: bool(_told(site, s, _meant(site, s))),
        )
        order = rng_for(seed, "nuances NU", site.scene.id, kind).permutation(len(walks)).tolist()
        picked = _others_first([walks[k] for k in order])[:most]
        counts.add(f"NU {kind}: starts drawn", len(walks), len(picked))
        items += [item for k, series in enumerate(picked) for item in _items(site, series, kind, k)]
    return items


def _others_first(walks: list[NumberedWalks]) -> list[NumberedWalks]:
    """Put series first that count what no earlier one counts, those that count far before the others."""
    seen: set[frozenset[int]] = set()
    first: list[NumberedWalks] = []
    later: list[NumberedWalks] = []
    for series in sorted(walks, key=lambda series: min(series.highest(), FEW), reverse=True):
        counted = frozenset(entry.thing for entry in series.row.values())
        (later if counted in seen else first).append(series)
        seen.add(counted)
    return first + later


def _items(site: IndexedScene, series: NumberedWalks, kind: str, number: int) -> Iterator[NuanceItem]:
    pair = f"{site.scene.id}-nu{number}-{kind}"
    paths = _paths(site, series)
    thing = noun(series.name).singular
    for key in _told(site, series, _meant(site, series)):
        ordinal, side = ordinal_subset(key).split()
        yield NuanceItem(
            category="NU",
            subset=OBJECTS if kind == OBJECTS else f"{ordinal} {side}",
            name=f"{pair}-{key}",
            path=tuple(paths[key][0]),
            heading=series.heading,
            phrase=series.phrase,
            slots={"ordinal": ordinal, "side": side, "thing": thing},
            fields={"set_paths": paths},
            pair=pair,
            groups={"variant": key, "ordinal": ordinal, "side": side},
        )


def _meant(site: IndexedScene, series: NumberedWalks) -> list[str]:
    """Return the keys of the things within reach that the words mean for who stands at the start.

    Things are counted from the start. The doors of a corridor are counted on the way: those in sight from the
    start are the first ones, and each other up to the one meant comes into sight before it is passed.
    """
    keys = []
    for key in series.numbered():
        if not series.row[key].path:
            continue
        literal = _literal(site, series, key)
        mistaken = literal != (series.row[key].thing,)
        if series.name == DOOR and not _straight_to_door(site, series, key):
            continue
        if series.name != DOOR and site.clear and not _in_one_room(site, series, key):
            continue
        if not mistaken or (series.name == DOOR and not literal and _counted_on_the_way(site, series, key)):
            keys.append(key)
    return keys


def _in_one_room(site: IndexedScene, series: NumberedWalks, key: str) -> bool:
    """Return whether all things of the side are in the room of the start: nobody counts through doors."""
    side, room = key.partition("-")[2], site.scene_index.regions[series.start]
    counted = [entry.thing for other, entry in series.row.items() if other.endswith(f"-{side}")]
    return all(site.scene_index.homes[thing] == room for thing in counted)


def _straight_to_door(site: IndexedScene, series: NumberedWalks, key: str) -> bool:
    """Return whether a walk neither goes past its door and back nor steps into another door on the way."""
    meant = series.row[key]
    x, y, _ = site.point(series.start)
    along = [
        (px - x) * math.sin(series.heading) + (py - y) * math.cos(series.heading)
        for px, py, _ in map(site.point, meant.path[:-1])
    ]
    others = [counted.thing for counted in series.row.values() if counted.thing != meant.thing]
    return max(along) <= meant.along + PAST and not any(
        site.scene_index.inside(other, row) for other in others for row in meant.path[1:-1]
    )


def _literal(site: IndexedScene, series: NumberedWalks, key: str) -> tuple[int, ...]:
    """Return what the words mean for who stands at the start and counts what is in sight."""
    number, side = key.split("-")
    ref = Ref("object", series.name, ordinal=int(number), side="left" if side == "left" else "right")
    return referents(site.scene_index, ref, series.start, series.heading)


def _counted_on_the_way(site: IndexedScene, series: NumberedWalks, key: str) -> bool:
    """Return whether a walker who counts the doors of a side on the way arrives at the one meant."""
    number, side = key.split("-")
    meant = series.row[key]
    before = [series.row[f"{k}-{side}"].thing for k in range(1, int(number) + 1)]
    on_the_way = {thing for row in meant.path for thing in site.scene_index.visible[row]}
    if not on_the_way.issuperset(before):
        return False
    known = {counted.thing for counted in series.row.values()}
    for k in range(1, int(number) + 1):
        for other in _literal(site, series, f"{k}-{side}"):
            spot = site.scene_index.offset(series.start, series.heading, other)
            if other not in known and spot is not None and spot[0] < meant.along:
                return False
    return True


def _told(site: IndexedScene, series: NumberedWalks, keys: list[str]) -> list[str]:
    """Return the keys of the things to which every walk is told from those to the others."""
    paths = _paths(site, series)
    return [key for key in keys if _is_told(site, paths, key, series.row[key])]


def _is_told(site: IndexedScene, paths: dict[str, list[list[str]]], key: str, counted: Counted) -> bool:
    start = counted.path[0]
    walks = [site.named(counted.path), *(site.named(site.walk(start, end)) for end in counted.stops)]
    draft = Episode(
        episode_id="draft",
        path_id=f"draft-{key}",
        scan=site.scene.id,
        instruction="",
        path=walks[0],
        extra={"set_paths": paths},
    )
    return bool(outcomes(draft, walks, site.graph).success.all())


def _paths(site: IndexedScene, series: NumberedWalks) -> dict[str, list[list[str]]]:
    return {key: [list(site.named(counted.path))] for key, counted in series.row.items() if counted.path}
