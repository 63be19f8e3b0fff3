"""Means and paired differences over score rows, with an interval that says what it holds for.

Episodes of one scene resemble each other, so scenes are what is resampled, and intervals are studentised,
because benchmarks rarely have thirty of them (`vlnscope.stats.bootstrap`). Where a studentised interval has
no end, since most scenes agree exactly as those of an oracle do, it is the percentile one.

Five scenes or fewer say nothing of other scenes: no sign-flip test over them can reach p < 0.05. Then paths
are resampled in their place, and what is found holds for these scenes only. `Interval.resampled` says which
it was. Fewer than six units that all agree show nothing, and get no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

from vlnscope.exceptions import InputError
from vlnscope.stats.bootstrap import REPLICATES, Interval, Sample, summarise
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import Difference, paired_difference
from vlnscope.types import Floats, ScoreRow

FEW_SCENES = 6
"""With fewer scenes than this, paths are resampled in their place."""
AnInterval = TypeVar("AnInterval", bound=Interval)


class Resampling(NamedTuple):
    """How intervals are made: ``mean_of(rows, "SR", **how._asdict())``."""

    replicates: int = REPLICATES
    seed: int = 0


def few_scenes(rows: Iterable[ScoreRow]) -> bool:
    """Say whether there are too few scenes to speak of others."""
    return len({row.scan for row in rows}) < FEW_SCENES


def scope(rows: Sequence[ScoreRow]) -> str:
    """Say what intervals over some rows hold for."""
    count = len({row.scan for row in rows})
    how = "95 % intervals: bootstrap, studentised where such an interval has an end, else percentile"
    if few_scenes(rows):
        few = "one scene says" if count == 1 else f"{count} scenes say"
        return f"{how}; over paths, because {few} too little of others: they hold for these"
    return (
        f"{how}; over {count} scenes; where a number rests on fewer than {FEW_SCENES} scenes, over paths, "
        "and then it holds for these scenes only"
    )


def mean_of(
    rows: Sequence[ScoreRow],
    metric: str,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    weights: Floats | None = None,
) -> Interval:
    """Return the (weighted) mean of a metric; rows without a value are counted as undefined.

    Example:
        >>> rows = [
        ...     ScoreRow(episode_id=str(k), scan="ab"[k % 2], path_id=str(k), values={"SR": float(k > 1)})
        ...     for k in range(4)
        ... ]
        >>> mean_of(rows, "SR").mean
        0.5
    """
    return sample_mean(column(rows, metric), rows, replicates=replicates, seed=seed, weights=weights)


def sample_mean(
    sample: Sample,
    rows: Sequence[ScoreRow],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    weights: Floats | None = None,
) -> Interval:
    """Return the (weighted) mean of numbers that belong to some rows."""

    def make(**how: Any) -> Interval:
        return summarise({"": sample}, replicates=replicates, seed=seed, weights=weights, **how)[""]

    return _estimated(make, rows)


def as_share(interval: Interval) -> Interval:
    """Return the interval of a mean of shares, cut at 0 and 1, which studentised ones may pass."""
    if interval.low is None or interval.high is None:
        return interval
    return replace(interval, low=max(interval.low, 0.0), high=min(interval.high, 1.0))


def difference_of(
    a: Sequence[ScoreRow],
    b: Sequence[ScoreRow],
    metric: str,
    *,
    pair: Callable[[ScoreRow], str] = lambda row: row.groups["pair"],
    weighted_by: str | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Difference:
    """Return the mean difference a − b of a metric over pairs of rows; rows without a partner are left out.

    Args:
        a: rows of one setting or agent.
        b: rows of the other.
        metric: name of the value.
        pair: what makes two rows a pair; the group ``pair`` by default.
        weighted_by: name of the value of rows of `a` by which pairs count; equally if None.
        replicates: resamples.
        seed: of the resamples.

    Raises:
        InputError: two rows of one side have the same pair key, or no pair is complete.
    """
    left, right = partners(a, b, pair)
    if not left:
        raise InputError(
            f"no two rows are paired, so {metric} cannot be compared",
            expected="rows of both sides with the same pair",
            fix="compare runs of the same cases",
        )
    weights = None if weighted_by is None else column(left, weighted_by).values
    make = partial(
        paired_difference,
        column(left, metric),
        column(right, metric),
        replicates=replicates,
        seed=seed,
        weights=weights,
    )
    return _estimated(make, left)


def change_of(
    rows: Sequence[ScoreRow], metric: str, base: str, *, replicates: int = REPLICATES, seed: int = 0
) -> Difference:
    """Return the mean of ``metric − base``, two values of the same rows."""
    make = partial(
        paired_difference, column(rows, metric), column(rows, base), replicates=replicates, seed=seed
    )
    return _estimated(make, rows)


def grouped(rows: Iterable[ScoreRow], *keys: str) -> dict[tuple[str, ...], list[ScoreRow]]:
    """Return the rows by the values of some group keys, in the order of first appearance.

    Rows that lack one of the keys are left out.
    """
    found: dict[tuple[str, ...], list[ScoreRow]] = {}
    for row in rows:
        if all(key in row.groups for key in keys):
            found.setdefault(tuple(row.groups[key] for key in keys), []).append(row)
    return found


def partners(
    a: Sequence[ScoreRow],
    b: Sequence[ScoreRow],
    pair: Callable[[ScoreRow], str] = lambda row: row.groups["pair"],
) -> tuple[list[ScoreRow], list[ScoreRow]]:
    """Return the rows of both sides that have a partner, partner beside partner.

    Raises:
        InputError: two rows of one side have the same pair key.
    """
    left, right = _by_pair(a, pair), _by_pair(b, pair)
    both = [key for key in left if key in right]
    return [left[key] for key in both], [right[key] for key in both]


def column(rows: Sequence[ScoreRow], metric: str) -> Sample:
    """Return the values of a metric, and which rows have one."""
    values = np.array([row.values.get(metric, 0.0) for row in rows], dtype=np.float64)
    return Sample(values, np.array([metric in row.values for row in rows], dtype=np.bool_))


def _estimated(make: Callable[..., AnInterval], rows: Sequence[ScoreRow]) -> AnInterval:
    if few_scenes(rows):
        units = Nesting.of({"path": [f"{row.scan}/{row.path_id}" for row in rows]})
    else:
        units = Nesting.of({"scene": [row.scan for row in rows]})
    found = make(nesting=units, method="auto")
    if found.low is not None and found.low == found.high and found.clusters < FEW_SCENES:
        reason = f"units that agree exactly show nothing, and there are {found.clusters}"
        return replace(found, low=None, high=None, reason=reason)
    return found


def _by_pair(rows: Sequence[ScoreRow], pair: Callable[[ScoreRow], str]) -> dict[str, ScoreRow]:
    found: dict[str, ScoreRow] = {}
    for row in rows:
        key = pair(row)
        if key in found:
            raise InputError(
                f"rows {found[key].episode_id} and {row.episode_id} are the same half of pair {key}",
                expected="one row of each side per pair",
                fix="select the rows by their variant first",
            )
        found[key] = row
    return found
