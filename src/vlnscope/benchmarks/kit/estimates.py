"""Means and paired differences over score rows, with an interval that says what it holds for.

Scenes are the independent observations; with fewer than six of them paths are, and what is found holds for
these scenes only (`vlnscope.stats.nesting.Nesting.independent`). `Interval.units` says which it was.
Intervals and tests are those of `vlnscope.stats.estimate`, so the same number has the same interval wherever
it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Sample
from vlnscope.stats.estimate import summarise
from vlnscope.stats.interval import SHARE, Interval, Range
from vlnscope.stats.nesting import FEW_UNITS, Nesting
from vlnscope.stats.paired import PairedDifference, paired_difference
from vlnscope.types import Floats, ScoreRow

HOW = "95 % intervals: cluster-robust t (CR2)"


def few_scenes(rows: Iterable[ScoreRow]) -> bool:
    """Say whether there are too few scenes to speak of others."""
    return len({row.scan for row in rows}) < FEW_UNITS


def scope(rows: Sequence[ScoreRow]) -> str:
    """Say what intervals over some rows hold for."""
    count = len({row.scan for row in rows})
    if few_scenes(rows):
        few = "one scene says" if count == 1 else f"{count} scenes say"
        return f"{HOW} over paths, because {few} too little of others: they hold for these"
    return (
        f"{HOW} over {count} scenes; where a number rests on fewer than {FEW_UNITS} scenes, over paths, "
        "and then it holds for these scenes only"
    )


def mean_of(
    rows: Sequence[ScoreRow], metric: str, *, within: Range = SHARE, weights: Floats | None = None
) -> Interval:
    """Return the (weighted) mean of a metric; rows without a value are counted as undefined.

    Args:
        rows: what is averaged.
        metric: name of the value.
        within: between which values it lies; a share by default.
        weights: one per row; equal by default.

    Raises:
        InputError: a value lies outside the range.

    Example:
        >>> rows = [
        ...     ScoreRow(episode_id=str(k), scan="ab"[k % 2], path_id=str(k), values={"SR": float(k > 1)})
        ...     for k in range(4)
        ... ]
        >>> mean_of(rows, "SR").mean
        0.5
    """
    return sample_mean(_checked(rows, metric, within), rows, within=within, weights=weights)


def sample_mean(
    sample: Sample, rows: Sequence[ScoreRow], *, within: Range = SHARE, weights: Floats | None = None
) -> Interval:
    """Return the (weighted) mean of numbers that belong to some rows."""
    return summarise({"": sample}, nesting_of(rows), ranges={"": within}, weights=weights)[""]


def difference_of(
    a: Sequence[ScoreRow],
    b: Sequence[ScoreRow],
    metric: str,
    *,
    pair: Callable[[ScoreRow], str] = lambda row: row.groups["pair"],
    within: Range = SHARE,
    weighted_by: str | None = None,
) -> PairedDifference:
    """Return the mean difference a − b of a metric over pairs of rows; rows without a partner are left out.

    Args:
        a: rows of one setting or agent.
        b: rows of the other.
        metric: name of the value.
        pair: what makes two rows a pair; the group ``pair`` by default.
        within: between which values the metric lies; a share by default.
        weighted_by: name of the value of rows of `a` by which pairs count; equally if None.

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
    one, other = (_checked(rows, metric, within) for rows in (left, right))
    return paired_difference(one, other, nesting_of(left), within=within, weights=weights)


def change_of(rows: Sequence[ScoreRow], metric: str, base: str, *, within: Range = SHARE) -> PairedDifference:
    """Return the mean of ``metric − base``, two values of the same rows."""
    after, before = (_checked(rows, name, within) for name in (metric, base))
    return paired_difference(after, before, nesting_of(rows), within=within)


def share_of(rows: Sequence[ScoreRow], holds: Callable[[ScoreRow], bool]) -> Interval:
    """Return the share of rows of which something holds."""
    values = np.array([holds(row) for row in rows], dtype=np.float64)
    return sample_mean(Sample(values, np.ones(len(rows), dtype=np.bool_)), rows)


def scene_difference(a: Sequence[ScoreRow], b: Sequence[ScoreRow], metric: str) -> PairedDifference | None:
    """Return how much greater a metric is in `a` than in `b`: the mean over scenes of differences of means.

    Scenes without rows of both kinds are left out; None if no scene has both.
    """
    means_a, means_b = _scene_means(a, metric), _scene_means(b, metric)
    if not {row.scan for row in means_a} & {row.scan for row in means_b}:
        return None
    return difference_of(means_a, means_b, metric, pair=lambda row: row.scan)


def plain_mean(rows: Iterable[ScoreRow], metric: str) -> float | None:
    """Return the mean of a metric over the rows that have it, without an interval."""
    values = [row.values[metric] for row in rows if metric in row.values]
    return sum(values) / len(values) if values else None


def nesting_of(rows: Sequence[ScoreRow]) -> Nesting:
    """Return how rows are nested: paths in scenes."""
    return Nesting.of({"scene": [row.scan for row in rows], "path": [row.path_id for row in rows]})


def select(rows: Iterable[ScoreRow], **groups: str) -> list[ScoreRow]:
    """Return the rows whose groups have all these values."""
    return [row for row in rows if all(row.groups.get(key) == value for key, value in groups.items())]


def grouped(rows: Iterable[ScoreRow], *keys: str) -> dict[tuple[str, ...], list[ScoreRow]]:
    """Return the rows by the values of some group keys, in the order of first appearance.

    Rows that lack one of the keys are left out.
    """
    groups: dict[tuple[str, ...], list[ScoreRow]] = {}
    for row in rows:
        if all(key in row.groups for key in keys):
            groups.setdefault(tuple(row.groups[key] for key in keys), []).append(row)
    return groups


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


def _checked(rows: Sequence[ScoreRow], metric: str, within: Range) -> Sample:
    """Return the values of a metric once they are known to lie in its range."""
    sample = column(rows, metric)
    known = sample.values[sample.defined]
    low, high = within
    if (low is not None and known.min(initial=low) < low) or (
        high is not None and known.max(initial=high) > high
    ):
        raise InputError(
            f"{metric} has values from {known.min()} to {known.max()}",
            expected=f"values within {within}",
            fix="say in which range the metric lies (within=…)",
        )
    return sample


def _scene_means(rows: Sequence[ScoreRow], metric: str) -> list[ScoreRow]:
    by_scene: dict[str, list[float]] = {}
    for row in rows:
        if metric in row.values:
            by_scene.setdefault(row.scan, []).append(row.values[metric])
    return [
        ScoreRow(episode_id=scan, scan=scan, path_id=scan, values={metric: sum(values) / len(values)})
        for scan, values in by_scene.items()
    ]


def _by_pair(rows: Sequence[ScoreRow], pair: Callable[[ScoreRow], str]) -> dict[str, ScoreRow]:
    by_pair: dict[str, ScoreRow] = {}
    for row in rows:
        key = pair(row)
        if key in by_pair:
            raise InputError(
                f"rows {by_pair[key].episode_id} and {row.episode_id} are the same half of pair {key}",
                expected="one row of each side per pair",
                fix="select the rows by their variant first",
            )
        by_pair[key] = row
    return by_pair
