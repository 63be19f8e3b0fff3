"""Numbers of pairs: what an error costs, absolutely and relatively, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from vlnscope.benchmarks.errors.score import PARTED, PARTING
from vlnscope.benchmarks.estimates import Resampling, as_share, difference_of, mean_of, partners
from vlnscope.stats.bootstrap import Interval
from vlnscope.stats.paired import Difference
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
    sr: Difference
    spl: Difference
    relative: Interval | None
    parted: Interval
    parting: Interval

    def mean(self, metric: str, *variants: str) -> float | None:
        """Return the mean of a metric over one variant or both."""
        rows = [row for name in variants or ("clean", "wrong") for row in getattr(self, name)]
        values = [row.values[metric] for row in rows if metric in row.values]
        return float(np.mean(values)) if values else None


def halves(rows: Sequence[ScoreRow]) -> tuple[list[ScoreRow], list[ScoreRow]]:
    """Return the right and the wrong rows of complete pairs, in the same order."""
    sides = {name: [row for row in rows if row.groups["variant"] == name] for name in ("clean", "wrong")}
    return partners(sides["clean"], sides["wrong"])


def loss_of(rows: Sequence[ScoreRow], how: Resampling) -> Difference | None:
    """Return the loss of SR alone, right minus wrong, as `cost_of` does."""
    clean, wrong = halves(rows)
    return difference_of(clean, wrong, "SR", **how._asdict()) if clean else None


def cost_of(rows: Sequence[ScoreRow], how: Resampling) -> Cost | None:
    """Return what errors cost over the complete pairs among some rows; None if there is no such pair."""
    clean, wrong = halves(rows)
    if not clean:
        return None
    return Cost(
        clean=clean,
        wrong=wrong,
        sr=difference_of(clean, wrong, "SR", **how._asdict()),
        spl=difference_of(clean, wrong, "SPL", **how._asdict()),
        relative=relative_change(clean, wrong, "SR", how),
        parted=as_share(mean_of(wrong, PARTED, **how._asdict())),
        parting=mean_of(wrong, PARTING, **how._asdict()),
    )


def relative_change(
    clean: Sequence[ScoreRow], wrong: Sequence[ScoreRow], metric: str, how: Resampling
) -> Interval | None:
    """Return (wrong − right) / right of two means over pairs, None if the right ones have mean 0.

    A ratio of means is no mean, so its interval is that of the linearised ratio: with r = W / C, the pair
    (c, w) contributes r − 1 + (w − r·c) / C, whose mean is r − 1 and whose spread over scenes is, to first
    order, that of the ratio (W. G. Cochran, *Sampling Techniques*, 1977, section 2.11). At r = 0 that spread
    is nought whatever the data, so there is no interval. Pairs that lack a value are left out.
    """
    both = [(c, w) for c, w in zip(clean, wrong, strict=True) if metric in c.values and metric in w.values]
    base = float(np.mean([c.values[metric] for c, _ in both])) if both else 0.0
    if not base:
        return None
    ratio = float(np.mean([w.values[metric] for _, w in both])) / base
    rows = [
        replace(w, values={"change": ratio - 1 + (w.values[metric] - ratio * c.values[metric]) / base})
        for c, w in both
    ]
    found = mean_of(rows, "change", **how._asdict())
    if ratio:
        return found
    return replace(found, low=None, high=None, reason="none of the wrong instructions has a value above 0")
