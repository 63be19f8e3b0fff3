"""`--interval`: how `score` and `compare` make confidence intervals."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vlnscope.stats.bootstrap import Bootstrap

HELP = "cluster-t, in closed form; or a bootstrap that resamples scenes."


class Intervals(StrEnum):
    """Ways to make an interval."""

    cluster_t = "cluster-t"
    percentile = "percentile"
    studentised = "studentised"


def bootstrap(interval: Intervals, resamples: int, seed: int) -> Bootstrap | None:
    """Return how to resample; None for the closed form."""
    if interval is Intervals.cluster_t:
        return None
    from vlnscope.stats.bootstrap import Bootstrap

    return Bootstrap("percentile" if interval is Intervals.percentile else "studentised", resamples, seed)
