"""Do two results over the same episodes really differ?

Both are compared episode by episode, so what makes an episode hard for everybody cancels out. Whole
units of the nesting (scenes) count as the independent observations, in the interval and in the test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.columns import Column, Sample, check_column, check_weights
from vlnscope.stats.estimate import mean_interval, summarise, weighted_mean
from vlnscope.stats.interval import ANY, LEVEL, Interval, Range
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats, Ints

EXACT_CLUSTERS = 14
PERMUTATIONS = 9_999
_BLOCK = 1 << 22


class PairedDifference(Interval, frozen=True, kw_only=True):
    """The mean difference A − B with its interval, and a test of whether it is zero.

    What `Interval` says holds for the difference; a row is undefined if it is so in A or in B.

    Attributes:
        mean_a: mean of A over the rows that both have; None if there are none.
        mean_b: the same of B.
        wins: rows where A is better.
        ties: rows where both are equal.
        losses: rows where B is better.
        p: two-sided p-value of the hypothesis that the difference is 0; None where there is no test.
        p_method: the t test that belongs to the interval (``exact`` where all rows are alike), or beside a
            bootstrap the cluster sign-flip test, over all sign patterns or a sample of them.
    """

    mean_a: float | None
    mean_b: float | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_method: Literal["cluster-t", "exact", "all sign flips", "sampled sign flips", "none"]


class SignFlip(NamedTuple):
    """A p-value and whether it comes from all sign patterns."""

    p_value: float
    exact: bool


def paired_difference(
    a: Column,
    b: Column,
    nesting: Nesting,
    *,
    within: Range = ANY,
    higher_is_better: bool = True,
    weights: Floats | None = None,
    level: float = LEVEL,
    bootstrap: Bootstrap | None = None,
) -> PairedDifference:
    """Compare two columns over the same rows, which the caller has aligned (see `align`).

    Args:
        a: one result.
        b: the other.
        nesting: how the rows are nested.
        within: the range of both, which limits how far apart they can be.
        higher_is_better: which way a row is won.
        weights: one per row, not negative; equal by default.
        level: nominal coverage.
        bootstrap: resample units and flip signs instead of the t interval and its test.

    Raises:
        InputError: a column or the weights do not fit the rows, or hold something that is not finite.

    Example:
        >>> scenes = Nesting.of({"scene": list("AABBCC")})
        >>> everywhere = np.ones(6, dtype=np.bool_)
        >>> a = Sample(np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0]), everywhere)
        >>> b = Sample(np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0]), everywhere)
        >>> d = paired_difference(a, b, scenes, within=(0.0, 1.0))
        >>> d.mean, (d.wins, d.ties, d.losses), d.clusters
        (0.5, (3, 3, 0), 3)
    """
    a, b = check_column("A", a, nesting), check_column("B", b, nesting)
    both = a.defined & b.defined
    difference = Sample(np.where(both, a.values, 0.0) - np.where(both, b.values, 0.0), both)
    shares = check_weights(weights, nesting)
    usable = both & (shares > 0)
    means = [weighted_mean(side.values[usable], shares[usable]) if usable.any() else None for side in (a, b)]
    better = difference.values[both] if higher_is_better else -difference.values[both]
    interval, p, p_method = _tested(difference, nesting, shares, difference_range(within), level, bootstrap)
    return PairedDifference(
        **{name: getattr(interval, name) for name in Interval.__struct_fields__},
        mean_a=means[0],
        mean_b=means[1],
        wins=int(np.count_nonzero(better > 0)),
        ties=int(np.count_nonzero(better == 0)),
        losses=int(np.count_nonzero(better < 0)),
        p=p,
        p_method=p_method,
    )


def difference_range(within: Range) -> Range:
    """Return the range of differences between two quantities of a range.

    Example:
        >>> difference_range((0.0, 1.0)), difference_range((0.0, None))
        ((-1.0, 1.0), (None, None))
    """
    low, high = within
    return ANY if low is None or high is None else (low - high, high - low)


def sign_flip(totals: Floats, seed: int = 0) -> SignFlip:
    """Test whether clusters favour either side, from the sum of differences of each cluster.

    If both results were interchangeable within each cluster, every cluster's sum could as well have had
    the other sign. The p-value is the share of sign patterns whose total is at least as far from zero as
    the real one. All 2^k patterns of the k clusters with a sum other than zero are tried if k ≤ 14, so
    the smallest possible value is 2/2^k; else 9,999 are drawn, and the real one counts among them
    (B. Phipson and G. K. Smyth, 2010).

    Example:
        >>> sign_flip(np.array([1.0, 2.0, 3.0]))
        SignFlip(p_value=0.25, exact=True)
    """
    totals = totals[totals != 0]
    # Patterns that tie with the real one must count however their sums are rounded.
    limit = abs(totals.sum()) - 1e-9 * np.abs(totals).sum()
    if totals.size <= EXACT_CLUSTERS:
        sums = np.zeros(1)
        for total in totals:
            sums = np.concatenate([sums + total, sums - total])
        return SignFlip(float(np.mean(np.abs(sums) >= limit)), exact=True)
    extreme = sum(int(np.count_nonzero(np.abs(sums) >= limit)) for sums in _flipped(totals, seed))
    return SignFlip((1 + extreme) / (1 + PERMUTATIONS), exact=False)


def align(ids_a: Sequence[str], ids_b: Sequence[str], names: tuple[str, str] = ("A", "B")) -> Ints:
    """Return the rows of B in the order of A's ids.

    Args:
        ids_a: ids of A's rows.
        ids_b: ids of B's rows, in any order.
        names: what to call A and B in errors.

    Raises:
        InputError: an id occurs twice, or only on one side.

    Example:
        >>> align(["7_0", "7_1", "9_0"], ["9_0", "7_0", "7_1"]).tolist()
        [1, 2, 0]
    """
    places: list[dict[str, int]] = []
    for name, ids in zip(names, (ids_a, ids_b), strict=True):
        places.append({id_: row for row, id_ in enumerate(ids)})
        if len(places[-1]) != len(ids):
            twice = [id_ for row, id_ in enumerate(ids) if places[-1][id_] != row]
            raise InputError(
                f"{name} has several rows for {_examples(twice)}",
                expected="one row per episode",
                fix="remove the duplicates; `vlnscope check` lists them",
            )
    only_a, only_b = places[0].keys() - places[1].keys(), places[1].keys() - places[0].keys()
    if only_a or only_b:
        only = [
            f"{_examples(ids)} only in {name}"
            for name, ids in zip(names, (only_a, only_b), strict=True)
            if ids
        ]
        raise InputError(
            f"{names[0]} and {names[1]} do not cover the same episodes: {', '.join(only)}",
            expected="two results over the same episodes",
            fix="score both on the same split, or compare the episodes that they share",
        )
    return np.fromiter((places[1][id_] for id_ in ids_a), dtype=np.int64, count=len(ids_a))


def _tested(
    difference: Sample,
    nesting: Nesting,
    weights: Floats,
    within: Range,
    level: float,
    bootstrap: Bootstrap | None,
) -> tuple[Interval, float | None, Any]:
    """Return the interval of a difference, the p-value that it is 0, and the name of the test."""
    if bootstrap is None:
        interval = mean_interval(difference, nesting, weights, within, level)
        p = interval.p_value(0.0)
        return interval, p, "none" if p is None else interval.method
    column = {"": difference}
    interval = summarise(
        column, nesting, ranges={"": within}, weights=weights, level=level, bootstrap=bootstrap
    )[""]
    flipped = _sign_flip_test(difference, nesting, interval, weights, bootstrap.seed)
    if flipped is None:
        return interval, None, "none"
    return interval, flipped.p_value, "all sign flips" if flipped.exact else "sampled sign flips"


def _sign_flip_test(
    difference: Sample, nesting: Nesting, interval: Interval, weights: Floats, seed: int
) -> SignFlip | None:
    # A studentised interval may have no end where there are units enough for the test.
    untested = interval.low is None and interval.method == "percentile"
    if untested or not interval.units or interval.clusters < 2:
        return None
    codes = nesting.codes[nesting.names.index(interval.units[0])]
    return sign_flip(np.bincount(codes, weights=difference.values * weights).astype(np.float64), seed)


def _flipped(totals: Floats, seed: int) -> Iterable[Floats]:
    rng = rng_for(seed, "sign-flip")
    block = max(1, _BLOCK // totals.size)
    for first in range(0, PERMUTATIONS, block):
        kept = rng.integers(2, size=(min(block, PERMUTATIONS - first), totals.size), dtype=np.int8)
        yield (2.0 * kept - 1.0) @ totals


def _examples(ids: Iterable[str]) -> str:
    ids = sorted(set(ids))
    return ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
