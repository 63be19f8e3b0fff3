"""Linear mixed models with nested random intercepts and slopes, fitted by REML as lme4 does.

    y = fixed effects + an effect of the scene + an effect of the path in it + … + residual

Effects of units are independent normal draws with one variance per level. The estimates equal those of R's
``lmer(y ~ … + (1 | scene) + (1 | scene:path))``, with random slopes those of ``(x | scene)``;
``tests/stats/lme4`` holds what lme4 says. Crossed effects are not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.stats.design import INTERCEPT, Covariates, Design, design_matrix
from vlnscope.stats.nested_likelihood import (
    Estimation,
    NestedProblem,
    ProfiledFit,
    degrees,
    deviance,
    profile,
)
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.slopes import SlopesProblem, best_triangles, profile_slopes
from vlnscope.stats.variance_search import best_ratios
from vlnscope.types import Floats


class RandomSlopes(NamedTuple):
    """Effects that differ between the units of a level.

    Attributes:
        terms: names of their columns.
        matrix: (rows, terms).
    """

    terms: tuple[str, ...]
    matrix: Floats


@dataclass(frozen=True, eq=False)
class MixedModel:
    """What is to be fitted: y by fixed effects, with a random intercept per unit of each level.

    Attributes:
        y: one number per row.
        design: the fixed effects.
        nesting: the levels of the random intercepts, outermost first.
        slopes: random slopes by level; each is correlated with the others and the intercepts of its level.
    """

    y: Floats
    design: Design
    nesting: Nesting
    slopes: Mapping[str, RandomSlopes]

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the levels that have random intercepts, outermost first."""
        return self.nesting.names[:-1]


@dataclass(frozen=True, eq=False)
class MixedFit:
    """A fitted model.

    Attributes:
        model: what was fitted.
        estimation: by restricted or by full maximum likelihood.
        coefficients: fixed effects, in the order of ``terms``.
        covariance: of the fixed effects.
        variances: of the random intercepts by level, and of slopes as ``"level: covariate"``. A level with
            variance 0 makes the fit singular: the units differ no more than the rows in them explain.
        residual: the variance within the innermost units.
        log_likelihood: restricted or full, as lme4's ``logLik``.
        ratios: variances of the levels in units of the residual one; where there are slopes, the elements of
            the triangles that `vlnscope.stats.slopes` searches for.
        correlations: of random slopes and intercepts.
    """

    model: MixedModel
    estimation: Estimation
    coefficients: Floats
    covariance: Floats
    variances: dict[str, float]
    residual: float
    log_likelihood: float
    ratios: Floats
    correlations: dict[str, float] = field(default_factory=dict)

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of the fixed effects."""
        return self.model.design.terms

    @property
    def errors(self) -> Floats:
        """Standard errors of the fixed effects."""
        return np.asarray(np.sqrt(np.diagonal(self.covariance)))

    @property
    def singular(self) -> tuple[str, ...]:
        """The levels and slopes whose variance is estimated as zero, and pairs that always go together."""
        joined = (name for name, value in self.correlations.items() if abs(value) > 1 - 1e-9)
        return (*(name for name, variance in self.variances.items() if variance == 0), *joined)


def fit_mixed(
    y: Iterable[float],
    fixed: Covariates,
    groups: Mapping[str, Iterable[str | int]],
    *,
    estimation: Estimation = "REML",
    slopes: Mapping[str, Sequence[str]] | None = None,
) -> MixedFit:
    """Fit a linear model with nested random intercepts.

    Args:
        y: one number per row.
        fixed: covariates by name: numbers, or texts for a factor (see `design_matrix`). An intercept is
            always there.
        groups: the keys of the levels that have random intercepts, outermost first. A key counts within
            its parent, so ``{"scan": …, "path": …}`` is ``(1 | scan) + (1 | scan:path)``; for
            ``(1 | scan:path)`` alone, give one column of joined keys.
        estimation: restricted maximum likelihood, or full, which likelihood-ratio tests need.
        slopes: covariates whose effect differs between the units of a level, e.g. ``{"scan": ["x"]}`` for
            ``(x | scan)``, correlated with its intercepts.

    Raises:
        InputError: columns do not fit together or are not finite, the fixed effects depend on each other,
            or a level cannot be told from the next one or from the residual.

    Example:
        >>> scene = list("AAAABBBBCCCC")
        >>> x = [0, 1] * 6
        >>> y = [1.0, 2.1, 0.9, 2.2, 3.1, 3.9, 2.8, 4.2, 1.4, 2.6, 1.7, 2.4]
        >>> fit = fit_mixed(y, {"x": x}, {"scene": scene})
        >>> dict(zip(fit.terms, fit.coefficients.round(4).tolist()))
        {'(intercept)': 1.8167, 'x': 1.0833}
        >>> round(fit.variances["scene"], 4), round(fit.residual, 4), round(fit.log_likelihood, 4)
        (1.0278, 0.0246, -2.5781)
    """
    return fit_model(mixed_model(y, fixed, groups, slopes or {}), estimation)


def mixed_model(
    y: Iterable[float],
    fixed: Covariates,
    groups: Mapping[str, Iterable[str | int]],
    slopes: Mapping[str, Sequence[str]],
) -> MixedModel:
    """Check what `fit_mixed` is given."""
    values = np.asarray(list(y), dtype=np.float64)
    if not np.all(np.isfinite(values)):
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"y holds {values[row]} in row {row}",
            expected="finite numbers",
            fix="leave out the rows where the metric is undefined",
        )
    nesting = Nesting.of(groups)
    if nesting.rows != values.size:
        raise InputError(
            f"{values.size} values of y for {nesting.rows} rows of keys",
            expected="one value per row",
            fix="take all columns from the same table",
        )
    _refuse_confounded(nesting)
    design = design_matrix(fixed, values.size)
    return MixedModel(values, design, nesting, _random_slopes(slopes, design, nesting))


def fit_model(model: MixedModel, estimation: Estimation) -> MixedFit:
    """Fit a model that `mixed_model` has made."""
    problem = NestedProblem.of(model.y, model.design.matrix, model.nesting)
    if problem.cross[-1, -1] <= 1e-20 * float(model.y @ model.y):
        raise InputError(
            "the fixed effects explain every row exactly",
            expected="rows that differ from what the fixed effects say",
            fix="check that y is not one of the covariates",
        )
    if model.slopes:
        return _fit_with_slopes(model, estimation)
    ratios = best_ratios(problem, estimation)
    best = profile(problem, ratios)
    residual = best.residual / degrees(problem, estimation)
    variances = {name: residual * float(ratio) for name, ratio in zip(model.levels, ratios, strict=True)}
    return _fit(model, estimation, problem, best, ratios, variances, {})


def _fit_with_slopes(model: MixedModel, estimation: Estimation) -> MixedFit:
    problem = SlopesProblem.of(model)
    theta = best_triangles(problem, estimation)
    best = profile_slopes(problem, theta)
    residual = best.residual / degrees(problem.base, estimation)
    variances: dict[str, float] = {}
    correlations: dict[str, float] = {}
    for level, triangle in zip(model.levels, problem.triangles(theta), strict=True):
        own = (INTERCEPT, *(model.slopes[level].terms if level in model.slopes else ()))
        covariance = residual * triangle @ triangle.T
        spread = np.sqrt(np.diagonal(covariance))
        for i, term in enumerate(own):
            variances[f"{level}: {term}" if i else level] = float(covariance[i, i])
            for j in range(i):
                if spread[i] > 0 and spread[j] > 0:
                    correlations[f"{level}: {own[i]}, {own[j]}"] = float(
                        covariance[i, j] / (spread[i] * spread[j])
                    )
    return _fit(model, estimation, problem.base, best, theta, variances, correlations)


def _fit(
    model: MixedModel,
    estimation: Estimation,
    problem: NestedProblem,
    best: ProfiledFit,
    ratios: Floats,
    variances: dict[str, float],
    correlations: dict[str, float],
) -> MixedFit:
    residual = best.residual / degrees(problem, estimation)
    turn = np.linalg.inv(problem.triangle)
    return MixedFit(
        model=model,
        estimation=estimation,
        coefficients=np.asarray(problem.plain + turn @ best.coefficients),
        covariance=np.asarray(residual * turn @ np.linalg.inv(best.information) @ turn.T),
        variances=variances,
        residual=residual,
        log_likelihood=-0.5 * deviance(problem, best, estimation),
        ratios=ratios,
        correlations=correlations,
    )


def _random_slopes(
    slopes: Mapping[str, Sequence[str]], design: Design, nesting: Nesting
) -> dict[str, RandomSlopes]:
    random = {}
    for level, names in slopes.items():
        if level not in nesting.names[:-1]:
            raise InputError(
                f"random slopes at {level}, which is no level of the model",
                expected=f"one of {', '.join(nesting.names[:-1])}",
                fix=f"add {level} to the groups",
            )
        if unknown := [name for name in names if name not in design.places]:
            raise InputError(
                f"random slopes of {', '.join(unknown)}, which is not among the fixed effects",
                expected=f"one of {', '.join(design.places) or 'none'}",
                fix="add it to the fixed effects",
            )
        places = [column for name in names for column in design.places[name]]
        random[level] = RandomSlopes(tuple(design.terms[k] for k in places), design.matrix[:, places])
    return random


def _refuse_confounded(nesting: Nesting) -> None:
    for level, name in enumerate(nesting.names[:-1]):
        inner = nesting.names[level + 1]
        if nesting.sizes[level] < 2:
            raise InputError(
                f"all rows lie in one {name}",
                expected=f"several units of {name}, so that they can differ",
                fix=f"leave {name} out of the groups",
            )
        if nesting.sizes[level] == nesting.sizes[level + 1]:
            raise InputError(
                f"every {name} holds exactly one {inner}, so their variances cannot be told apart",
                expected=f"a {name} that holds several",
                fix=f"leave {name} out of the groups",
            )
