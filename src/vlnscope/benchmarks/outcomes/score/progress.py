"""Where a walker is on the described way: the reference of an episode as a measure of progress."""

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
        found: list[int | None] = []
        before = 0
        for row in walk:
            at = self.place(row, before)
            found.append(at)
            before = before if at is None else at
        return tuple(found)
