"""Vertical movement: up or down the one flight of stairs there is, to where it meets the next floor.

Items start at either end of a flight, or on a landing, from where both directions are possible; the latter,
and ends of a flight next to another one that leads on, make the pairs that the official files mark
`has_both_dir`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.flights import Flight, Levels, levels_of
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem
from vlnscope.core.rng import rng_for
from vlnscope.language.describe.scene_index import STAIRWELL
from vlnscope.language.geometry import relative
from vlnscope.worlds.graph.views import wrap_heading

STOREY = 1.5
"""Least height that a flight climbs, metres."""
CLOSE = 2.5
"""Heads of one staircase are at most so far apart, metres along the graph: success is within 3 m."""
LONGEST = 12
"""Most steps of a climb."""
_GLANCES = (-60, -30, 0, 30, 60)


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
    flights = counts.keep("VM: a whole storey high", levels.flights, lambda f: _height(site, f) >= STOREY)
    flights = counts.keep(
        "VM: on viewpoints labelled as stairs",
        flights,
        lambda f: any(site.label(r) == STAIRWELL for r in f.path),
    )
    flights = counts.keep(
        "VM: the only stairs between the floors", flights, lambda f: _alone(site, f, levels.flights)
    )
    climbs = [climb for flight in flights for climb in _climbs(site, flight, levels)]
    climbs = counts.keep(
        "VM: the only stairs in that direction", climbs, lambda c: _unrivalled(site, c, levels)
    )
    climbs = counts.keep("VM: few enough steps", climbs, lambda c: len(c.path) <= LONGEST + 1)
    by_start: dict[int, list[Climb]] = {}
    for climb in climbs:
        if not any(climb.up == other.up for other in by_start.get(climb.start, ())):
            by_start.setdefault(climb.start, []).append(climb)
    picked = _drawn(site, by_start, most, seed)
    counts.add("VM: drawn", len(climbs), sum(map(len, picked)))
    return [item for k, group in enumerate(picked) for item in _items(site, group, k, seed)]


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
        for place, row in enumerate(path[1:-1], 1):
            if any(levels.storey[other] == levels.storey[row] for other in site.ways[row]):
                yield Climb(row, path[place:], flight, up)


def _unrivalled(site: IndexedScene, climb: Climb, levels: Levels) -> bool:
    """Return whether no other stairs lead from the floor of the start in the same direction."""
    floor = levels.storey[climb.start]
    if int(floor) not in levels.floors:
        return True
    for other in levels.flights:
        end = other.foot if climb.up else other.head
        mine = climb.flight.foot if climb.up else climb.flight.head
        if levels.storey[end] == floor and site.graph.distances[end, mine] > CLOSE:
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
