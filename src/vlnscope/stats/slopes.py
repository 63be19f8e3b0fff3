"""Mixed models with random slopes at any level of nested units, fitted by REML as lme4 does.

Units of a level draw an intercept and slopes together from a normal distribution with the covariance
σ²Λ = σ²LL', where L is a lower triangle. As in `vlnscope.stats.nested_likelihood`, a unit's block of V is
that of its children beside each other plus ZΛZ', and Woodbury's formula inverts it from what the children
have summed up. With A = Z'V⁻¹Z and T(a) = Z'V⁻¹a of the children's blocks and M = I + L'AL,

    A − AL M⁻¹ L'A,   T − AL M⁻¹ L'T,   log|V| + log|M|,   a'V⁻¹b − T(a)'L M⁻¹ L'T(b)

are those of the unit's own block. So one evaluation of the likelihood costs one pass over the units. The
triangles are searched for as in D. Bates, M. Mächler, B. Bolker and S. Walker, *Fitting Linear Mixed-Effects
Models Using lme4* (2015).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize

from vlnscope.core.exceptions import InputError
from vlnscope.stats.nested_likelihood import Estimation, NestedProblem, ProfiledFit, degrees, deviance
from vlnscope.types import Floats, Ints

if TYPE_CHECKING:
    from vlnscope.stats.mixed import MixedModel

_STARTS = (1.0, 0.2)
_TRIALS = (0.01, 0.03, 0.1)  # tried in place of smaller diagonal elements
_RELEASES = 5
_STEP = 1e-4  # of a triangle's element, for derivatives
_ZERO = 1e-5  # diagonal elements below are taken for zero: their variance is 1e-10 of the residual one
_SETTLED = 1e-8  # of the slope of the deviance
_ROUNDING = 1e-9  # of the deviance
_POLISH = 20


@dataclass(frozen=True, eq=False)
class SlopesProblem:
    """What the likelihood of a model with random slopes needs of the data.

    Attributes:
        base: what it needs of the fixed effects.
        columns: per level, outermost first, which columns of Z vary between its units; 0 is the intercept.
        squares: (units, k, k) products Z'Z over the innermost units.
        sums: (units, k, p + 1) products of Z with [Q, y − X·plain].
        starts: per level, where the units of each parent begin.
    """

    base: NestedProblem
    columns: tuple[tuple[int, ...], ...]
    squares: Floats
    sums: Floats
    starts: tuple[Ints, ...]

    @classmethod
    def of(cls, model: MixedModel) -> SlopesProblem:
        """Sum up the rows of a model over its innermost units."""
        base = NestedProblem.of(model.y, model.design.matrix, model.nesting)
        varying = {
            term: column
            for slopes in model.slopes.values()
            for term, column in zip(slopes.terms, slopes.matrix.T, strict=True)
        }
        z = np.stack([np.ones(model.y.size), *varying.values()], axis=1)
        q = model.design.matrix @ np.linalg.inv(base.triangle)
        rest = model.y - model.design.matrix @ base.plain
        right = np.concatenate([q, rest[:, None]], axis=1)
        order = np.argsort(model.nesting.codes[-2], kind="stable")
        first = np.searchsorted(model.nesting.codes[-2][order], np.arange(model.nesting.sizes[-2]))
        z, right = z[order], right[order]
        columns = tuple(
            (0, *(1 + list(varying).index(term) for term in model.slopes[level].terms))
            if level in model.slopes
            else (0,)
            for level in model.levels
        )
        return cls(
            base=base,
            columns=columns,
            squares=np.add.reduceat(z[:, :, None] * z[:, None, :], first),
            sums=np.add.reduceat(z[:, :, None] * right[:, None, :], first),
            starts=model.nesting.starts[:-1],
        )

    def triangles(self, theta: Floats) -> list[Floats]:
        """Return the triangle of each level, outermost first, from its elements row by row."""
        parts, at = [], 0
        for columns in self.columns:
            triangle = np.zeros((len(columns), len(columns)))
            rows, places = np.tril_indices(len(columns))
            triangle[rows, places] = theta[at : at + rows.size]
            parts.append(triangle)
            at += rows.size
        return parts

    @property
    def diagonal(self) -> Floats:
        """Which elements of theta lie on a diagonal: 1.0 there, 0.0 elsewhere."""
        return np.concatenate([np.equal(*np.tril_indices(len(own))) for own in self.columns]).astype(float)


def profile_slopes(problem: SlopesProblem, theta: Floats) -> ProfiledFit:
    """Profile out the fixed effects for given triangles."""
    squares, sums, cross = problem.squares, problem.sums, problem.base.cross.copy()
    log_determinant = 0.0
    levels = zip(problem.columns, problem.triangles(theta), problem.starts, strict=True)
    for columns, triangle, starts in reversed(list(levels)):
        own = list(columns)
        left = squares[:, :, own] @ triangle
        right = triangle.T @ sums[:, own]
        inner = np.eye(len(own)) + triangle.T @ squares[:, own][:, :, own] @ triangle
        log_determinant += float(np.log(np.linalg.det(inner)).sum())
        inverse = 1.0 / inner if len(own) == 1 else np.linalg.inv(inner)
        solved = inverse @ right
        cross -= np.tensordot(right, solved, ((0, 1), (0, 1)))
        sums = np.add.reduceat(sums - left @ solved, starts[:-1])
        squares = np.add.reduceat(squares - left @ inverse @ left.transpose(0, 2, 1), starts[:-1])
    p = problem.base.terms
    coefficients = np.asarray(np.linalg.solve(cross[:p, :p], cross[:p, p]), dtype=np.float64)
    least = np.finfo(np.float64).eps * float(problem.base.cross[p, p])  # rounding, where all is explained
    residual = max(float(cross[p, p] - cross[:p, p] @ coefficients), least)
    return ProfiledFit(log_determinant, cross[:p, :p], coefficients, residual, [], [])


def best_triangles(problem: SlopesProblem, estimation: Estimation) -> Floats:
    """Return the elements of the triangles that make the (restricted) likelihood largest.

    Raises:
        InputError: the likelihood has no maximum that can be found.
    """

    def value(theta: Floats) -> float:
        return deviance(problem.base, profile_slopes(problem, theta), estimation)

    diagonal = problem.diagonal > 0
    theta = min((_searched(value, start * problem.diagonal) for start in _STARTS), key=value)
    for _ in range(_RELEASES):
        theta = np.where(diagonal & (np.abs(theta) < _ZERO), 0.0, theta)
        better = _released(value, theta, np.flatnonzero(diagonal & (np.abs(theta) < max(_TRIALS))))
        if better is None:
            break
        theta = _searched(value, better)
    theta = _polished(value, _upright(problem, theta), free_elements(problem, theta))
    if not np.all(np.isfinite(theta)) or np.abs(theta).max() > 1e4:
        raise InputError(
            "the likelihood has no maximum that can be found for these random slopes",
            expected="data from which the slopes of units can be told",
            fix="fit random intercepts only",
        )
    return theta


def spread_of_parameters(problem: SlopesProblem, theta: Floats, residual: float) -> tuple[Floats, Ints]:
    """Return the covariance of the free elements of theta and of log σ² (last), and which are free.

    It is twice the inverse of the restricted deviance's curvature. Diagonal elements of zero are not free:
    the fit is singular there.
    """
    free = free_elements(problem, theta)

    def value(at: Floats) -> float:
        moved = theta.copy()
        moved[free] = at[:-1]
        best = profile_slopes(problem, moved)
        df = degrees(problem.base, "REML")
        profiled = deviance(problem.base, best, "REML")
        scale = np.exp(at[-1])  # undo that the residual variance is at its best
        return float(profiled + df * (np.log(scale / (best.residual / df)) - 1.0) + best.residual / scale)

    hessian = curvature(value, np.append(theta[free], np.log(residual)))
    sizes, directions = np.linalg.eigh(hessian)
    kept = sizes > 1e-8 * sizes.max()
    return np.asarray(2 * (directions[:, kept] / sizes[kept]) @ directions[:, kept].T), free


def free_elements(problem: SlopesProblem, theta: Floats) -> Ints:
    """Return the elements of theta that are not at the boundary of what is possible."""
    return np.flatnonzero(~((problem.diagonal > 0) & (theta == 0)))


def curvature(value: Callable[[Floats], float], at: Floats, step: float = 1e-3) -> Floats:
    """Return the second derivatives of a function by central differences."""
    size = at.size
    moves = np.eye(size) * step
    hessian = np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1):
            up, down = at + moves[i], at - moves[i]
            rise = value(up + moves[j]) - value(up - moves[j])
            fall = value(down + moves[j]) - value(down - moves[j])
            hessian[i, j] = hessian[j, i] = (rise - fall) / (4 * step**2)
    return hessian


def _searched(value: Callable[[Floats], float], start: Floats) -> Floats:
    """Search downwards from a start. Signs of a triangle's columns do not matter, so there are no bounds."""
    begin = value(start)  # counted from here, since the search ends by relative change

    def gained(theta: Floats) -> float:
        return value(theta) - begin

    return np.asarray(optimize.minimize(gained, start, jac=_slope(gained), method="BFGS").x)


def _released(value: Callable[[Floats], float], theta: Floats, small: Ints) -> Floats | None:
    """Return a better point where a small diagonal element is larger; at zero its slope says nothing."""
    now = value(theta)
    for element in small:
        for trial in _TRIALS:
            moved = theta.copy()
            moved[element] = trial
            if value(moved) < now - _ROUNDING:
                return moved
    return None


def _upright(problem: SlopesProblem, theta: Floats) -> Floats:
    """Turn the columns of the triangles so that no diagonal element is negative."""
    parts = []
    for triangle in problem.triangles(theta):
        signs = np.where(np.diagonal(triangle) < 0, -1.0, 1.0)
        parts.append((triangle * signs)[np.tril_indices(len(triangle))])
    return np.concatenate(parts)


def _slope(value: Callable[[Floats], float]) -> Callable[[Floats], Floats]:
    def slope(at: Floats) -> Floats:
        moves = np.eye(at.size) * _STEP
        return np.array([(value(at + move) - value(at - move)) / (2 * _STEP) for move in moves])

    return slope


def _polished(value: Callable[[Floats], float], theta: Floats, free: Ints) -> Floats:
    """Take Newton steps with the free elements until they gain nothing."""

    def inner(at: Floats) -> float:
        moved = theta.copy()
        moved[free] = at
        return value(moved)

    now = theta[free]
    for _ in range(_POLISH if free.size else 0):
        sizes, directions = np.linalg.eigh(curvature(inner, now))
        bent = np.maximum(np.abs(sizes), 1e-6)
        step = -directions @ ((directions.T @ _slope(inner)(now)) / bent)
        if np.abs(step).max() < _SETTLED or inner(now + step) > inner(now) + _ROUNDING:
            break
        now = now + step
    polished = theta.copy()
    polished[free] = now
    return polished
