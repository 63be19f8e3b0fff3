"""Mixed models with random slopes, fitted by statsmodels: slower by orders of magnitude than `mixed`."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.stats.design import INTERCEPT
from vlnscope.stats.mixed import MixedFit, MixedModel, RandomSlopes
from vlnscope.stats.nested_likelihood import Estimation
from vlnscope.types import Floats


def fit_slopes(model: MixedModel, slopes: RandomSlopes, estimation: Estimation) -> MixedFit:
    """Fit a model whose outermost level has random slopes, correlated with its intercepts.

    Deeper levels have intercepts only.

    Raises:
        InputError: statsmodels is not installed, or finds no optimum.
    """
    exog_re = np.concatenate([np.ones((model.y.size, 1)), slopes.matrix], axis=1)
    fitted = _fit(model, exog_re, estimation)
    covariance = np.asarray(fitted.cov_re, dtype=np.float64)
    level = model.levels[0]
    labels = [level, *(f"{level}: {term}" for term in slopes.terms)]
    variances = dict(zip(labels, np.diagonal(covariance).tolist(), strict=True))
    variances.update(zip(model.levels[1:], np.asarray(fitted.vcomp).tolist(), strict=True))
    return MixedFit(
        model=model,
        estimation=estimation,
        coefficients=np.asarray(fitted.fe_params, dtype=np.float64),
        covariance=_covariance_of_terms(model, exog_re, fitted),
        variances=variances,
        residual=float(fitted.scale),
        log_likelihood=float(fitted.llf),
        ratios=np.zeros(0),
        correlations=_correlations(covariance, level, [INTERCEPT, *slopes.terms]),
    )


def _fit(model: MixedModel, exog_re: Floats, estimation: Estimation) -> Any:
    try:
        from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec
    except ModuleNotFoundError:
        raise MissingPackageError(
            "statsmodels", "mixed", "random slopes need", "fit random intercepts only"
        ) from None
    outer = model.nesting.codes[0]
    order = np.argsort(outer, kind="stable")
    inner = VCSpec(list(model.levels[1:]), *_indicators(model, outer, order)) if model.levels[1:] else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what matters of them is whether it converged
        mixed = MixedLM(
            model.y[order],
            model.design.matrix[order],
            outer[order],
            exog_re=exog_re[order],
            exog_vc=inner,
        )
        fitted = mixed.fit(reml=estimation == "REML", method=["lbfgs", "powell"])
    if not fitted.converged:
        raise InputError(
            "statsmodels finds no best variances for these random slopes",
            expected="data from which the slopes of units can be told",
            fix="fit random intercepts only",
        )
    return fitted


def _covariance_of_terms(model: MixedModel, exog_re: Floats, fitted: Any) -> Floats:
    """Return (X'V⁻¹X)⁻¹ with the fitted V, as lme4 does; statsmodels itself differentiates numerically."""
    information = np.zeros((len(model.design.terms), len(model.design.terms)))
    for unit in range(model.nesting.sizes[0]):
        rows = np.flatnonzero(model.nesting.codes[0] == unit)
        covariance = exog_re[rows] @ np.asarray(fitted.cov_re) @ exog_re[rows].T
        covariance += fitted.scale * np.eye(rows.size)
        for variance, codes in zip(np.asarray(fitted.vcomp), model.nesting.codes[1:-1], strict=True):
            covariance += variance * (codes[rows, None] == codes[rows])
        x = model.design.matrix[rows]
        information += x.T @ np.linalg.solve(covariance, x)
    return np.asarray(np.linalg.inv(information))


def _indicators(model: MixedModel, outer: Any, order: Any) -> tuple[list[Any], list[Any]]:
    """Say per level and outermost unit which of its rows belong to which inner unit."""
    names: list[Any] = []
    matrices: list[Any] = []
    bounds = np.searchsorted(outer[order], np.arange(model.nesting.sizes[0] + 1))
    for codes in model.nesting.codes[1:-1]:
        parts = [codes[order[first:last]] for first, last in itertools.pairwise(bounds)]
        units = [np.unique(part) for part in parts]
        names.append([[str(unit) for unit in own] for own in units])
        matrices.append(
            [(part[:, None] == own).astype(np.float64) for part, own in zip(parts, units, strict=True)]
        )
    return names, matrices


def _correlations(covariance: Floats, level: str, names: list[str]) -> dict[str, float]:
    spread = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    return {
        f"{level}: {names[i]}, {names[j]}": float(covariance[i, j] / (spread[i] * spread[j]))
        for i in range(len(names))
        for j in range(i)
        if spread[i] > 0 and spread[j] > 0
    }
