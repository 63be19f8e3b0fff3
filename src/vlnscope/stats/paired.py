"""Do two results over the same episodes really differ?

Both are compared episode by episode, so what makes an episode hard for everybody cancels out. Whole
units of the nesting (scenes) count as the independent observations, in the interval and in the test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from vlnscope.exceptions import InputError
from vlnscope.rng import rng_for
from vlnscope.stats.bootstrap import LEVEL, REPLICATES, Choice, Interval, summarise
from vlnscope.stats.columns import Column, Sample, check_column
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats, Ints

EXACT_CLUSTERS = 14
PERMUTATIONS = 9_999
_BLOCK = 1 << 22


class Difference(Interval, frozen=True, kw_only=True):
    """The mean difference A − B with its interval, and a test of whether it is zero.

    What `Interval` says holds for the difference; a row is undefined if it is so in A or in B.

    Attributes:
        mean_a: mean of A over the rows that both have; None if there are none.
        mean_b: the same of B.
        wins: rows where A is better.
        ties: rows where both are equal.
        losses: rows where B is better.
        p_value: two-sided p-value of the cluster sign-flip test; None where there are no two units to
            resample.
        p_method: whether all sign patterns were tried or a sample of them.
    """

    mean_a: float | None
    mean_b: float | None
    wins: int
    ties: int
    losses: int
    p_value: float | None
    p_method: Literal["exact", "monte-carlo", "none"]

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval exists and lies wholly on one side of zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class SignFlip(NamedTuple):
    """A p-value and whether it comes from all sign patterns."""

    p_value: float
    exact: bool


def paired_difference(
    a: Column,
    b: Column,
    nesting: Nesting,
    *,
    higher_is_better: bool = True,
    replicates: int = REPLICATES,
    replace: Sequence[bool] | None = None,
    seed: int = 0,
    level: float = LEVEL,
    weights: Floats | None = None,
    method: Choice = "percentile",
) -> Difference:
    """Compare two columns over the same rows, which the caller has aligned (see `align`).

    Args:
        a: one result.
        b: the other.
        nesting: how the rows are nested.
        higher_is_better: which way a row is won.
        replicates: number of resamples.
        replace: which levels are resampled, as in `summarise`.
        seed: of the resamples and of the sampled sign patterns.
        level: nominal coverage.
        weights: one per row, not negative; equal by default.
        method: how the interval of the difference is made, as in `summarise`.

    Raises:
        InputError: a column or the weights do not fit the rows, or hold something that is not finite.

    Example:
        >>> scenes = Nesting.of({"scene": list("AABBCC")})
        >>> everywhere = np.ones(6, dtype=np.bool_)
        >>> a = Sample(np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0]), everywhere)
        >>> b = Sample(np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0]), everywhere)
        >>> d = paired_difference(a, b, scenes)
        >>> d.mean, d.excludes_zero, (d.wins, d.ties, d.losses), d.clusters, d.p_value
        (0.5, True, (3, 3, 0), 3, 0.25)
    """
    a, b = check_column("A", a, nesting), check_column("B", b, nesting)
    both = a.defined & b.defined
    difference = Sample(np.where(both, a.values, 0.0) - np.where(both, b.values, 0.0), both)
    columns = {"A": Sample(a.values, both), "B": Sample(b.values, both), "A − B": difference}
    found = summarise(
        columns,
        nesting,
        replicates=replicates,
        replace=replace,
        seed=seed,
        level=level,
        weights=weights,
        method=method,
    )
    interval = found["A − B"]
    test = _test(difference, nesting, interval, weights, seed)
    better = difference.values[both] if higher_is_better else -difference.values[both]
    return Difference(
        **{name: getattr(interval, name) for name in Interval.__struct_fields__},
        mean_a=found["A"].mean,
        mean_b=found["B"].mean,
        wins=int(np.count_nonzero(better > 0)),
        ties=int(np.count_nonzero(better == 0)),
        losses=int(np.count_nonzero(better < 0)),
        p_value=test.p_value if test else None,
        p_method="none" if test is None else "exact" if test.exact else "monte-carlo",
    )


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


def _test(
    difference: Sample, nesting: Nesting, interval: Interval, weights: Floats | None, seed: int
) -> SignFlip | None:
    # A studentised interval may have no end where there are units enough for the test.
    untested = interval.low is None and interval.method == "percentile"
    if untested or not interval.resampled or interval.clusters < 2:
        return None
    codes = nesting.codes[nesting.names.index(interval.resampled[0])]
    shares = difference.values if weights is None else difference.values * weights
    return sign_flip(np.bincount(codes, weights=shares).astype(np.float64), seed)


def _flipped(totals: Floats, seed: int) -> Iterable[Floats]:
    rng = rng_for(seed, "sign-flip")
    block = max(1, _BLOCK // totals.size)
    for first in range(0, PERMUTATIONS, block):
        kept = rng.integers(2, size=(min(block, PERMUTATIONS - first), totals.size), dtype=np.int8)
        yield (2.0 * kept - 1.0) @ totals


def _examples(ids: Iterable[str]) -> str:
    ids = sorted(set(ids))
    return ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
