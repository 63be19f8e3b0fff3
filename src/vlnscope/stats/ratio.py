"""By which share of itself a mean changes: a ratio of two means over the same rows, with Fieller's interval.

A ratio r is compatible with the data if the mean of b − r·a is compatible with 0 by the t test of
`vlnscope.stats.estimate`. The ratios that are make the interval (E. C. Fieller, 1954). So it excludes 1 if
and only if the interval of the difference a − b excludes 0: what is said of a change does not depend on
whether it is told in points or in percent.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from vlnscope.stats.columns import Column, check_column
from vlnscope.stats.estimate import cluster_covariance, unit_sums
from vlnscope.stats.interval import Interval, t_quantile
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import PairedDifference, paired_difference

_UNSURE = 0.5
"""From this share of its square on that t² times its variance makes up, a mean is no base to relate to."""


def relative_change(base: Column, changed: Column, nesting: Nesting) -> Interval:
    """Return (changed − base) / base of the means of two quantities that are never negative.

    Args:
        base: what the change is relative to.
        changed: what became of it.
        nesting: how the rows are nested.

    Returns:
        The change with its interval, which never goes below −1. There is none where the mean of `base` is not
        clearly above 0, or the mean of `changed` is exactly 0; `reason` says so.

    Example:
        >>> from vlnscope.stats.columns import Sample
        >>> nesting = Nesting.of({"scene": list("ABCDEFGH")})
        >>> everywhere = np.ones(8, dtype=np.bool_)
        >>> right = Sample(np.array([0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9, 0.8]), everywhere)
        >>> wrong = Sample(np.array([0.4, 0.3, 0.5, 0.4, 0.3, 0.4, 0.4, 0.3]), everywhere)
        >>> found = relative_change(right, wrong, nesting)
        >>> [round(100 * number, 1) for number in (found.mean, found.low, found.high)]
        [-51.6, -59.3, -43.2]
    """
    difference = paired_difference(changed, base, nesting)
    change = Interval(
        **{name: getattr(difference, name) for name in Interval.__struct_fields__ if name != "error"}
    )
    change = msgspec.structs.replace(change, method="fieller", low=None, high=None, within=(-1.0, None))
    if not difference.mean_a and not difference.mean_b:
        return msgspec.structs.replace(change, mean=None, reason=change.reason or "both means are 0")
    if not difference.mean_b:
        return msgspec.structs.replace(change, mean=None, reason="the mean that changes is 0")
    assert difference.mean_a is not None
    change = msgspec.structs.replace(change, mean=difference.mean_a / difference.mean_b - 1)
    if difference.reason:
        return change
    if not difference.mean_a:
        return msgspec.structs.replace(change, reason="nothing is left of it in any row")
    return _with_ends(change, base, changed, nesting, difference)


def _with_ends(
    change: Interval, base: Column, changed: Column, nesting: Nesting, difference: PairedDifference
) -> Interval:
    a, b = check_column("base", base, nesting), check_column("changed", changed, nesting)
    both = a.defined & b.defined
    assert difference.mean_a is not None
    assert difference.mean_b is not None
    codes = nesting.codes[nesting.names.index(difference.units[0])][both]
    equal = np.ones(int(both.sum()))
    whole = unit_sums(a.values[both], equal, difference.mean_b, codes)
    rest = unit_sums(b.values[both], equal, difference.mean_a, codes)
    assert difference.df is not None
    t = t_quantile(difference.df, change.level)
    square = difference.mean_b**2 - t**2 * cluster_covariance(whole, whole)
    mixed = difference.mean_b * difference.mean_a - t**2 * cluster_covariance(whole, rest)
    free = difference.mean_a**2 - t**2 * cluster_covariance(rest, rest)
    inner = mixed**2 - square * free
    if square < (1 - _UNSURE) * difference.mean_b**2:
        return msgspec.structs.replace(change, reason="the mean that changes is not clearly above 0")
    if inner <= 0:
        return msgspec.structs.replace(change, reason="all rows change alike")
    low, high = ((mixed + sign * math.sqrt(inner)) / square - 1 for sign in (-1, 1))
    return msgspec.structs.replace(change, low=max(low, -1.0), high=high)
