"""Means and paired differences over score rows, with scenes as the independent units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from vlnscope.exceptions import InputError
from vlnscope.stats.bootstrap import REPLICATES, Interval, Method, Sample, summarise
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import Difference, paired_difference
from vlnscope.types import ScoreRow


def mean_of(
    rows: Sequence[ScoreRow],
    metric: str,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    method: Method = "studentised",
) -> Interval:
    """Return the mean of a metric; rows without a value are counted as undefined.

    Example:
        >>> rows = [
        ...     ScoreRow(episode_id=str(k), scan="ab"[k % 2], path_id="p", values={"SR": float(k > 1)})
        ...     for k in range(4)
        ... ]
        >>> mean_of(rows, "SR").mean
        0.5
    """
    return summarise(
        {metric: _column(rows, metric)},
        _nesting(rows),
        replicates=replicates,
        seed=seed,
        method=method,
    )[metric]


def grouped(rows: Iterable[ScoreRow], *keys: str) -> dict[tuple[str, ...], list[ScoreRow]]:
    """Return the rows by the values of some group keys, in the order of first appearance.

    Rows that lack one of the keys are left out.
    """
    found: dict[tuple[str, ...], list[ScoreRow]] = {}
    for row in rows:
        if all(key in row.groups for key in keys):
            found.setdefault(tuple(row.groups[key] for key in keys), []).append(row)
    return found


def difference_of(
    a: Sequence[ScoreRow],
    b: Sequence[ScoreRow],
    metric: str,
    *,
    pair: Callable[[ScoreRow], str] = lambda row: row.groups["pair"],
    replicates: int = REPLICATES,
    seed: int = 0,
    method: Method = "studentised",
) -> Difference:
    """Return the mean difference a − b of a metric over pairs of rows; rows without a partner are left out.

    Args:
        a: rows of one setting or agent.
        b: rows of the other.
        metric: name of the value.
        pair: what makes two rows a pair; the group ``pair`` by default.
        replicates: resamples.
        seed: of the resamples.
        method: how the interval is made.

    Raises:
        InputError: two rows of one side have the same pair key, or no pair is complete.
    """
    left, right = _by_pair(a, pair), _by_pair(b, pair)
    both = [key for key in left if key in right]
    if not both:
        raise InputError(
            f"no two rows are paired, so {metric} cannot be compared",
            expected="rows of both sides with the same pair",
            fix="compare runs of the same cases",
        )
    rows_a, rows_b = [left[key] for key in both], [right[key] for key in both]
    return paired_difference(
        _column(rows_a, metric),
        _column(rows_b, metric),
        _nesting(rows_a),
        replicates=replicates,
        seed=seed,
        method=method,
    )


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


def _nesting(rows: Sequence[ScoreRow]) -> Nesting:
    return Nesting.of({"scene": [row.scan for row in rows]})


def _column(rows: Sequence[ScoreRow], metric: str) -> Sample:
    values = np.array([row.values.get(metric, 0.0) for row in rows], dtype=np.float64)
    defined = np.array([metric in row.values for row in rows], dtype=np.bool_)
    return Sample(values, defined)
