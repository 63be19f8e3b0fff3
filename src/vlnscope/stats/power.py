"""How small a difference could be seen, and how much more data a smaller one needs.

Scenes are the independent observations: a mean difference with standard error SE over G scenes is tested by t
with G − 1 degrees of freedom, or fewer where scenes differ in size. More episodes in the same scenes only
reduce the part of SE that comes from within scenes; how large it is follows from a mixed model of the
differences.
"""

from __future__ import annotations

import bisect
import math

import msgspec
import numpy as np
from scipy import stats

from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Column, check_column
from vlnscope.stats.mixed import fit_mixed
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Flags, Floats

POWER = 0.8
ALPHA = 0.05
_MOST = 10_000_000
_SMALLEST_CLUSTERS = 2


class DataNeeded(msgspec.Struct, frozen=True, kw_only=True):
    """What it takes to show an effect of a given size.

    Attributes:
        effect: the true difference to be shown.
        power: probability with which the test is to find it.
        scenes: how many scenes of the present size are needed in all; None if no number is enough.
        more_scenes: how many of them are missing.
        more_episodes: how many episodes these have; None if no number is enough.
        episodes_in_same_scenes: how many more episodes in the present scenes would do instead; None if no
            number would, or if that cannot be told.
        limit: the smallest effect that any number of episodes in the present scenes could show; None if it
            cannot be told.
    """

    effect: float
    power: float
    scenes: int | None
    more_scenes: int | None
    more_episodes: int | None
    episodes_in_same_scenes: int | None
    limit: float | None


def detection_power(effect: float, error: float, clusters: int, *, alpha: float = ALPHA) -> float:
    """Return the probability that a two-sided t-test over clusters finds a true effect.

    Args:
        effect: the true difference.
        error: the standard error of the difference.
        clusters: independent units behind it.
        alpha: level of the test.

    Example:
        >>> round(detection_power(0.0, 1.0, 11), 4), round(detection_power(3.0, 1.0, 11), 4)
        (0.05, 0.7714)
    """
    df = clusters - 1
    critical = float(stats.t.ppf(1 - alpha / 2, df))
    shift = abs(effect) / error
    return float(stats.nct.sf(critical, df, shift) + stats.nct.sf(critical, df, -shift))


def minimum_detectable_effect(
    error: float, clusters: int, *, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return the smallest true effect that a two-sided t-test over clusters finds with a given power.

    Example:
        >>> round(minimum_detectable_effect(1.0, 11), 3), round(minimum_detectable_effect(1.0, 1000), 3)
        (3.11, 2.804)
    """
    _check(error, clusters, power, alpha)
    low, high = 0.0, 4.0
    while detection_power(high, 1.0, clusters, alpha=alpha) < power:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if detection_power(middle, 1.0, clusters, alpha=alpha) < power:
            low = middle
        else:
            high = middle
    return high * error


def data_needed(
    difference: Column,
    nesting: Nesting,
    error: float,
    effect: float,
    *,
    power: float = POWER,
    alpha: float = ALPHA,
) -> DataNeeded:
    """Say how many more scenes or episodes a test needs to find an effect.

    Args:
        difference: differences between two agents, row by row.
        nesting: how the rows are nested; the outermost level holds the independent units.
        error: standard error of the mean difference over these units (`PairedDifference.error`).
        effect: the true difference to be found.
        power: probability of finding it.
        alpha: level of the test.
    """
    sample = check_column("difference", difference, nesting)
    clusters, rows = nesting.units(0, sample.defined), int(sample.defined.sum())
    _check(error, clusters, power, alpha)
    scenes = _clusters_needed(abs(effect), error, clusters, power, alpha)
    between = _share_between(sample.values, sample.defined, nesting)
    limit = None
    same = None
    if between is not None:
        now = minimum_detectable_effect(error, clusters, power=power, alpha=alpha)
        limit = now * math.sqrt(between)
        same = _growth_within(abs(effect) / now, between, rows)
    return DataNeeded(
        effect=effect,
        power=power,
        scenes=scenes,
        more_scenes=None if scenes is None else scenes - clusters,
        more_episodes=None if scenes is None else math.ceil((scenes - clusters) * rows / clusters),
        episodes_in_same_scenes=same,
        limit=limit,
    )


def _clusters_needed(effect: float, error: float, clusters: int, power: float, alpha: float) -> int | None:
    def enough(count: int) -> bool:
        scaled = error * math.sqrt(clusters / count)
        return detection_power(effect, scaled, count, alpha=alpha) >= power

    if effect == 0 or not enough(_MOST):
        return None
    return clusters + bisect.bisect_left(range(clusters, _MOST), True, key=enough)


def _growth_within(reach: float, between: float, rows: int) -> int | None:
    """Return how many more rows shrink the error to `reach` of itself, where a share stays as it is."""
    if reach >= 1:
        return 0
    if reach**2 <= between:
        return None
    more = math.ceil(rows * ((1 - between) / (reach**2 - between) - 1))
    return more if more <= _MOST else None


def _share_between(values: Floats, defined: Flags, nesting: Nesting) -> float | None:
    """Return which share of the variance of the mean comes from differences between the outermost units."""
    groups = _levels(defined, nesting)
    if not groups:
        return None
    chosen = values[defined]
    try:
        fit = fit_mixed(chosen, {}, groups)
    except InputError:
        return None
    parts = [fit.residual / chosen.size]
    for variance, codes in zip(fit.variances.values(), fit.model.nesting.codes, strict=False):
        parts.append(variance * float(np.sum((np.bincount(codes) / chosen.size) ** 2)))
    return parts[1] / sum(parts)


def _levels(defined: Flags, nesting: Nesting) -> dict[str, list[int]]:
    """Return the outermost level and those below it that can be told from the next one."""
    codes = [level[defined] for level in nesting.codes]
    sizes = [int(np.unique(level).size) for level in codes]
    kept = [i for i in range(len(codes) - 1) if sizes[i] < sizes[i + 1]]
    if not kept or kept[0] != 0 or sizes[0] < _SMALLEST_CLUSTERS:
        return {}
    return {nesting.names[i]: codes[i].tolist() for i in kept}


def _check(error: float, clusters: int, power: float, alpha: float) -> None:
    if not (error > 0 and math.isfinite(error)) or clusters < _SMALLEST_CLUSTERS:
        raise InputError(
            f"a standard error of {error} over {clusters} units",
            expected="a positive standard error over at least 2 units",
            fix="leave this comparison out: its rows do not differ, or lie in one unit",
        )
    if not (0 < alpha < power < 1):
        raise InputError(
            f"power {power} at level {alpha}",
            expected="two numbers between 0 and 1, the power above the level",
            fix="write 80 % as 0.8 and 5 % as 0.05",
        )
