"""Finds the variance ratios of nested random intercepts that make the (restricted) likelihood largest."""

from __future__ import annotations

import itertools

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.stats.nested_likelihood import Estimation, NestedProblem, deviance, gradient, profile
from vlnscope.types import Flags, Floats

_GRID = (0.02, 0.4, 8.0)
_SMALL = 0.02  # ratios below are tried as zero
_HUGE = 1e9  # ratios above mean that no residual variance is left
_STEP = 1e-4  # of a logarithm, for second derivatives
_LONGEST = 2.0  # step of a logarithm
_SETTLED = 1e-13  # of what a step gains in deviance; ratios are then exact to some 7 digits
_ROUNDING = 1e-12
_ITERATIONS = 100
_HALVINGS = 40


def best_ratios(problem: NestedProblem, estimation: Estimation) -> Floats:
    """Return the best ratio λ ≥ 0 of each level, outermost first; exactly 0 for a level without variance.

    From the best point of a coarse grid, Newton steps in log λ are taken until they gain nothing. A level
    whose ratio gets small is set to zero if that is no worse and the likelihood falls from there; it is
    released if that changes.

    Raises:
        InputError: units leave no residual variance, or the likelihood has no maximum that can be found.
    """
    grid = [np.array(point) for point in itertools.product(_GRID, repeat=problem.levels)]
    ratios = min(grid, key=lambda point: _deviance(problem, point, estimation))
    for _ in range(_ITERATIONS):
        ratios = _without_needless(problem, ratios, estimation)
        step, gain = _newton_step(problem, ratios, estimation)
        if gain < _SETTLED:
            released = (ratios == 0) & (_gradient(problem, ratios, estimation) < 0)
            if not released.any():
                return ratios
            ratios = np.where(released, _SMALL, ratios)
            continue
        ratios = _descend(problem, ratios, step, estimation)
        if np.any(ratios > _HUGE):
            raise InputError(
                "the random intercepts and the fixed effects explain every row exactly",
                expected="rows that differ within the innermost units",
                fix="leave out the innermost level",
            )
    raise InputError(
        f"the {estimation} likelihood has no maximum that can be found (last variance ratios: {ratios})",
        expected="data from which the variances of all levels can be told",
        fix="leave out a level; levels with few units, or with about one row per unit, say little",
    )


def hessian_of_logs(problem: NestedProblem, ratios: Floats, estimation: Estimation) -> Floats:
    """Return the second derivatives of the profiled deviance by the logarithms of the positive ratios."""
    free = np.flatnonzero(ratios > 0)
    hessian = np.zeros((free.size, free.size))
    for column, index in enumerate(free):
        for sign in (1.0, -1.0):
            moved = ratios.copy()
            moved[index] *= np.exp(sign * _STEP)
            slopes = (moved * _gradient(problem, moved, estimation))[free]
            hessian[:, column] += sign * slopes / (2 * _STEP)
    return np.asarray((hessian + hessian.T) / 2)


def _newton_step(problem: NestedProblem, ratios: Floats, estimation: Estimation) -> tuple[Floats, float]:
    """Return a step of the logarithms that leads downwards (0 where a ratio is 0), and what it may gain."""
    free: Flags = ratios > 0
    step = np.zeros(ratios.size)
    if not free.any():
        return step, 0.0
    slopes = (ratios * _gradient(problem, ratios, estimation))[free]
    curvature, directions = np.linalg.eigh(hessian_of_logs(problem, ratios, estimation))
    bent = np.maximum(np.abs(curvature), 1e-6)
    step[free] = -directions @ ((directions.T @ slopes) / bent)
    return step * min(1.0, _LONGEST / np.abs(step).max(initial=_LONGEST)), -float(slopes @ step[free])


def _descend(problem: NestedProblem, ratios: Floats, step: Floats, estimation: Estimation) -> Floats:
    """Take as much of a step as makes the deviance no larger."""
    now = _deviance(problem, ratios, estimation)
    for _ in range(_HALVINGS):
        moved = np.asarray(ratios * np.exp(step))
        if _deviance(problem, moved, estimation) <= now + _ROUNDING * abs(now):
            return moved
        step = step / 2
    return ratios


def _without_needless(problem: NestedProblem, ratios: Floats, estimation: Estimation) -> Floats:
    """Set small ratios to zero where that is no worse and the deviance rises from there."""
    for index in np.flatnonzero((ratios > 0) & (ratios < _SMALL)):
        without = ratios.copy()
        without[index] = 0.0
        rises = _gradient(problem, without, estimation)[index] >= 0
        if rises and _deviance(problem, without, estimation) <= _deviance(problem, ratios, estimation):
            ratios = without
    return ratios


def _deviance(problem: NestedProblem, ratios: Floats, estimation: Estimation) -> float:
    return deviance(problem, profile(problem, ratios), estimation)


def _gradient(problem: NestedProblem, ratios: Floats, estimation: Estimation) -> Floats:
    return gradient(problem, ratios, profile(problem, ratios), estimation)
