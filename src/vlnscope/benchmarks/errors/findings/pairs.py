"""Numbers of pairs: what an error costs, absolutely and relatively, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.errors.score import PARTED, PARTING
from vlnscope.benchmarks.kit.estimates import column, difference_of, mean_of, nesting_of, partners, select
from vlnscope.stats.interval import SIZE, Interval
from vlnscope.stats.paired import PairedDifference
from vlnscope.stats.ratio import relative_change
from vlnscope.types import ScoreRow


class Cost(NamedTuple):
    """What one type of error costs one agent.

    Attributes:
        clean, wrong: the rows of complete pairs, in the same order.
        sr, spl: right minus wrong, so that a loss is positive.
        relative: (wrong − right) / right of SR, as the tables of R2RIE-CE have it; None if no right
            instruction was followed to its goal.
        parted: share of pairs whose walks differ.
        parting: mean first step at which those differ.
    """

    clean: list[ScoreRow]
    wrong: list[ScoreRow]
    sr: PairedDifference
    spl: PairedDifference
    relative: Interval | None
    parted: Interval
    parting: Interval

    def mean(self, metric: str, *variants: str) -> float | None:
        """Return the mean of a metric over one variant or both."""
        rows = [row for name in variants or ("clean", "wrong") for row in getattr(self, name)]
        values = [row.values[metric] for row in rows if metric in row.values]
        return float(np.mean(values)) if values else None


def complete_pairs(rows: Sequence[ScoreRow]) -> tuple[list[ScoreRow], list[ScoreRow]]:
    """Return the right and the wrong rows of complete pairs, in the same order."""
    return partners(select(rows, variant="clean"), select(rows, variant="wrong"))


def loss_of(rows: Sequence[ScoreRow]) -> PairedDifference | None:
    """Return the loss of SR alone, right minus wrong, as `cost_of` does."""
    clean, wrong = complete_pairs(rows)
    return difference_of(clean, wrong, "SR") if clean else None


def cost_of(rows: Sequence[ScoreRow]) -> Cost | None:
    """Return what errors cost over the complete pairs among some rows; None if there is no such pair."""
    clean, wrong = complete_pairs(rows)
    if not clean:
        return None
    return Cost(
        clean=clean,
        wrong=wrong,
        sr=difference_of(clean, wrong, "SR"),
        spl=difference_of(clean, wrong, "SPL"),
        relative=relative_loss(clean, wrong, "SR"),
        parted=mean_of(wrong, PARTED),
        parting=mean_of(wrong, PARTING, within=SIZE),
    )


def relative_loss(clean: Sequence[ScoreRow], wrong: Sequence[ScoreRow], metric: str) -> Interval | None:
    """Return (wrong − right) / right of two means over pairs, None if the right ones have mean 0.

    Pairs that lack a value are left out. The interval excludes 0 where that of the difference does.
    """
    interval = relative_change(column(clean, metric), column(wrong, metric), nesting_of(clean))
    return None if interval.mean is None else interval
