"""Means and effects over behavior rows, with scenes as the independent units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.estimates import sample_mean
from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import Interval
from vlnscope.stats.mixed import fit_mixed
from vlnscope.stats.term_tests import satterthwaite
from vlnscope.types import Floats, ScoreRow


class MixedEffect(NamedTuple):
    """The effect of an intervention by a mixed model; where there is none, why.

    Attributes:
        effect: the coefficient.
        error: its standard error.
        p_value: of Satterthwaite's F-test.
        reason: why the model could not be fitted.
    """

    effect: float | None = None
    error: float | None = None
    p_value: float | None = None
    reason: str = ""


def balanced_mean(
    rows: Sequence[ScoreRow],
    metric: str,
    share: Callable[[ScoreRow], tuple[str, float]],
) -> Interval:
    """Return the mean of the means of groups, which count by fixed shares, however many rows each has.

    The interval is that of a mean of row-wise contributions: the whole, plus how far a row is from the mean
    of its group in units of that group's number of rows. Scenes are the observations, as for any mean.

    Args:
        rows: of all groups.
        metric: name of the value; rows without it do not count.
        share: the group of a row, and that group's share in the whole.
    """
    known = [row for row in rows if metric in row.values]
    groups: dict[str, list[float]] = {}
    shares: dict[str, float] = {}
    for row in known:
        name, shares[name] = (named_share := share(row))[0], named_share[1]
        groups.setdefault(name, []).append(row.values[metric])
    means = {name: float(np.mean(its)) for name, its in groups.items()}
    total = sum(shares.values()) or 1.0
    whole = sum(shares[name] * means[name] for name in means) / total
    parts = []
    for row in known:
        name = share(row)[0]
        weight = len(known) * shares[name] / total / len(groups[name])
        parts.append(whole + weight * (row.values[metric] - means[name]))
    column = Sample(np.array(parts, dtype=np.float64), np.ones(len(parts), dtype=np.bool_))
    return sample_mean(column, known)


def mixed_effect(rows: Sequence[ScoreRow], metric: str, base: str) -> MixedEffect:
    """Return the effect of ``metric`` against ``base`` with random intercepts of scenes and paths.

    It is ``lmer(y ~ x + (1 | scan) + (1 | scan:path))`` on both values of each row.
    """
    both = [row for row in rows if metric in row.values and base in row.values]
    groups = {"scan": [row.scan for row in both], "path": [row.path_id for row in both]}
    return effect_of(both, metric, base, groups)


def effect_of(
    rows: Sequence[ScoreRow],
    metric: str,
    base: str,
    groups: Mapping[str, Sequence[str]],
    slopes: Mapping[str, Sequence[str]] | None = None,
) -> MixedEffect:
    """Fit a mixed model to both values of rows that have both; `x` is 1 for ``metric``, 0 for ``base``.

    Args:
        rows: all have both values.
        metric: the value with the words of the intervention.
        base: the value without.
        groups: keys of the rows by level, as for `fit_mixed`.
        slopes: levels between whose units the effect differs.
    """
    if all(row.values[metric] == row.values[base] for row in rows):
        return MixedEffect(reason="the words change nothing in any case")
    y = [row.values[metric] for row in rows] + [row.values[base] for row in rows]
    x = [1.0] * len(rows) + [0.0] * len(rows)
    try:
        fit = fit_mixed(y, {"x": x}, {name: [*keys, *keys] for name, keys in groups.items()}, slopes=slopes)
        test = satterthwaite(fit, "x")
    except InputError as error:
        return MixedEffect(reason=error.what)
    at = fit.terms.index("x")
    return MixedEffect(float(fit.coefficients[at]), float(fit.errors[at]), test.p_value)


def pooled(rows: Sequence[ScoreRow], prefix: str, bins: Sequence[str]) -> list[Interval]:
    """Return the share of each bin in the mass that all rows have in bins called ``prefix.…``."""
    masses = np.array([[row.values.get(f"{prefix}.{name}", 0.0) for name in bins] for row in rows])
    totals: Floats = masses.reshape(len(rows), len(bins)).sum(axis=1)
    shares = masses / np.where(totals > 0, totals, 1.0)[:, None]
    everywhere = np.ones(len(rows), dtype=np.bool_)
    return [(sample_mean(Sample(shares[:, k], everywhere), rows, weights=totals)) for k in range(len(bins))]
