"""Linking atomic instructions: each is valid in the pose in which the one before leaves the walker.

A chain never comes back to where it was, asks for nothing twice, and does not leave a room that it just
entered. Who carries out a step may end elsewhere than the reference does, in another corner of the room for
instance: a step is linked to the next only if the next means the same wherever one may have come in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.chains.build.poses import Atom, AtomIndex
from vlnscope.benchmarks.nuances.chains.judging import ChainJudge, turn_taken
from vlnscope.benchmarks.nuances.chains.steps import ChainStep

DOORSTEP = 2
"""Who enters or leaves a room does so within so many steps of the start."""
TRIES = 40
"""How many ways to go on are tried from a first step before it is given up."""


class ChainLink(NamedTuple):
    """A step of a chain: what is asked, with which view it begins, and where the walker may go on from."""

    atom: Atom
    heading: float
    handover: tuple[int, ...] = ()


Chain = tuple[ChainLink, ...]


class Linker:
    """Finds chains in a scene.

    Args:
        index: the atomic instructions of the scene.
        step_of: makes the step of an item.
    """

    def __init__(self, index: AtomIndex, step_of: Callable[[Atom], ChainStep]) -> None:
        self.index = index
        self.site: IndexedScene = index.site
        self._step_of = step_of

    def chain_from(self, first: Atom, length: int, rng: np.random.Generator) -> Chain | None:
        """Return a chain that begins with an item, None if none is found in a few tries."""
        tries = iter(range(TRIES))
        return next(self._extended((ChainLink(first, first.item.heading),), length, rng, tries), None)

    def _extended(
        self, chain: Chain, length: int, rng: np.random.Generator, tries: Iterator[int]
    ) -> Iterator[Chain]:
        if len(chain) == length:
            yield chain
            return
        last = chain[-1]
        row, heading = last.atom.path[-1], self.site.course(*last.atom.path[-2:])
        options = [atom for atom in self.index.next_atoms(row, heading) if _goes_on(self.site, chain, atom)]
        for pick in _others_first(options, last.atom, rng):
            if next(tries, None) is None:
                return
            handover = self._handover(last, pick)
            if handover:
                linked = (*chain[:-1], last._replace(handover=handover), ChainLink(pick, heading))
                yield from self._extended(linked, length, rng, tries)

    def _handover(self, link: ChainLink, after: Atom) -> tuple[int, ...]:
        """Return where a walker may be who carried out a step and can be asked the next; none if unsure."""
        atom, end = link.atom, link.atom.path[-1]
        judge = ChainJudge([self._step_of(atom)], self.site.graph, self.site.scene.id, link.heading)
        ends = [end]
        if not after.viewed:
            meanings = self.index.meanings
            ends += [row for row, asked in meanings.items() if row != end and after.meaning in asked]
        there = tuple(row for row in ends if self._carried_out(judge, link, row))
        if end not in there:
            return ()
        return there if set(self._arrivals(judge, link)) <= set(there) else ()

    def _carried_out(self, judge: ChainJudge, link: ChainLink, row: int) -> bool:
        atom = link.atom
        walk = atom.path if row == atom.path[-1] else self.site.walk(atom.path[0], row)
        if len(walk) < 2 or (
            atom.category in ("LR", "NU", "VM") and not self.site.on_storey(row, atom.path[-1])
        ):
            return False
        return judge.passes(0, self.site.named(walk), link.heading)

    def _arrivals(self, judge: ChainJudge, link: ChainLink) -> tuple[int, ...]:
        """Return where one may be who has just carried out a step: past a thing, inside or outside a room."""
        atom = link.atom
        if atom.category == "LR" and atom.item.subset == "past":
            aside = {other for row in atom.path[:-1] for other in self.site.ways[row]}
            return tuple(row for row in sorted(aside) if self._carried_out(judge, link, row))
        if atom.category == "DC":
            ways = self.site.ways[atom.path[0]]
            return tuple(row for row in ways if self._is_turn(link, row))
        if atom.category == "RR":
            return self._doorsteps(atom)
        return (atom.path[-1],)

    def _is_turn(self, link: ChainLink, row: int) -> bool:
        course = self.site.course(link.atom.path[0], row)
        return turn_taken(link.heading, course) == link.atom.item.subset

    def _doorsteps(self, atom: Atom) -> tuple[int, ...]:
        field = "valid_ends" if atom.item.subset == "into" else "region_starts"
        named = {self.site.graph.index[node] for node in atom.item.fields[field]}
        inside = named if atom.item.subset == "into" else set(range(len(self.site.ways))) - named
        front, seen, arrivals = [atom.path[0]], {atom.path[0]}, []
        for _ in range(DOORSTEP):
            reached = [row for here in front for row in self.site.ways[here] if row not in seen]
            seen |= set(reached)
            arrivals += [row for row in dict.fromkeys(reached) if row in inside]
            front = [row for row in dict.fromkeys(reached) if row not in inside]
        return tuple(arrivals)


def _goes_on(site: IndexedScene, chain: Sequence[ChainLink], atom: Atom) -> bool:
    """Return whether an item leads on: to new places, to something new, and not straight out again."""
    walked = {row for link in chain for row in link.atom.path}
    if walked & set(atom.path[1:]) or any(_target(link.atom) == _target(atom) for link in chain):
        return False
    before = chain[-1].atom
    if before.category == "DC" and atom.viewed and _leads_straight_on(site, before):
        return False
    entered = before.category == "RR" and before.item.subset == "into"
    return not (entered and atom.category == "RR" and atom.item.subset == "exit")


def _leads_straight_on(site: IndexedScene, turn: Atom) -> bool:
    """Return whether one may walk on after a turn, so that nobody knows where to turn next."""
    row, heading = turn.path[-1], site.course(*turn.path)
    return any(turn_taken(heading, site.course(row, other)) == "straight" for other in site.ways[row])


def _target(atom: Atom) -> tuple[object, ...]:
    """Return what an item is about, whether it is approached, passed, entered or left."""
    if atom.category == "RR":
        return "RR", atom.item.groups["room"]
    return (atom.category, *atom.meaning[2:]) if atom.category in ("LR", "VM") else atom.meaning


def _others_first(options: list[Atom], before: Atom, rng: np.random.Generator) -> list[Atom]:
    """Return the items in random order, those of another category than the one before first."""
    order = rng.permutation(len(options)).tolist()
    return sorted((options[k] for k in order), key=lambda atom: atom.category == before.category)
