"""Whether two orders of agents agree: a rank correlation, its test over agents, its interval over scenes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from vlnscope.core.rng import rng_for
from vlnscope.stats.bootstrap import REPLICATES
from vlnscope.stats.nesting import FEW_UNITS
from vlnscope.types import Flags, Floats, ScoreRow

MOST_ORDERS = 8
"""Up to so many agents all their orders are tried; with more, `DRAWN` of them."""
DRAWN = 20_000
_CLOSE = 1e-9
Scored = tuple[float, Sequence[ScoreRow]]
"""Rows, and how much their mean counts."""


class Totals(NamedTuple):
    """Sums and counts of an agent's values by scene.

    Attributes:
        shares: (G,) how much each part counts.
        sums: (G, S).
        counts: (G, S).
    """

    shares: Floats
    sums: Floats
    counts: Floats

    def means(self, weights: Floats) -> Floats:
        """(R,) the mean where scenes count by each row of ``weights`` (R, S); NaN where a part is empty."""
        with np.errstate(invalid="ignore", divide="ignore"):
            parts = (weights @ self.sums.T) / (weights @ self.counts.T)
            means: Floats = parts @ self.shares / self.shares.sum()
        return means

    @property
    def scenes(self) -> Flags:
        """(S,) in which scenes there is a value."""
        return np.asarray(self.counts.sum(axis=0) > 0)


class Agreement(NamedTuple):
    """How two orders of agents agree.

    Attributes:
        value: Spearman's rank correlation; None if all agents are equal in one of them, or one has no value.
        low: lower end of its 95 % interval, scenes being resampled (percentile); None with few scenes, or if
            most resamples have no order.
        high: upper end.
        p: how often a random order of the agents agrees, or disagrees, at least as much.
        agents: how many there are.
        scenes: how many there are in which all agents have a value of both.
        reason: why there is no value or no interval.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    agents: int
    scenes: int
    reason: str = ""


def scene_totals(parts: Sequence[Scored], metric: str, scenes: Sequence[str]) -> Totals:
    """Add up a metric by part and scene; rows without it do not count."""
    column = {scan: at for at, scan in enumerate(scenes)}
    sums = np.zeros((len(parts), len(scenes)))
    counts = np.zeros_like(sums)
    for part, (_, rows) in enumerate(parts):
        for row in rows:
            if metric in row.values:
                sums[part, column[row.scan]] += row.values[metric]
                counts[part, column[row.scan]] += 1
    return Totals(np.array([share for share, _ in parts], dtype=np.float64), sums, counts)


def agreement(first: Sequence[Totals], second: Sequence[Totals]) -> Agreement:
    """Compare two orders of the same agents.

    Args:
        first: one measure, an agent each.
        second: the other, the same agents in the same order.
    """
    agents, drawable = len(first), first[0].sums.shape[1]
    scenes = int(np.all([one.scenes for one in (*first, *second)], axis=0).sum())
    whole = np.ones((1, drawable))
    a, b = (np.stack([one.means(whole) for one in its], axis=1) for its in (first, second))
    value = float(correlations(a, b)[0])
    if math.isnan(value):
        missing = np.isnan(a).any() or np.isnan(b).any()
        why = "an agent has no value" if missing else "all agents are equal, so they have no order"
        return Agreement(None, None, None, None, agents, scenes, why)
    p = order_p(a[0], b[0], value)
    if scenes < FEW_UNITS:
        few = f"{scenes} scenes are too few for an interval"
        return Agreement(value, None, None, p, agents, scenes, few)
    drawn = rng_for(0, "agreement").multinomial(drawable, [1 / drawable] * drawable, REPLICATES)
    weights = drawn.astype(np.float64)
    a, b = (np.stack([one.means(weights) for one in its], axis=1) for its in (first, second))
    coefficients = correlations(a, b)
    ordered = coefficients[~np.isnan(coefficients)]
    if len(ordered) < len(coefficients) / 2:
        rare = "in most resamples of scenes agents are equal, or one has no value"
        return Agreement(value, None, None, p, agents, scenes, rare)
    low, high = np.quantile(ordered, (0.025, 0.975))
    return Agreement(value, float(low), float(high), p, agents, scenes)


def correlations(a: Floats, b: Floats) -> Floats:
    """(R,) Spearman's rank correlation of each row of two (R, N) arrays; NaN where one has no order.

    Example:
        >>> correlations(np.array([[1.0, 2.0, 3.0]]), np.array([[10.0, 30.0, 20.0]])).round(3).tolist()
        [0.5]
    """
    known = ~np.isnan(a).any(axis=1) & ~np.isnan(b).any(axis=1)
    x, y = (rankdata(np.nan_to_num(each), axis=1) for each in (a, b))
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    fine = known & (scale > 0)
    return np.where(fine, (x * y).sum(axis=1) / np.where(fine, scale, 1.0), np.nan)


def order_p(a: Floats, b: Floats, value: float) -> float:
    """Return how often a random order of agents correlates at least as strongly, in either direction.

    Example:
        >>> ahead = np.arange(5.0)
        >>> round(order_p(ahead, ahead, 1.0), 4)
        0.0167
    """
    count = len(a)
    if count <= MOST_ORDERS:
        orders = np.array(list(permutations(range(count))))
    else:
        rng = rng_for(0, "agreement", "orders", count)
        orders = np.stack([np.arange(count), *(rng.permutation(count) for _ in range(DRAWN))])
    coefficients = correlations(np.broadcast_to(a, orders.shape), b[orders])
    return float(np.mean(np.abs(coefficients) >= abs(value) - _CLOSE))
