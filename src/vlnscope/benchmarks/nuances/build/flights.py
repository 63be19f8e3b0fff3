"""Flights of stairs: from where the floor below ends to where the floor above begins.

Floors and landings are what is left of the graph without its steep edges; a landing has nothing but
viewpoints on stairs. A flight climbs over landings and never descends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.language.describe.scene_index import FLAT, STAIRWELL
from vlnscope.types import Ints


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
        for flight in _climbs(site, foot, up, storey, floors)
    ]
    return Levels(storey, floors, tuple(flights))


def _climbs(
    site: IndexedScene, foot: int, up: dict[int, list[int]], storey: Ints, floors: frozenset[int]
) -> list[Flight]:
    """Return the shortest flight from a foot to each floor above that it leads to."""
    before: dict[int, int | None] = {foot: None}
    front, found = [foot], []
    while front:
        row = front.pop(0)
        landing = () if row == foot else tuple(o for o in site.ways[row] if storey[o] == storey[row])
        for other in (*up.get(row, ()), *landing):
            if other in before:
                continue
            before[other] = row
            if int(storey[other]) in floors:
                found.append(other)
            else:
                front.append(other)
    return [Flight(_traced(before, head), int(storey[foot]), int(storey[head])) for head in found]


def _traced(before: dict[int, int | None], end: int) -> tuple[int, ...]:
    path: list[int] = [end]
    while (row := before[path[-1]]) is not None:
        path.append(row)
    return tuple(reversed(path))
