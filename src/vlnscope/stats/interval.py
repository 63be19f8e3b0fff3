"""A number and how sure it is: an estimate, its confidence interval, and the test that belongs to it.

An interval is made on the scale on which its quantity is closest to normal, so that it never leaves the range
of that quantity: shares on the logit scale, sizes that cannot be negative on the logarithmic scale,
differences as they are, cut off where no difference can be larger. `Interval.p_value` tests on the same scale
with the same standard error and degrees of freedom. So a number is significantly different from a value at
level 1 − α if and only if its interval at that level excludes the value.

    ends = g⁻¹(g(m) ± t · SE · g'(m)),    p = 2 · P(T > |g(m) − g(null)| / (SE · g'(m)))

`vlnscope.stats.estimate` says where SE and the degrees of freedom of t come from.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec
from scipy import special

from vlnscope.core.exceptions import InputError

LEVEL = 0.95
Range = tuple[float | None, float | None]
"""The smallest and the largest value that a quantity can have; None where there is no limit."""
SHARE: Range = (0.0, 1.0)
SIZE: Range = (0.0, None)
ANY: Range = (None, None)
Method = Literal["cluster-t", "exact", "fieller", "percentile", "studentised"]
Scale = Literal["identity", "log", "logit"]
_LARGEST_EXPONENT = 700.0


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean and how sure it is.

    Attributes:
        mean: (weighted) mean over the rows that have a value; None if there are none.
        low: lower end of the interval; None if there is no interval.
        high: upper end.
        n: rows that have a value.
        undefined: rows that have none, and count neither in the mean nor in the interval.
        clusters: how many independent units have a value.
        units: what counts as independent: the level of the nesting, such as ``("scene",)``. Bootstraps may
            resample several levels.
        level: nominal coverage.
        method: how the interval was made; ``exact`` where all rows are alike.
        reason: why there is no mean or no interval; empty if there are both.
        error: standard error of the mean; None where it has none.
        df: degrees of freedom of `error`; of rows that are all alike, how many observations they are worth.
        scale: on which scale `error` makes the interval.
        within: the range of the quantity.
        skipped: of a bootstrap, the replicates left out because they drew no row with a value.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    undefined: int
    clusters: int
    units: tuple[str, ...]
    level: float = LEVEL
    method: Method = "cluster-t"
    reason: str = ""
    error: float | None = None
    df: float | None = None
    scale: Scale = "identity"
    within: Range = ANY
    skipped: int = 0

    def excludes(self, value: float) -> bool:
        """Say whether the interval exists and lies wholly on one side of a value."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high

    def p_value(self, null: float) -> float | None:
        """Return the p-value of the hypothesis that the quantity equals `null`, two-sided.

        It is below 1 − `level` if and only if the interval excludes `null`. None where there is no interval,
        where a bootstrap made it, or where `null` is an end of a range, which no such interval can include.

        Example:
            >>> rate = Interval(
            ...     mean=0.6, low=None, high=None, n=40, undefined=0, clusters=11, units=("scene",),
            ...     error=0.05, df=8.0, scale="logit", within=SHARE,
            ... )
            >>> rate = rate.at(0.95)
            >>> (round(rate.low, 3), round(rate.high, 3)), round(rate.p_value(0.5), 3)
            ((0.481, 0.708), 0.087)
        """
        if self.mean is None or self.low is None or self.df is None:
            return None
        if self.method == "exact":
            return _alike_p(self.mean, null, self.df, self.within)
        if self.method != "cluster-t" or self.error is None or not _inside(null, self.scale, self.within):
            return None
        distance = abs(
            _transformed(self.mean, self.scale, self.within) - _transformed(null, self.scale, self.within)
        )
        t = distance / (self.error * _slope(self.mean, self.scale, self.within))
        return float(2 * special.stdtr(self.df, -t))

    def at(self, level: float) -> Interval:
        """Return the interval at another level of confidence, such as one corrected for many tests."""
        check_level(level)
        if self.mean is None or self.reason or self.df is None or self.method not in ("cluster-t", "exact"):
            return self
        if self.method == "exact":
            low, high = _alike_ends(self.mean, self.df, self.within, level)
        else:
            assert self.error is not None
            low, high = _ends(self.mean, self.error, self.df, self.scale, self.within, level)
        return msgspec.structs.replace(self, low=low, high=high, level=level)


def check_level(level: float) -> None:
    """Refuse what is no level of confidence."""
    if not 0 < level < 1:
        raise InputError(
            f"a confidence level of {level}", expected="a number between 0 and 1", fix="write 95 % as 0.95"
        )


def scale_of(within: Range) -> Scale:
    """Return the scale for a mean: logit between two limits, logarithmic above one, else none.

    A range that is symmetric around 0 is that of a difference, which is measured as it is.

    Example:
        >>> scale_of(SHARE), scale_of(SIZE), scale_of(ANY), scale_of((-1.0, 1.0))
        ('logit', 'log', 'identity', 'identity')
    """
    low, high = within
    if low is None or high == -low:
        return "identity"
    return "log" if high is None else "logit"


def t_quantile(df: float, level: float) -> float:
    """Return how many standard errors an interval reaches to each side.

    Example:
        >>> round(t_quantile(10, 0.95), 3), round(t_quantile(1e9, 0.95), 3)
        (2.228, 1.96)
    """
    return float(special.stdtrit(df, (1 + level) / 2))


def observations_worth(count: int, df: float, level: float = LEVEL) -> float:
    """Return how many independent observations rows are worth that are all alike.

    Rows that are all alike do not show how much they depend on each other, so each counts, and their number
    is reduced as if the width of an interval were: by (z/t)² (E. L. Korn and B. I. Graubard, *Confidence
    intervals for proportions with small expected number of positive counts*, 1998).
    """
    normal = float(special.ndtri((1 + level) / 2))
    return count * (normal / t_quantile(df, level)) ** 2


def _transformed(value: float, scale: Scale, within: Range) -> float:
    low, high = within
    if scale == "identity":
        return value
    assert low is not None
    if scale == "log":
        return math.log(value - low)
    assert high is not None
    return math.log(value - low) - math.log(high - value)


def _slope(value: float, scale: Scale, within: Range) -> float:
    low, high = within
    if scale == "identity":
        return 1.0
    assert low is not None
    if scale == "log":
        return 1.0 / (value - low)
    assert high is not None
    return (high - low) / ((value - low) * (high - value))


def _ends(
    mean: float, error: float, df: float, scale: Scale, within: Range, level: float
) -> tuple[float, float]:
    reach = t_quantile(df, level) * error * _slope(mean, scale, within)
    low, high = within
    if scale == "identity":
        ends = mean - reach, mean + reach
        return (
            ends[0] if low is None else max(ends[0], low),
            ends[1] if high is None else min(ends[1], high),
        )
    assert low is not None
    reach = min(reach, _LARGEST_EXPONENT)
    if scale == "log":
        return low + (mean - low) * math.exp(-reach), low + (mean - low) * math.exp(reach)
    assert high is not None
    centre = _transformed(mean, scale, within)
    left, right = (float(special.expit(centre + side * reach)) for side in (-1, 1))
    return low + (high - low) * left, low + (high - low) * right


def _inside(null: float, scale: Scale, within: Range) -> bool:
    low, high = within
    return scale == "identity" or ((low is None or null > low) and (high is None or null < high))


def _alike_ends(value: float, count: float, within: Range, level: float) -> tuple[float, float]:
    """Return between which means the truth lies if `count` independent observations all equal `value`.

    At least a share q = ((1 − level)/2)^(1/count) of all observations then equal it (Clopper and Pearson),
    and the others lie within the range.
    """
    low, high = within
    assert low is not None
    assert high is not None
    q = ((1 - level) / 2) ** (1 / count)
    return q * value + (1 - q) * low, q * value + (1 - q) * high


def _alike_p(value: float, null: float, count: float, within: Range) -> float:
    if null == value:
        return 1.0
    end = within[0] if null < value else within[1]
    assert end is not None
    share = min(max((null - end) / (value - end), 0.0), 1.0)
    return float(min(1.0, 2 * share**count))
