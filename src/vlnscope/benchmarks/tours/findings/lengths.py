"""How long tours are: Table 1 and Figure 2a of IVLN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Tour


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
