"""A walk beside the way that was described: how far it kept to it, and where it left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vlnscope.benchmarks.outcomes.score.progress import ReferencePath


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
        return max((place for place in self.places if place is not None), default=None)

    @cached_property
    def left_at(self) -> int | None:
        """Number of the visited viewpoint from which the walk left the way for good; None if it did not.

        That is the last visit to the furthest place of the way: afterwards the walk never came as far again.
        Of several viewpoints beside that place, the last that is the place itself counts, if one is. A walk
        that ends at its furthest place, or that never was on the way, did not leave it.
        """
        if self.furthest is None or self.places[-1] == self.furthest:
            return None
        last = max(k for k, place in enumerate(self.places) if place == self.furthest)
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
