"""The atomic instructions that can be given to a walker who stands somewhere and looks somewhere.

All but turns come from the builders of NavNuances, which answer for them: rooms, landmarks and stairs are
named so that it does not matter where one looks; what is counted is counted from one view. Turns are made
here, for the view of who has just arrived.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.cases import BUILDERS, NEEDS
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem
from vlnscope.benchmarks.nuances.chains.judging import AHEAD, turn_taken
from vlnscope.benchmarks.nuances.evaluators.direction import ARC
from vlnscope.benchmarks.nuances.evaluators.evaluator import Category
from vlnscope.language.geometry import FLAT, relative

ALL = 1_000_000
"""More items than any scene has."""
SAME_VIEW = math.radians(20)
"""Who looks so far from the view in which things were counted still counts the same."""
CLEAR = 15.0
"""A way within so many degrees of the border between two turns is unclear."""
SAME_PLACE = 0.01
"""Metres between two notes of the place of one thing."""
SIDES = ("left", "right")


class Atom(NamedTuple):
    """An atomic instruction and the walk that it asks for.

    Attributes:
        item: the instruction.
        path: its walk, by row.
        meaning: what it asks for, whoever is told so wherever; equal for items that ask for the same.
        viewed: whether it holds for one view only.
    """

    item: NuanceItem
    path: tuple[int, ...]
    meaning: tuple[object, ...]
    viewed: bool

    @property
    def category(self) -> Category:
        """Which of the five tests."""
        return self.item.category


class AtomIndex:
    """The atomic instructions of a scene, by where they begin.

    Args:
        site: the scene; categories that it lacks a layer for are left out.
        seed: of the builders.
    """

    def __init__(self, site: IndexedScene, seed: int) -> None:
        self.site = site
        self._seed = seed

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """All that the builders give."""
        found: list[Atom] = []
        for category, build in BUILDERS.items():
            if all(self.site.scene.has(layer) for layer in NEEDS[category]):
                items = build(self.site, FilterCounts(), most=ALL, seed=self._seed)
                found += [self._atom(item) for item in items]
        return tuple(atom for atom in found if atom.category != "LR" or self._is_on_the_way(atom))

    @cached_property
    def by_start(self) -> dict[int, list[Atom]]:
        """The items by the viewpoint in which they begin; turns only with the view of the builder."""
        starts: dict[int, list[Atom]] = {}
        for atom in self.atoms:
            starts.setdefault(atom.path[0], []).append(atom)
        return starts

    @cached_property
    def meanings(self) -> dict[int, frozenset[tuple[object, ...]]]:
        """What can be asked for in each viewpoint, wherever one looks."""
        return {
            row: frozenset(atom.meaning for atom in atoms if not atom.viewed)
            for row, atoms in self.by_start.items()
        }

    def next_atoms(self, row: int, heading: float) -> list[Atom]:
        """Return what can be asked of a walker who has just arrived somewhere."""
        there = [
            atom
            for atom in self.by_start.get(row, ())
            if not atom.viewed
            or (atom.category == "NU" and abs(relative(heading, atom.item.heading)) <= SAME_VIEW)
        ]
        return [*there, *self._turns(row, heading)]

    def _turns(self, row: int, heading: float) -> Iterator[Atom]:
        """Yield the turns to the only way on a side, if it clearly lies there and rises no stairs."""
        ways: dict[str, list[int]] = {side: [] for side in SIDES}
        unclear: set[str] = set()
        for other in self.site.ways[row]:
            angle = math.degrees(relative(heading, self.site.course(row, other)))
            side = turn_taken(heading, self.site.course(row, other))
            steep = abs(self.site.places[other, 2] - self.site.places[row, 2]) > FLAT
            if side in ways:
                ways[side].append(other)
            if steep or min(abs(abs(angle) - AHEAD), abs(abs(angle) - ARC)) < CLEAR:
                unclear.add("right" if angle > 0 else "left")
        for side in SIDES:
            if len(ways[side]) == 1 and side not in unclear:
                yield self._turn(row, ways[side][0], side, heading)

    def _turn(self, row: int, end: int, side: str, heading: float) -> Atom:
        site = self.site
        item = NuanceItem(
            category="DC",
            subset=side,
            name=f"{site.scene.id}-{site.graph.nodes[row]}-{side}",
            path=site.named((row, end)),
            heading=heading,
            phrase=side,
            slots={"way": side},
            fields={},
            pair="",
            groups={},
        )
        return Atom(item, (row, end), ("DC", row, side), viewed=True)

    def _is_on_the_way(self, atom: Atom) -> bool:
        """Return whether a landmark stands in a room that the walk goes through, as far as is known."""
        scene_index = self.site.scene_index
        centre = tuple(atom.item.fields["obj_center"])
        rooms = {scene_index.regions[row] for row in atom.path}
        homes = {
            home
            for thing, home in zip(scene_index.things, scene_index.homes, strict=True)
            if thing.centre is not None and math.dist(thing.centre, centre) < SAME_PLACE
        }
        return not homes or None in rooms or bool(homes & rooms)

    def _atom(self, item: NuanceItem) -> Atom:
        rows = tuple(self.site.graph.index[node] for node in item.path)
        viewed = item.category in ("DC", "NU")
        return Atom(item, rows, _meaning(item), viewed)


def _meaning(item: NuanceItem) -> tuple[object, ...]:
    """Return what an item asks for: a room, a landmark, a floor; for the others, the item itself."""
    if item.category == "RR":
        field = "valid_ends" if item.subset == "into" else "region_starts"
        return "RR", item.subset, tuple(sorted(item.fields[field]))
    if item.category == "LR":
        return "LR", item.subset, tuple(item.fields["obj_center"])
    if item.category == "VM":
        return "VM", item.subset, item.path[-1]
    return item.category, item.name
