"""How long tours are, and the rows of an agent: of episodes or tours, memory kept or reset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.estimates import column, difference_of, grouped, mean_of
from vlnscope.benchmarks.tours.score.cases import WEIGHT
from vlnscope.core.exceptions import InputError
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow, Tour


class TourLengths(msgspec.Struct, frozen=True, kw_only=True):
    """What Table 1 of IVLN says about a split; lengths are numbers of episodes.

    Attributes:
        scenes: scenes that have tours.
        episodes: episodes of all tours.
        tours: number of tours.
        tours_per_scene: tours of a scene, on average.
        mean: mean length.
        min: shortest.
        max: longest.
        sd: standard deviation of the lengths, of the population (divided by n).
        counts: number of tours of each length, ascending: the data of Figure 2a.
    """

    scenes: int
    episodes: int
    tours: int
    tours_per_scene: float
    mean: float
    min: int
    max: int
    sd: float
    counts: dict[int, int]


def tour_lengths(tours: Sequence[Tour]) -> TourLengths:
    """Count tours and their episodes.

    Example:
        >>> one, two = (Tour(tour_id=str(k), scan="a", episode_ids=("1_0",) * (k + 1)) for k in range(2))
        >>> tour_lengths([one, two]).counts
        {1: 1, 2: 1}

    Raises:
        InputError: there are no tours.
    """
    if not tours:
        raise InputError("there are no tours to count", expected="at least one", fix="check the tour file")
    lengths = np.array([len(tour.episode_ids) for tour in tours])
    scenes = len({tour.scan for tour in tours})
    return TourLengths(
        scenes=scenes,
        episodes=int(lengths.sum()),
        tours=len(tours),
        tours_per_scene=len(tours) / scenes,
        mean=float(lengths.mean()),
        min=int(lengths.min()),
        max=int(lengths.max()),
        sd=float(lengths.std()),
        counts=dict(sorted(Counter(lengths.tolist()).items())),
    )


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
    groups = grouped(rows, "level", "variant")
    return MemoryRows(
        {kind: groups.get(("episode", kind), []) for kind in VARIANTS},
        {kind: groups.get(("tour", kind), []) for kind in VARIANTS},
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
