"""Confidence intervals of means over nested rows, by resampling the units that hold the rows.

Episodes of one scene resemble each other, so they are not independent draws, and an interval that treats
them so is too narrow. Here whole units are drawn, by default those of the outermost level (scenes), and
everything in a drawn unit comes along: the cluster bootstrap. Drawing again with replacement inside the
drawn units adds the variance within units a second time and overstates the whole (A. C. Davison and
D. V. Hinkley, *Bootstrap Methods and their Application*, 1997, section 3.8); `replace` asks for it where a
protocol does.

The intervals are percentile intervals, which are too narrow with few clusters: in a simulation with scene
effects, nominal 95 % intervals covered the truth in 94.5 % of 4,000 samples of 30 scenes, and in 90 % with
11 scenes (intervals from resampled rows in 62 %).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from vlnscope.exceptions import InputError
from vlnscope.rng import rng_for
from vlnscope.stats.nesting import Nesting, Seeds, resampled_totals
from vlnscope.types import Flags, Floats

REPLICATES = 1000
LEVEL = 0.95


class Column(Protocol):
    """One metric over all rows: `values`, which mean nothing where a row is not `defined`."""

    @property
    def values(self) -> Floats:
        """One number per row."""

    @property
    def defined(self) -> Flags:
        """Which rows have a value."""


class Sample(NamedTuple):
    """A checked column: finite wherever it is defined."""

    values: Floats
    defined: Flags


class Means(NamedTuple):
    """Means per replicate and column; where no drawn row is `defined`, `values` holds 0."""

    values: Floats
    defined: Flags


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean and how sure it is.

    Attributes:
        mean: (weighted) mean over the rows that have a value; None if there are none.
        low: lower end of the percentile interval; None if there is no interval.
        high: upper end.
        n: rows that have a value.
        undefined: rows that have none, and count neither in the mean nor in the interval.
        clusters: units with a value at the outermost level that was resampled.
        resampled: names of the levels that were resampled.
        level: nominal coverage.
        skipped: replicates left out because they drew no row with a value.
        reason: why there is no mean or no interval; empty if there are both.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    undefined: int
    clusters: int
    resampled: tuple[str, ...]
    level: float
    skipped: int = 0
    reason: str = ""


def summarise(
    columns: Mapping[str, Column],
    nesting: Nesting,
    *,
    replicates: int = REPLICATES,
    replace: Sequence[bool] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    weights: Floats | None = None,
) -> dict[str, Interval]:
    """Give every column its mean and confidence interval, with the same resamples for all.

    Args:
        columns: the metrics by name.
        nesting: how the rows are nested.
        replicates: number of resamples.
        replace: for each level, outermost first, whether its units are drawn with replacement or kept;
            levels that are not mentioned are kept. By default only the outermost level is drawn at which
            the column has values in more than one unit: scenes, or paths if there is a single scene. The
            result names it.
        seed: equal seeds give equal resamples, whatever the columns are.
        level: nominal coverage.
        weights: one per row, not negative, e.g. the number of episodes of a tour; equal by default.

    Returns:
        The intervals by name. Without any value, or without two units to draw from, the missing numbers
        are None and `reason` says why.

    Raises:
        InputError: a column or the weights do not fit the rows, or hold something that is not finite.

    Example:
        >>> nesting = Nesting.of({"scene": ["A", "A", "B", "B", "C"]})
        >>> success = Sample(np.array([1.0, 0.0, 1.0, 1.0, 0.0]), np.array([True, True, True, True, False]))
        >>> interval = summarise({"SR": success}, nesting)["SR"]
        >>> interval.mean, interval.low, interval.high, interval.n, interval.undefined
        (0.75, 0.5, 1.0, 4, 1)
        >>> interval.resampled, interval.clusters
        (('scene',), 2)
    """
    if not 0 < level < 1:
        raise InputError(
            f"a confidence level of {level}",
            expected="a number between 0 and 1",
            fix="write 95 % as 0.95",
        )
    seeds = _seeds(seed, replicates)
    weights = _checked_weights(weights, nesting)
    samples = {name: check_column(name, column, nesting) for name, column in columns.items()}
    draws = {name: _choose(nesting, sample, weights, replace) for name, sample in samples.items()}
    intervals: dict[str, Interval] = {}
    for draw in dict.fromkeys(draws.values()):
        names = [name for name in samples if draws[name] == draw]
        group = [samples[name] for name in names]
        whole = _resample(group, nesting, [False] * len(draw), weights, seeds[:1])
        means = _resample(group, nesting, draw, weights, seeds)
        for i, name in enumerate(names):
            usable = samples[name].defined & (weights > 0)
            base = _without_bounds(nesting, samples[name], usable, draw, float(whole.values[0, i]), level)
            intervals[name] = _with_bounds(base, means.values[means.defined[:, i], i], seeds.size)
    return {name: intervals[name] for name in samples}


def bootstrap_means(
    values: Floats,
    defined: Flags,
    nesting: Nesting,
    *,
    replicates: int = REPLICATES,
    replace: Sequence[bool] = (True,),
    seed: int = 0,
    weights: Floats | None = None,
) -> Means:
    """Return the mean of each column in each resample, over the drawn rows that have a value.

    Args:
        values: (rows, columns).
        defined: which of them count, in the same shape.
        nesting: how the rows are nested.
        replicates: number of resamples; the first ones stay the same when more are asked for.
        replace: for each level, outermost first, whether its units are drawn with replacement (the
            default, for the outermost) or kept; levels that are not mentioned are kept.
        seed: equal seeds give equal resamples, whatever the values are.
        weights: one per row, not negative; equal by default.

    Returns:
        (replicates, columns) means, and which of them exist.
    """
    if values.ndim != 2 or defined.shape != values.shape:
        raise InputError(
            f"values of shape {values.shape} with marks of shape {defined.shape}",
            expected="two arrays of the same shape (rows, columns)",
            fix="mark every value as defined or not; turn a single column into values[:, None]",
        )
    samples = [
        check_column(str(i), Sample(values[:, i], defined[:, i]), nesting) for i in range(values.shape[1])
    ]
    draw = _trimmed(nesting.replacement(replace))
    return _resample(samples, nesting, draw, _checked_weights(weights, nesting), _seeds(seed, replicates))


def check_column(name: str, column: Column, nesting: Nesting) -> Sample:
    """Return the content of a column once it is known to fit the rows and to be finite where defined."""
    values, defined = np.asarray(column.values, dtype=np.float64), np.asarray(column.defined, dtype=np.bool_)
    if values.shape != (nesting.rows,) or defined.shape != (nesting.rows,):
        raise InputError(
            f"column {name!r} has values of shape {values.shape} and marks of shape {defined.shape}",
            expected=f"one of each for the {nesting.rows} rows",
            fix="take the nesting and the column from the same table",
        )
    wrong = np.flatnonzero(defined & ~np.isfinite(values))
    if wrong.size:
        raise InputError(
            f"column {name!r}: row {wrong[0]} counts as defined but holds {values[wrong[0]]}"
            f" ({wrong.size} such rows)",
            expected="finite numbers wherever a metric is defined",
            fix="mark these rows as undefined",
        )
    return Sample(values, defined)


def _checked_weights(weights: Floats | None, nesting: Nesting) -> Floats:
    if weights is None:
        return np.ones(nesting.rows)
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (nesting.rows,) or not np.all(np.isfinite(weights) & (weights >= 0)):
        raise InputError(
            f"weights of shape {weights.shape} for {nesting.rows} rows, the smallest being"
            f" {weights.min(initial=np.inf)}",
            expected="one finite weight per row, none negative",
            fix="leave the weights out to count all rows equally",
        )
    return weights


def _seeds(seed: int, replicates: int) -> Seeds:
    if replicates < 1:
        raise InputError(
            f"{replicates} bootstrap replicates", expected="at least 1", fix=f"take the usual {REPLICATES}"
        )
    return rng_for(seed, "bootstrap").integers(2**64, size=replicates, dtype=np.uint64)


def _choose(
    nesting: Nesting, sample: Sample, weights: Floats, replace: Sequence[bool] | None
) -> tuple[bool, ...]:
    if replace is not None:
        return _trimmed(nesting.replacement(replace))
    level = nesting.outermost(sample.defined & (weights > 0))
    return () if level is None else (*[False] * level, True)


def _trimmed(replace: tuple[bool, ...]) -> tuple[bool, ...]:
    depth = max((level + 1 for level, drawn in enumerate(replace) if drawn), default=1)
    return replace[:depth]


def _resample(
    samples: Sequence[Sample], nesting: Nesting, draw: Sequence[bool], weights: Floats, seeds: Seeds
) -> Means:
    deepest = max(len(draw) - 1, 0)
    codes, units, m = nesting.codes[deepest], nesting.sizes[deepest], len(samples)
    origins, totals = np.zeros(m), np.zeros((units, 2 * m))
    for i, (values, defined) in enumerate(samples):
        if defined.any():
            origins[i] = values[defined].min()
        # Summing what exceeds the smallest value keeps a constant column exactly constant.
        share = np.where(defined, weights, 0.0)
        excess = np.where(defined, values, origins[i]) - origins[i]
        totals[:, i] = np.bincount(codes, weights=share * excess, minlength=units)
        totals[:, m + i] = np.bincount(codes, weights=share, minlength=units)
    drawn = resampled_totals(nesting, draw or (False,), totals, seeds)
    sums, mass = drawn[:, :m], drawn[:, m:]
    exists = mass > 0
    return Means(np.where(exists, origins + sums / np.where(exists, mass, 1.0), 0.0), exists)


def _without_bounds(
    nesting: Nesting, sample: Sample, usable: Flags, draw: tuple[bool, ...], mean: float, level: float
) -> Interval:
    levels = [i for i, drawn in enumerate(draw) if drawn]
    n = int(np.count_nonzero(sample.defined))
    return Interval(
        mean=mean if usable.any() else None,
        low=None,
        high=None,
        n=n,
        undefined=nesting.rows - n,
        clusters=nesting.units(levels[0], usable) if levels else 0,
        resampled=tuple(nesting.names[i] for i in levels),
        level=level,
        reason=_obstacle(nesting, n, usable, draw),
    )


def _with_bounds(base: Interval, means: Floats, replicates: int) -> Interval:
    if base.reason:
        return base
    if not means.size:
        return msgspec.structs.replace(
            base, skipped=replicates, reason=f"none of {replicates} resamples drew a row that has a value"
        )
    low, high = np.quantile(means, [(1 - base.level) / 2, (1 + base.level) / 2])
    return msgspec.structs.replace(
        base, low=float(low), high=float(high), skipped=replicates - int(means.size)
    )


def _obstacle(nesting: Nesting, n: int, usable: Flags, draw: tuple[bool, ...]) -> str:
    """Say why there can be no interval; nothing if there can."""
    if not nesting.rows:
        return "there are no rows"
    if not n:
        return f"none of the {nesting.rows} rows has a value"
    if not usable.any():
        return f"all {n} rows that have a value have weight 0"
    if not draw:
        return "only one row has a value, so there is nothing to resample"
    sizes = (1, *nesting.sizes)
    levels = [i for i, drawn in enumerate(draw) if drawn]
    if levels and not any(nesting.units(i, usable) > 1 and sizes[i + 1] > sizes[i] for i in levels):
        named = ", ".join(nesting.names[i] for i in levels)
        return f"the values lie in one unit wherever units are resampled ({named})"
    return ""
