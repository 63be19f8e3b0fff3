"""Vertical movement: up or down the one flight of stairs there is, to where it meets the next floor.

Items start at either end of a flight, or on a landing, from where both directions are possible; the latter,
and ends of a flight next to another one that leads on, make the pairs that the official files mark
`has_both_dir`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem
from vlnscope.core.rng import rng_for
from vlnscope.language.describe.scene_index import STAIRWELL
from vlnscope.language.geometry import FLAT, relative
from vlnscope.types import Ints
from vlnscope.worlds.graph.views import wrap_heading

STOREY = 1.5
"""Least height that a flight climbs, metres."""
CLOSE = 2.5
"""Heads of one staircase are at most so far apart, metres along the graph: success is within 3 m."""
LONGEST = 12
"""Most steps of a climb."""
_GLANCES = (-60, -30, 0, 30, 60)


class Flight(NamedTuple):
    """Stairs between two floors.

    Attributes:
        path: from the last viewpoint of the floor below, the foot, to the first of the floor above, the head.
        below: number of the floor below.
        above: number of the floor above.
    """

    path: tuple[int, ...]
    below: int
    above: int

    @property
    def foot(self) -> int:
        """Where it begins."""
        return self.path[0]

    @property
    def head(self) -> int:
        """Where it ends."""
        return self.path[-1]


class Levels(NamedTuple):
    """The floors of a scene and the flights between them.

    Attributes:
        storey: number of the level stretch that each viewpoint is on.
        floors: the stretches that are floors; the others are landings.
        flights: in the order of their feet.
    """

    storey: Ints
    floors: frozenset[int]
    flights: tuple[Flight, ...]


def levels_of(site: IndexedScene) -> Levels:
    """Find the floors and the flights of a scene."""
    size = len(site.ways)
    pairs = np.array([(a, b) for a in range(size) for b in site.ways[a]], dtype=np.int64).reshape(-1, 2)
    rise = site.places[pairs[:, 1], 2] - site.places[pairs[:, 0], 2]
    level = pairs[np.abs(rise) <= FLAT]
    links = coo_array((np.ones(len(level)), (level[:, 0], level[:, 1])), shape=(size, size))
    _, storey = connected_components(links, directed=False)
    floors = frozenset(int(storey[row]) for row in range(size) if site.label(row) != STAIRWELL)
    up: dict[int, list[int]] = {}
    for a, b in pairs[rise > FLAT].tolist():
        up.setdefault(a, []).append(b)
    flights = [
        flight
        for foot in sorted(up)
        if int(storey[foot]) in floors
        for flight in _flights_from(site, foot, up, storey, floors)
    ]
    return Levels(storey, floors, tuple(flights))


def _flights_from(
    site: IndexedScene, foot: int, up: dict[int, list[int]], storey: Ints, floors: frozenset[int]
) -> list[Flight]:
    """Return the shortest flight from a foot to each floor above that it leads to."""
    before: dict[int, int | None] = {foot: None}
    front, heads = [foot], []
    while front:
        row = front.pop(0)
        landing = () if row == foot else tuple(o for o in site.ways[row] if storey[o] == storey[row])
        for other in (*up.get(row, ()), *landing):
            if other in before:
                continue
            before[other] = row
            if int(storey[other]) in floors:
                heads.append(other)
            else:
                front.append(other)
    return [Flight(_traced(before, head), int(storey[foot]), int(storey[head])) for head in heads]


def _traced(before: dict[int, int | None], end: int) -> tuple[int, ...]:
    path: list[int] = [end]
    while (row := before[path[-1]]) is not None:
        path.append(row)
    return tuple(reversed(path))


class Climb(NamedTuple):
    """A walk from a start over a flight, up or down."""

    start: int
    path: tuple[int, ...]
    flight: Flight
    up: bool


def vertical_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a scene; from places with stairs up and down a pair of them.

    Args:
        site: the scene.
        counts: counts what is left out.
        most: how many starts of the scene are taken, drawn at random, those of pairs first.
        seed: of the drawing.
    """
    levels = levels_of(site)
    flights = list(levels.flights)
    tests: dict[str, Callable[[Flight], bool]] = {
        "VM: a whole storey high": lambda flight: _height(site, flight) >= STOREY,
        "VM: on viewpoints labelled as stairs": lambda flight: _has_stairs(site, flight),
        "VM: the only stairs between the floors": lambda flight: _alone(site, flight, levels.flights),
    }
    for name, test in tests.items():
        flights = counts.keep(name, flights, test)
    climbs = [climb for flight in flights for climb in _climbs(site, flight, levels)]
    climbs = counts.keep(
        "VM: the only stairs in that direction", climbs, lambda climb: _unrivalled(site, climb, levels)
    )
    climbs = counts.keep("VM: few enough steps", climbs, lambda climb: len(climb.path) <= LONGEST + 1)
    by_start: dict[int, list[Climb]] = {}
    for climb in climbs:
        if not any(climb.up == other.up for other in by_start.get(climb.start, ())):
            by_start.setdefault(climb.start, []).append(climb)
    picked = _drawn(site, by_start, most, seed)
    counts.add("VM: drawn", len(climbs), sum(map(len, picked)))
    return [item for k, group in enumerate(picked) for item in _items(site, group, k, seed)]


def _has_stairs(site: IndexedScene, flight: Flight) -> bool:
    return any(site.label(row) == STAIRWELL for row in flight.path)


def _height(site: IndexedScene, flight: Flight) -> float:
    return float(site.places[flight.head, 2] - site.places[flight.foot, 2])


def _alone(site: IndexedScene, flight: Flight, others: tuple[Flight, ...]) -> bool:
    """Return whether all flights between the two floors are one staircase."""
    same = [other for other in others if (other.below, other.above) == (flight.below, flight.above)]
    distances = site.graph.distances
    return all(
        distances[flight.head, other.head] <= CLOSE and distances[flight.foot, other.foot] <= CLOSE
        for other in same
    )


def _climbs(site: IndexedScene, flight: Flight, levels: Levels) -> Iterator[Climb]:
    for path, up in ((flight.path, True), (flight.path[::-1], False)):
        yield Climb(path[0], path, flight, up)
        arrivals = {other.head if up else other.foot for other in levels.flights}
        for start in site.ways[path[0]]:
            if start in arrivals and levels.storey[start] == levels.storey[path[0]]:
                yield Climb(start, (start, *path), flight, up)
        for index, row in enumerate(path[1:-1], 1):
            if any(levels.storey[other] == levels.storey[row] for other in site.ways[row]):
                yield Climb(row, path[index:], flight, up)


def _unrivalled(site: IndexedScene, climb: Climb, levels: Levels) -> bool:
    """Return whether no other stairs lead from the floor of the start in the same direction."""
    floor = levels.storey[climb.start]
    if int(floor) not in levels.floors:
        return True
    for other in levels.flights:
        end = other.foot if climb.up else other.head
        landing = climb.flight.foot if climb.up else climb.flight.head
        if levels.storey[end] == floor and site.graph.distances[end, landing] > CLOSE:
            return False
    return True


def _drawn(site: IndexedScene, by_start: dict[int, list[Climb]], most: int, seed: int) -> list[list[Climb]]:
    """Draw starts: landings and other places of pairs first, then one per end of each flight."""
    order = rng_for(seed, "nuances VM", site.scene.id).permutation(len(by_start)).tolist()
    groups = [list(by_start.values())[k] for k in order]
    pairs = [group for group in groups if len(group) > 1]
    singles = [group for group in groups if len(group) == 1]
    ends: set[tuple[int, bool]] = set()
    chosen: list[list[Climb]] = []
    for group in (*pairs, *singles):
        ways = {(climb.path[-1], climb.up) for climb in group}
        if len(group) > 1 or not ways <= ends:
            chosen.append(group)
            ends |= ways if len(group) == 1 else set()
    return chosen[:most]


def _items(site: IndexedScene, group: list[Climb], number: int, seed: int) -> Iterator[NuanceItem]:
    pair = f"{site.scene.id}-vm{number}"
    heading = _view(site, group, int(rng_for(seed, "nuances VM view", pair).integers(len(_GLANCES))))
    for climb in group:
        way = "up" if climb.up else "down"
        yield NuanceItem(
            category="VM",
            subset=way,
            name=f"{pair}-{way}",
            path=site.named(climb.path),
            heading=heading,
            phrase=way,
            slots={},
            fields={"has_both_dir": len(group) > 1},
            pair=pair,
            groups={"variant": way, "both": "yes" if len(group) > 1 else "no"},
        )


def _view(site: IndexedScene, group: list[Climb], draw: int) -> float:
    """Look at the middle between two ways, or to somewhere near the only one."""
    courses = [site.course(climb.path[0], climb.path[1]) for climb in group]
    if len(courses) > 1:
        return wrap_heading(courses[0] + relative(courses[0], courses[1]) / 2)
    return wrap_heading(courses[0] + math.radians(_GLANCES[draw]))
