"""The rows of an agent, sorted by what they are of: episodes or tours, memory kept or reset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.estimates import column, difference_of, grouped, mean_of
from vlnscope.benchmarks.tours.score.cases import WEIGHT
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

VARIANTS = ("kept", "reset")
KNOWN_FROM = 10
"""From this place on an agent is said to know the house: the paper's own anchor, ten episodes."""


class MemoryRows(NamedTuple):
    """Rows by variant; a variant that was not run has none.

    Attributes:
        episodes: rows of cases.
        tours: rows of whole tours.
    """

    episodes: dict[str, list[ScoreRow]]
    tours: dict[str, list[ScoreRow]]

    @property
    def paired(self) -> bool:
        """Whether there is anything to compare."""
        return all(self.episodes[kind] for kind in VARIANTS)


def memory_rows(rows: Sequence[ScoreRow]) -> MemoryRows:
    """Sort the rows of one agent."""
    found = grouped(rows, "level", "variant")
    return MemoryRows(
        {kind: found.get(("episode", kind), []) for kind in VARIANTS},
        {kind: found.get(("tour", kind), []) for kind in VARIANTS},
    )


def place_of(row: ScoreRow) -> int:
    """Return the position of an episode in its tour, from 0."""
    return int(row.groups["place"])


def tour_mean(rows: Sequence[ScoreRow], metric: str) -> Interval:
    """Return the mean over tours, each counting by its weight, as IVLN averages t-nDTW."""
    return mean_of(rows, metric, weights=column(rows, WEIGHT).values)


def tour_difference(kept: Sequence[ScoreRow], reset: Sequence[ScoreRow], metric: str) -> PairedDifference:
    """Return the weighted mean difference kept − reset over tours that both halves have."""
    return difference_of(kept, reset, metric, weighted_by=WEIGHT)
