"""Does a covariate of a mixed model matter? Three tests, each named for what it is.

`satterthwaite` is the one to report: it allows for variances that are estimated from few units. `wald` takes
them as known, which finds effects too easily with few scenes. `likelihood_ratio` compares two fits by full
maximum likelihood and is also too easy with few units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import stats

from vlnscope.core.exceptions import InputError
from vlnscope.stats.mixed import MixedFit, fit_model
from vlnscope.stats.nested_likelihood import NestedProblem, profile, slopes
from vlnscope.stats.slopes import SlopesProblem, profile_slopes, spread_of_parameters
from vlnscope.stats.variance_search import hessian_of_logs
from vlnscope.types import Floats

_FLAT = 1e-8
_MOVE = 1e-4  # of a triangle's element, for derivatives


class TermTest(NamedTuple):
    """The outcome of a test that all coefficients of a covariate are zero.

    Attributes:
        test: what kind of test it is, with the distribution that it refers to.
        covariate: what was tested.
        statistic: χ² or F.
        df: number of coefficients tested.
        denominator: denominator degrees of freedom of an F; None for χ².
        p_value: how often such a statistic or a larger one arises by chance.
    """

    test: str
    covariate: str
    statistic: float
    df: int
    denominator: float | None
    p_value: float


class CoefficientTest(NamedTuple):
    """A coefficient with its standard error and Satterthwaite's t-test, as lmerTest's summary has them."""

    term: str
    estimate: float
    error: float
    df: float
    t: float
    p_value: float
    low: float
    high: float


def wald(fit: MixedFit, covariate: str) -> TermTest:
    """Test a covariate by its size in units of its standard error, taking the variances as known (χ²).

    Example:
        >>> from vlnscope.stats.mixed import fit_mixed
        >>> y = [1.0, 2.1, 0.9, 2.2, 3.1, 3.9, 2.8, 4.2, 1.4, 2.6, 1.7, 2.4]
        >>> fit = fit_mixed(y, {"x": [0, 1] * 6}, {"scene": list("AAAABBBBCCCC")})
        >>> test = wald(fit, "x")
        >>> test.test, round(test.statistic, 2), round(satterthwaite(fit, "x").denominator, 2)
        ('Wald χ²', 143.22, 8.0)
    """
    places = _places(fit, covariate)
    chosen = fit.coefficients[places]
    value = float(chosen @ np.linalg.solve(fit.covariance[np.ix_(places, places)], chosen))
    return TermTest("Wald χ²", covariate, value, len(places), None, float(stats.chi2.sf(value, len(places))))


def satterthwaite(fit: MixedFit, covariate: str) -> TermTest:
    """Test a covariate by F with Satterthwaite's denominator degrees of freedom.

    Several coefficients are tested together as in A. Kuznetsova, P. B. Brockhoff and R. H. B. Christensen,
    *lmerTest Package* (2017): along the principal axes of their covariance, combined by the expectation of F
    (A. H.-T. Fai and P. L. Cornelius, 1996).

    Raises:
        InputError: the fit was not made by REML.
    """
    places = _places(fit, covariate)
    contrasts = np.eye(len(fit.terms))[places]
    sizes, axes = np.linalg.eigh(contrasts @ fit.covariance @ contrasts.T)
    turned = axes.T @ contrasts
    t_squared = (turned @ fit.coefficients) ** 2 / sizes
    dfs = degrees_of_freedom(fit, turned)
    value, denominator = float(np.mean(t_squared)), _combined(dfs)
    p_value = float(stats.f.sf(value, len(places), denominator))
    return TermTest("Satterthwaite F", covariate, value, len(places), denominator, p_value)


def likelihood_ratio(fit: MixedFit, covariate: str) -> TermTest:
    """Test a covariate by fitting with and without it by full maximum likelihood (χ²).

    Restricted likelihoods of models with different fixed effects cannot be compared, so both are refitted.
    """
    places = _places(fit, covariate)
    without = replace(fit.model, design=fit.model.design.without(covariate))
    larger, smaller = fit_model(fit.model, "ML"), fit_model(without, "ML")
    value = max(2 * (larger.log_likelihood - smaller.log_likelihood), 0.0)
    p_value = float(stats.chi2.sf(value, len(places)))
    return TermTest("likelihood-ratio χ² (ML)", covariate, value, len(places), None, p_value)


def coefficient_tests(fit: MixedFit, level: float = 0.95) -> list[CoefficientTest]:
    """Return every coefficient with Satterthwaite's degrees of freedom, t-test and interval."""
    dfs = degrees_of_freedom(fit, np.eye(len(fit.terms)))
    tests = []
    for term, estimate, error, df in zip(fit.terms, fit.coefficients, fit.errors, dfs, strict=True):
        t, half = estimate / error, float(stats.t.ppf((1 + level) / 2, df)) * error
        p_value = 2 * float(stats.t.sf(abs(t), df))
        numbers = (estimate, error, df, t, p_value, estimate - half, estimate + half)
        tests.append(CoefficientTest(term, *map(float, numbers)))
    return tests


def degrees_of_freedom(fit: MixedFit, contrasts: Floats) -> Floats:
    """Return Satterthwaite's degrees of freedom of contrasts (one per row) of the fixed effects.

    df = 2 v² / Var(v) for the variance v = c'Cc of a contrast, where Var(v) follows from the curvature of
    the restricted likelihood in the variances. Levels with variance 0 are taken to have none.
    """
    if fit.estimation != "REML":
        raise InputError(
            "Satterthwaite's degrees of freedom of a fit by full maximum likelihood",
            expected="a fit by REML",
            fix="take `wald` or `likelihood_ratio`, or fit again",
        )
    changes, spread = _changes_with_slopes(fit) if fit.model.slopes else _changes(fit)
    variances = np.einsum("ci,ij,cj->c", contrasts, fit.covariance, contrasts)
    gradients = np.stack([np.einsum("ci,ij,cj->c", contrasts, change, contrasts) for change in changes])
    return np.asarray(2 * variances**2 / np.einsum("ac,ab,bc->c", gradients, spread, gradients))


def _changes(fit: MixedFit) -> tuple[list[Floats], Floats]:
    """Return how the covariance of the terms changes with each logarithm of a variance, and their spread."""
    problem = NestedProblem.of(fit.model.y, fit.model.design.matrix, fit.model.nesting)
    spread = _spread_of_logs(problem, fit)
    at = profile(problem, fit.ratios)
    inverse, turn = np.linalg.inv(at.information), np.linalg.inv(problem.triangle)
    changes = [fit.covariance]  # by the logarithm of the residual variance
    for ratio, d in zip(fit.ratios, slopes(problem, fit.ratios, at), strict=True):
        if ratio > 0:
            changes.append(-fit.residual * ratio * turn @ inverse @ d.information @ inverse @ turn.T)
    return changes, spread


def _changes_with_slopes(fit: MixedFit) -> tuple[list[Floats], Floats]:
    """Return the same by each free element of the triangles, and by the logarithm of σ²."""
    problem = SlopesProblem.of(fit.model)
    spread, free = spread_of_parameters(problem, fit.ratios, fit.residual)
    turn = np.linalg.inv(problem.base.triangle)

    def covariance(theta: Floats) -> Floats:
        information = profile_slopes(problem, theta).information
        return np.asarray(fit.residual * turn @ np.linalg.inv(information) @ turn.T)

    changes = []
    for element in free:
        move = np.zeros(fit.ratios.size)
        move[element] = _MOVE
        rise = covariance(fit.ratios + move) - covariance(fit.ratios - move)
        changes.append(rise / (2 * _MOVE))
    return [*changes, fit.covariance], spread


def _spread_of_logs(problem: NestedProblem, fit: MixedFit) -> Floats:
    """Return the covariance of the logarithms of the residual variance and of the positive ratios."""
    at, free = profile(problem, fit.ratios), np.flatnonzero(fit.ratios > 0)
    df = problem.rows - problem.terms
    derivatives = slopes(problem, fit.ratios, at)
    mixed = np.array([-fit.ratios[i] * derivatives[i].residual / fit.residual for i in free])
    # The profiled deviance has the residual variance at its best; undo that for the joint curvature.
    joint = hessian_of_logs(problem, fit.ratios, "REML") + np.outer(mixed, mixed) / df
    hessian = np.block([[np.array([[float(df)]]), mixed[None, :]], [mixed[:, None], joint]])
    curvature, directions = np.linalg.eigh(hessian)
    kept = curvature > _FLAT
    return np.asarray(2 * (directions[:, kept] / curvature[kept]) @ directions[:, kept].T)


def _combined(dfs: Floats) -> float:
    """Return the denominator whose F has the expectation that t-tests along the axes have together."""
    if dfs.size == 1 or np.ptp(dfs) < 1e-8 * dfs.mean():
        return float(dfs.mean())
    if np.any(dfs <= 2):
        return 2.0
    expectation = float(np.sum(dfs / (dfs - 2)))
    return 2 * expectation / (expectation - dfs.size)


def _places(fit: MixedFit, covariate: str) -> Sequence[int]:
    if covariate not in fit.model.design.places:
        raise InputError(
            f"the model has no covariate {covariate!r}",
            expected=f"one of {', '.join(fit.model.design.places) or 'none: it has only an intercept'}",
            fix="fit a model with it",
        )
    return list(fit.model.design.places[covariate])
