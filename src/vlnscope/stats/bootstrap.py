"""Confidence intervals of means over nested rows, by resampling the units that hold the rows, as papers do.

`vlnscope.stats.estimate` makes the intervals that reports print; those here are options.

Episodes of one scene resemble each other, so they are not independent draws, and an interval that treats
them so is too narrow. Here whole units are drawn, by default those of the outermost level (scenes), and
everything in a drawn unit comes along: the cluster bootstrap. Drawing again with replacement inside the
drawn units adds the variance within units a second time and overstates the whole (A. C. Davison and
D. V. Hinkley, *Bootstrap Methods and their Application*, 1997, section 3.8); `replace` asks for it where a
protocol does.

Percentile intervals are too narrow with few clusters; those of `studentised` are made for that.
``perf/interval_coverage.py`` measures how often each covers the truth, and ``docs/statistics.md`` says which
to take when.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.stats.columns import Column, Sample, check_column, check_weights
from vlnscope.stats.interval import LEVEL, Interval, check_level
from vlnscope.stats.nesting import Nesting, Seeds
from vlnscope.stats.resampling import ResampledMeans, resampled_means, unit_totals
from vlnscope.stats.studentised import Ratios, error_ratios, standard_errors
from vlnscope.types import Flags, Floats

REPLICATES = 1000


class Bootstrap(NamedTuple):
    """How units are resampled.

    Attributes:
        method: percentile intervals, or studentised ones, which cover better where units are few, may be
            wide, and have no end where units agree too often.
        replicates: number of resamples.
        seed: equal seeds give equal resamples, whatever the columns are.
        replace: for each level, outermost first, whether its units are drawn with replacement or kept; levels
            that are not mentioned are kept. By default only the outermost level is drawn at which a column
            has values in more than one unit: scenes, or paths if there is a single scene.
    """

    method: Literal["percentile", "studentised"] = "percentile"
    replicates: int = REPLICATES
    seed: int = 0
    replace: tuple[bool, ...] | None = None


def bootstrap_intervals(
    columns: Mapping[str, Column],
    nesting: Nesting,
    how: Bootstrap,
    *,
    level: float = LEVEL,
    weights: Floats | None = None,
) -> dict[str, Interval]:
    """Give every column its mean and confidence interval, with the same resamples for all.

    Args:
        columns: the metrics by name.
        nesting: how the rows are nested.
        how: what is resampled.
        level: nominal coverage.
        weights: one per row, not negative, e.g. the number of episodes of a tour; equal by default.

    Returns:
        The intervals by name. Without any value, or without two units to draw from, the missing numbers
        are None and `reason` says why.

    Raises:
        InputError: a column or the weights do not fit the rows, or hold something that is not finite; or
            a studentised interval is asked for with a `replace` that draws anything but independent units
            of one level.

    Example:
        >>> nesting = Nesting.of({"scene": ["A", "A", "B", "B", "C"]})
        >>> success = Sample(np.array([1.0, 0.0, 1.0, 1.0, 0.0]), np.array([True, True, True, True, False]))
        >>> interval = bootstrap_intervals({"SR": success}, nesting, Bootstrap())["SR"]
        >>> interval.mean, interval.low, interval.high, interval.n, interval.undefined
        (0.75, 0.5, 1.0, 4, 1)
        >>> interval.units, interval.clusters
        (('scene',), 2)
    """
    check_level(level)
    seeds = _seeds(how.seed, how.replicates)
    weights = check_weights(weights, nesting)
    samples = {name: check_column(name, column, nesting) for name, column in columns.items()}
    draws = {name: _choose(nesting, sample, weights, how.replace) for name, sample in samples.items()}
    intervals: dict[str, Interval] = {}
    for draw in dict.fromkeys(draws.values()):
        group = {name: samples[name] for name in samples if draws[name] == draw}
        intervals.update(_intervals(group, nesting, draw, weights, seeds, level, how.method))
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
) -> ResampledMeans:
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
    totals = unit_totals(samples, nesting, draw, check_weights(weights, nesting))
    return resampled_means(totals, nesting, draw, _seeds(seed, replicates))


def _seeds(seed: int, replicates: int) -> Seeds:
    if replicates < 1:
        raise InputError(
            f"{replicates} bootstrap replicates", expected="at least 1", fix=f"take the usual {REPLICATES}"
        )
    return _drawn(seed, replicates).copy()


@lru_cache(maxsize=8)
def _drawn(seed: int, replicates: int) -> Seeds:
    """Draw the seeds of all replicates: the same ones for each of the many numbers of a report."""
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


def _intervals(
    samples: Mapping[str, Sample],
    nesting: Nesting,
    draw: tuple[bool, ...],
    weights: Floats,
    seeds: Seeds,
    level: float,
    method: Literal["percentile", "studentised"],
) -> dict[str, Interval]:
    """Summarise columns that are resampled in the same way."""
    totals = unit_totals(list(samples.values()), nesting, draw, weights)
    whole = resampled_means(totals, nesting, [False] * len(draw), seeds[:1]).values[0]
    errors = standard_errors(totals)
    drawn: ResampledMeans | Ratios
    if method == "percentile":
        drawn = resampled_means(totals, nesting, draw, seeds)
    else:
        drawn = error_ratios(totals, nesting, draw or (False,), seeds)
    intervals: dict[str, Interval] = {}
    for i, (name, sample) in enumerate(samples.items()):
        usable = sample.defined & (weights > 0)
        if method == "studentised" and draw and not _independent(nesting, usable, draw):
            raise _not_independent(nesting, draw)
        base = _without_bounds(nesting, sample, usable, draw, float(whole[i]), level)
        base = _with_error(base, float(errors[i]), nesting, usable, draw)
        known = drawn.values[drawn.defined[:, i], i]
        scale = None if method == "percentile" else float(errors[i])
        intervals[name] = _with_bounds(base, known, seeds.size, scale)
    return intervals


def _independent(nesting: Nesting, usable: Flags, draw: tuple[bool, ...]) -> bool:
    """Say whether one level is drawn whose units with a value all lie in one larger unit, or in none."""
    if sum(draw) != 1:
        return False
    level = draw.index(True)
    return level == 0 or nesting.units(level - 1, usable) <= 1


def _not_independent(nesting: Nesting, draw: tuple[bool, ...]) -> InputError:
    named = [nesting.names[i] for i, drawn in enumerate(draw) if drawn]
    return InputError(
        f"a studentised interval that resamples {', '.join(named) or 'nothing'}",
        expected=f"the independent units of one level, such as {nesting.names[0]}",
        fix='leave `replace` out, or take method="percentile"',
    )


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
        units=tuple(nesting.names[i] for i in levels),
        level=level,
        reason=_obstacle(nesting, n, usable, draw),
    )


def _with_error(
    base: Interval, error: float, nesting: Nesting, usable: Flags, draw: tuple[bool, ...]
) -> Interval:
    if base.clusters < 2 or not _independent(nesting, usable, draw):
        return base
    return msgspec.structs.replace(base, error=error * float(np.sqrt(base.clusters / (base.clusters - 1))))


def _with_bounds(base: Interval, drawn: Floats, replicates: int, scale: float | None) -> Interval:
    """Add the bounds: quantiles of resampled means, or, with a standard error as `scale`, of error ratios."""
    base = msgspec.structs.replace(base, method="percentile" if scale is None else "studentised")
    if base.reason:
        return base
    base = msgspec.structs.replace(base, skipped=replicates - int(drawn.size))
    if not drawn.size:
        return msgspec.structs.replace(
            base, reason=f"none of {replicates} resamples drew a row that has a value"
        )
    tails = (1 - base.level) / 2, (1 + base.level) / 2
    if scale is None:
        low, high = np.quantile(drawn, tails)
        return msgspec.structs.replace(base, low=float(low), high=float(high))
    return _with_ratios(base, drawn, tails, scale)


def _with_ratios(base: Interval, ratios: Floats, tails: tuple[float, float], scale: float) -> Interval:
    # No interpolation: some ratios may be infinite.
    left = float(np.quantile(ratios, tails[0], method="lower"))
    right = float(np.quantile(ratios, tails[1], method="higher"))
    if not (np.isfinite(left) and np.isfinite(right)):
        infinite = int(np.count_nonzero(~np.isfinite(ratios)))
        return msgspec.structs.replace(
            base,
            reason=f"in {infinite} of {ratios.size} resamples all drawn units agree,"
            " so the studentised interval has no end",
        )
    assert base.mean is not None
    return msgspec.structs.replace(base, low=base.mean - right * scale, high=base.mean - left * scale)


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
