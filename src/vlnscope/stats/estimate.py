"""Means over rows inside scenes, with intervals and tests that take whole scenes as the observations.

Episodes of one scene resemble each other, so an interval that treats them as independent is far too narrow.
Here the units of one level, scenes, are the independent observations (`Nesting.independent`). The standard
error of the mean m of rows y with weights w is the cluster-robust one with the correction CR2: with W the sum
of all weights, W_g that of unit g, and h_g = W_g / W,

    SE² = Σ_g (Σ_(rows in g) w·(y − m))² / (1 − h_g) / W²,

which is unbiased if rows were independent after all (R. M. Bell and D. F. McCaffrey, 2002). The degrees of
freedom are Satterthwaite's for that working model,

    1 / df = Σ_g h_g² + (Σ_g q_g)² − Σ_g q_g²,    q_g = h_g² / (1 − h_g),

that is G − 1 for G units of equal size, and fewer where some are much larger than others. Both are closed
forms: no seed, no resampling, the same number everywhere. `vlnscope.stats.interval` makes interval and test
of them. ``perf/interval_coverage.py`` measures how often intervals cover the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.stats.bootstrap import Bootstrap, bootstrap_intervals
from vlnscope.stats.columns import Column, Sample, check_column, check_weights
from vlnscope.stats.interval import ANY, LEVEL, Interval, Range, check_level, observations_worth, scale_of
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Flags, Floats, Ints

FEWEST_UNITS = 3
"""Fewer units than this say nothing of their own spread."""


_ROUNDING = 1e-13


class UnitSums(NamedTuple):
    """What units add to a mean: per unit, the weighted sum of deviations from the mean, and the weight."""

    deviations: Floats
    masses: Floats


def summarise(
    columns: Mapping[str, Column],
    nesting: Nesting,
    *,
    ranges: Mapping[str, Range] | None = None,
    weights: Floats | None = None,
    level: float = LEVEL,
    bootstrap: Bootstrap | None = None,
) -> dict[str, Interval]:
    """Give every column its mean and confidence interval.

    Args:
        columns: the metrics by name.
        nesting: how the rows are nested.
        ranges: between which values each metric lies, which decides the scale of its interval; without limits
            if not given.
        weights: one per row, not negative, such as the number of episodes of a tour; equal by default.
        level: nominal coverage.
        bootstrap: resample units instead, as some papers do.

    Returns:
        The intervals by name. Without any value, or with fewer than three units, the missing numbers are None
        and `reason` says why.

    Raises:
        InputError: a column or the weights do not fit the rows, or hold something that is not finite.

    Example:
        >>> nesting = Nesting.of({"scene": list("AABBCCDDEEFF")})
        >>> success = Sample(np.array([1.0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0]), np.ones(12, dtype=np.bool_))
        >>> rate = summarise({"SR": success}, nesting, ranges={"SR": (0.0, 1.0)})["SR"]
        >>> round(rate.mean, 3), round(rate.low, 3), round(rate.high, 3), rate.units, rate.clusters
        (0.583, 0.216, 0.877, ('scene',), 6)
    """
    check_level(level)
    known = ranges or {}
    if bootstrap is not None:
        intervals = bootstrap_intervals(columns, nesting, bootstrap, weights=weights, level=level)
        return {name: _clipped(interval, known.get(name, ANY)) for name, interval in intervals.items()}
    weights = check_weights(weights, nesting)
    samples = {name: check_column(name, column, nesting) for name, column in columns.items()}
    return {
        name: mean_interval(sample, nesting, weights, known.get(name, ANY), level)
        for name, sample in samples.items()
    }


def mean_interval(
    sample: Sample,
    nesting: Nesting,
    weights: Floats,
    within: Range = ANY,
    level: float = LEVEL,
) -> Interval:
    """Return the mean of one checked column with its interval."""
    usable = sample.defined & (weights > 0)
    n = int(np.count_nonzero(sample.defined))
    chosen = nesting.independent(usable)
    base = Interval(
        mean=None,
        low=None,
        high=None,
        n=n,
        undefined=nesting.rows - n,
        clusters=0 if chosen is None else nesting.units(chosen, usable),
        units=() if chosen is None else (nesting.names[chosen],),
        level=level,
        scale=scale_of(within),
        within=within,
    )
    if not usable.any():
        return msgspec.structs.replace(base, reason=_nothing(nesting, n))
    values, shares = sample.values[usable], weights[usable]
    mean, within = _in_range(weighted_mean(values, shares), within)
    base = msgspec.structs.replace(base, mean=mean, within=within, scale=scale_of(within))
    if chosen is None or base.clusters < FEWEST_UNITS:
        return msgspec.structs.replace(base, reason=_too_few(base))
    sums = unit_sums(values, shares, mean, nesting.codes[chosen][usable])
    df = degrees_of_freedom(sums.masses)
    if values.min() == values.max() or mean in within:
        return _alike(base, nesting, usable, df)
    error = cluster_error(sums)
    if error <= 0:
        return msgspec.structs.replace(
            base,
            reason=f"all {base.clusters} {base.units[0]}s have the same mean, so their spread is unknown",
        )
    return msgspec.structs.replace(base, error=error, df=df).at(level)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the mean of values; that of equal values is exactly that value."""
    origin = float(values.min())
    return origin + float((weights * (values - origin)).sum() / weights.sum())


def unit_sums(values: Floats, weights: Floats, mean: float, codes: Ints) -> UnitSums:
    """Add up weights, and weighted deviations from a mean, over the units that rows belong to."""
    masses = np.bincount(codes, weights=weights).astype(np.float64)
    sums = np.bincount(codes, weights=weights * (values - mean)).astype(np.float64)
    return UnitSums(sums[masses > 0], masses[masses > 0])


def cluster_error(sums: UnitSums) -> float:
    """Return the standard error CR2 of a mean.

    Example:
        >>> round(cluster_error(UnitSums(np.array([-1.0, 0.0, 1.0]), np.ones(3))), 6) == round(1 / 3**0.5, 6)
        True
    """
    total = sums.masses.sum()
    parts = sums.deviations / np.sqrt(1 - sums.masses / total) / total
    largest = float(np.abs(parts).max(initial=0.0))
    return largest * float(np.sqrt(((parts / (largest or 1.0)) ** 2).sum()))  # squares must not vanish


def cluster_covariance(a: UnitSums, b: UnitSums) -> float:
    """Return the covariance CR2 of two means over the same rows with the same weights."""
    total = a.masses.sum()
    return float((a.deviations * b.deviations / (1 - a.masses / total)).sum() / total**2)


def degrees_of_freedom(masses: Floats) -> float:
    """Return Satterthwaite's degrees of freedom of the standard error of a mean over units of such weights.

    Example:
        >>> round(degrees_of_freedom(np.ones(11)), 6), round(degrees_of_freedom(np.array([9.0, 1.0, 1.0])), 2)
        (10.0, 1.22)
    """
    share = masses / masses.sum()
    q = share**2 / (1 - share)
    return float(1 / ((share**2).sum() + q.sum() ** 2 - (q**2).sum()))


def _alike(base: Interval, nesting: Nesting, usable: Flags, df: float) -> Interval:
    if None in base.within:
        return msgspec.structs.replace(
            base, reason=f"all {base.n} values are alike, so their spread is unknown"
        )
    deepest = max(len(nesting.names) - 2, 0)  # instructions of one path do not count apart
    count = max(base.clusters, observations_worth(nesting.units(deepest, usable), df, base.level))
    return msgspec.structs.replace(base, method="exact", df=count).at(base.level)


def _in_range(mean: float, within: Range) -> tuple[float, Range]:
    """Put a mean that leaves its range by rounding back; where it really does, there is no such range."""
    low, high = within
    slack = _ROUNDING * max(abs(mean), 1.0)
    if (low is not None and mean < low - slack) or (high is not None and mean > high + slack):
        return mean, ANY
    if low is not None and mean <= low + slack:
        return low, within
    if high is not None and mean >= high - slack:
        return high, within
    return mean, within


def _nothing(nesting: Nesting, n: int) -> str:
    if not nesting.rows:
        return "there are no rows"
    if not n:
        return f"none of the {nesting.rows} rows has a value"
    return f"all {n} rows that have a value have weight 0"


def _too_few(base: Interval) -> str:
    if not base.units:
        return "only one row has a value, which says nothing of its spread"
    return f"{base.clusters} {base.units[0]}s say too little of their spread"


def _clipped(interval: Interval, within: Range) -> Interval:
    """Return a bootstrap interval that ends where the range of its quantity does."""
    low, high = interval.low, interval.high
    if low is not None and within[0] is not None:
        low = max(low, within[0])
    if high is not None and within[1] is not None:
        high = min(high, within[1])
    return msgspec.structs.replace(interval, low=low, high=high, within=within)
