"""A walk beside the reference: where on it the walker is, how far it kept to it, and where it left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.graph.navgraph import NavGraph

BESIDE = 1.5
"""So near to a place of the reference, in metres along edges, a walker is still on the way: viewpoints of one
room are often closer to each other than people care to say."""
_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class ReferencePath:
    """A reference on its graph.

    Attributes:
        graph: of the scene.
        rows: its viewpoints, as rows of the graph.
    """

    graph: NavGraph
    rows: tuple[int, ...]

    @classmethod
    def of(cls, graph: NavGraph, path: Sequence[str]) -> ReferencePath:
        """Make a way of viewpoint ids."""
        return cls(graph, tuple(graph.row(node) for node in path))

    @property
    def end(self) -> int:
        """Number of the last place."""
        return len(self.rows) - 1

    @cached_property
    def to_goal(self) -> Floats:
        """Metres from each viewpoint of the graph to the goal."""
        return np.asarray(self.graph.distances[:, self.rows[-1]])

    @cached_property
    def left(self) -> Floats:
        """Metres of the way that are left from each of its places on."""
        steps = self.graph.distances[list(self.rows[:-1]), list(self.rows[1:])]
        return np.concatenate((np.cumsum(steps[::-1])[::-1], [0.0]))

    @cached_property
    def _candidates(self) -> tuple[tuple[int, ...], ...]:
        """Return the nearest places for each viewpoint: several if the way comes by more than once."""
        apart = self.graph.distances[:, list(self.rows)]
        nearest = apart.min(axis=1, keepdims=True)
        fits = (apart <= nearest + _SAME) & (nearest <= BESIDE)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in fits)

    def place(self, row: int, before: int) -> int | None:
        """Return the number of the place at a viewpoint, or None off the way.

        It is the nearest place within `BESIDE`. Where the way comes by several times, it is the time that is
        nearest to the place `before`, and of two equally near the later one.
        """
        return min(self._candidates[row], key=lambda j: (abs(j - before), -j), default=None)

    def places(self, walk: Sequence[int]) -> tuple[int | None, ...]:
        """Return the places of a whole walk."""
        indices: list[int | None] = []
        before = 0
        for row in walk:
            at = self.place(row, before)
            indices.append(at)
            before = before if at is None else at
        return tuple(indices)


@dataclass(frozen=True, eq=False)
class Track:
    """What is known of a walk.

    Attributes:
        way: the described way.
        walk: rows of the viewpoints that were visited, turns on the spot left out.
        elements: for each of them, the number of the last element of the logged path that lies there.
        heading: where the walker looked at first; None if unknown.
        stopped: whether it called stop; None if unknown.
    """

    way: ReferencePath
    walk: tuple[int, ...]
    elements: tuple[int, ...]
    heading: float | None = None
    stopped: bool | None = None

    @classmethod
    def of(
        cls,
        way: ReferencePath,
        path: Sequence[str],
        *,
        heading: float | None = None,
        stopped: bool | None = None,
    ) -> Track:
        """Make a track of a logged path."""
        rows = [way.graph.row(node) for node in path]
        last = [k for k, row in enumerate(rows) if k + 1 == len(rows) or rows[k + 1] != row]
        return cls(way, tuple(rows[k] for k in last), tuple(last), heading, stopped)

    @property
    def end(self) -> int:
        """Number of moves, which is the number of the last visited place."""
        return len(self.walk) - 1

    @cached_property
    def places(self) -> tuple[int | None, ...]:
        """Where on the way each visited viewpoint is; None off the way."""
        return self.way.places(self.walk)

    @cached_property
    def furthest(self) -> int | None:
        """The furthest place of the way that was visited; None if none was."""
        return max((index for index in self.places if index is not None), default=None)

    @cached_property
    def left_at(self) -> int | None:
        """Number of the visited viewpoint from which the walk left the way for good; None if it did not.

        That is the last visit to the furthest place of the way: afterwards the walk never came as far again.
        Of several viewpoints beside that place, the last that is the place itself counts, if one is. A walk
        that ends at its furthest place, or that never was on the way, did not leave it.
        """
        if self.furthest is None or self.places[-1] == self.furthest:
            return None
        last = max(k for k, index in enumerate(self.places) if index == self.furthest)
        first = last
        while first and self.places[first - 1] == self.furthest:
            first -= 1
        itself = self.way.rows[self.furthest]
        exact = [k for k in range(first, last + 1) if self.walk[k] == itself]
        return exact[-1] if exact else last

    @cached_property
    def first_back(self) -> int | None:
        """Number of the visited viewpoint from which the walk first went to one visited before."""
        return next((k - 1 for k, row in enumerate(self.walk) if row in self.walk[:k]), None)

    @cached_property
    def again(self) -> int:
        """How many moves led to a viewpoint that had been visited before."""
        return len(self.walk) - len(set(self.walk))
