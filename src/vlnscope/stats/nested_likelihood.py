"""The likelihood of a linear model with nested random intercepts, in closed form.

The rows have the covariance σ²V with V = I + Σ_l λ_l Z_l Z_l', where Z_l says which unit of level l a row
belongs to and λ_l is the variance of that level in units of the residual variance σ². Since levels are
nested, a unit's block of V is that of its children beside each other plus λ times the matrix of ones, and the
Sherman–Morrison formula inverts it from what the children have summed up. With s = 1'V⁻¹1 and t(a) = 1'V⁻¹a
over the block of a unit, and S and T(a) the sums of its children's s and t (of a row: 1 and a),

    s = S / (1 + λS),   t = T / (1 + λS),   log|V| = Σ_children log|V| + log(1 + λS),
    a'V⁻¹b = Σ_children a'V⁻¹b − λ / (1 + λS) · T(a) T(b).

A second pass from the outermost units to the innermost corrects t for what the larger units explain; it gives
1'V⁻¹a of the whole V for each unit, and with it the derivatives. So one evaluation costs two passes over the
units, whatever the number of rows. σ² and the fixed effects are profiled out as in D. Bates, M. Mächler,
B. Bolker and S. Walker, *Fitting Linear Mixed-Effects Models Using lme4* (2015), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats, Ints

Estimation = Literal["REML", "ML"]


@dataclass(frozen=True, eq=False)
class NestedProblem:
    """What the likelihood needs of the data.

    Attributes:
        rows: number of rows.
        terms: number of fixed effects p.
        plain: the coefficients of ordinary least squares, from which all others are counted.
        triangle: R of X = QR; fixed effects are counted in units of Q's columns.
        cross: (p + 1, p + 1) products of [Q, y − X·plain].
        sums: (units, p + 1) sums of the same over the innermost units.
        sizes: rows of the innermost units.
        starts: per level, outermost first, where the units of each parent begin (see `Nesting`).
    """

    rows: int
    terms: int
    plain: Floats
    triangle: Floats
    cross: Floats
    sums: Floats
    sizes: Floats
    starts: tuple[Ints, ...]

    @classmethod
    def of(cls, y: Floats, matrix: Floats, nesting: Nesting) -> NestedProblem:
        """Sum up the rows of y and of the fixed effects' matrix over the units of a nesting."""
        q, triangle = np.linalg.qr(matrix)
        plain = np.linalg.solve(triangle, q.T @ y)
        columns = np.concatenate([q, (y - matrix @ plain)[:, None]], axis=1)
        codes, units = nesting.codes[-2], nesting.sizes[-2]
        return cls(
            rows=y.size,
            terms=matrix.shape[1],
            plain=plain,
            triangle=triangle,
            cross=columns.T @ columns,
            sums=np.stack([np.bincount(codes, c, minlength=units) for c in columns.T], axis=1),
            sizes=np.bincount(codes, minlength=units).astype(np.float64),
            starts=nesting.starts[:-1],
        )

    @property
    def levels(self) -> int:
        """Number of levels with random intercepts."""
        return len(self.starts)


class ProfiledFit(NamedTuple):
    """What is best for given variance ratios.

    Attributes:
        log_determinant: log|V|.
        information: Q'V⁻¹Q.
        coefficients: fixed effects in units of Q's columns, counted from those of least squares.
        residual: the generalised residual sum of squares.
        s: per level, 1'V⁻¹1 of each unit over its own block.
        t: per level, (units, p + 1) the same 1'V⁻¹[Q, y].
    """

    log_determinant: float
    information: Floats
    coefficients: Floats
    residual: float
    s: list[Floats]
    t: list[Floats]


class Slopes(NamedTuple):
    """Derivatives by the variance ratio of one level.

    Attributes:
        log_determinant: of log|V|.
        information: of Q'V⁻¹Q.
        residual: of the generalised residual sum of squares.
    """

    log_determinant: float
    information: Floats
    residual: float


def profile(problem: NestedProblem, ratios: Floats) -> ProfiledFit:
    """Profile out the fixed effects for variance ratios λ, outermost level first."""
    big_s, big_t, cross, log_determinant = problem.sizes, problem.sums, problem.cross.copy(), 0.0
    s: list[Floats] = []
    t: list[Floats] = []
    for level in reversed(range(problem.levels)):
        own_s, own_t, big_s, big_t, logs = _fold(big_s, big_t, ratios[level], problem.starts[level], cross)
        log_determinant += logs
        s.insert(0, own_s)
        t.insert(0, own_t)
    p = problem.terms
    coefficients = np.asarray(np.linalg.solve(cross[:p, :p], cross[:p, p]), dtype=np.float64)
    residual = float(cross[p, p] - cross[:p, p] @ coefficients)
    return ProfiledFit(log_determinant, cross[:p, :p], coefficients, residual, s, t)


def slopes(problem: NestedProblem, ratios: Floats, at: ProfiledFit) -> list[Slopes]:
    """Return the derivatives of a profile by each ratio."""
    derivatives: list[Slopes] = []
    explained = np.zeros((1, problem.terms + 1))  # what larger units explain of [Q, y] in each unit
    shared = np.zeros(1)  # what they would explain of a single unit's own 1
    for level, starts in enumerate(problem.starts):
        trace, information, residual, explained, shared = _unfold(
            at.s[level], at.t[level], ratios[level], starts, explained, shared, at.coefficients
        )
        derivatives.append(Slopes(trace, information, residual))
    return derivatives


def deviance(problem: NestedProblem, at: ProfiledFit, estimation: Estimation) -> float:
    """Return minus twice the profiled (restricted) log-likelihood, as lme4 defines it."""
    free = degrees(problem, estimation)
    value = at.log_determinant + free * (1.0 + np.log(2 * np.pi * at.residual / free))
    if estimation == "REML":
        value += np.linalg.slogdet(at.information)[1]
        value += 2 * np.log(np.abs(np.diagonal(problem.triangle))).sum()
    return float(value)


def gradient(problem: NestedProblem, ratios: Floats, at: ProfiledFit, estimation: Estimation) -> Floats:
    """Return the derivatives of the deviance by each ratio."""
    free = degrees(problem, estimation)
    inverse = np.linalg.inv(at.information) if estimation == "REML" else np.zeros_like(at.information)
    return np.array(
        [
            d.log_determinant + free * d.residual / at.residual + np.sum(inverse * d.information)
            for d in slopes(problem, ratios, at)
        ]
    )


def degrees(problem: NestedProblem, estimation: Estimation) -> int:
    """Return what the residual sum of squares is divided by: rows, less the fixed effects under REML."""
    return problem.rows - problem.terms if estimation == "REML" else problem.rows


@compiled
def _fold(
    big_s: Floats, big_t: Floats, ratio: float, starts: Ints, cross: Floats
) -> tuple[Floats, Floats, Floats, Floats, float]:
    """Give units their random intercept, take what it explains off `cross`, and add up into the parents."""
    units, width = big_t.shape
    s, t = np.empty(units), np.empty((units, width))
    parent_s, parent_t = np.zeros(starts.size - 1), np.zeros((starts.size - 1, width))
    log_determinant = 0.0
    for parent in range(starts.size - 1):
        for unit in range(starts[parent], starts[parent + 1]):
            scale = 1.0 + ratio * big_s[unit]
            log_determinant += np.log(scale)
            factor = 1.0 / scale
            s[unit] = big_s[unit] * factor
            parent_s[parent] += s[unit]
            for i in range(width):
                t[unit, i] = big_t[unit, i] * factor
                parent_t[parent, i] += t[unit, i]
                for j in range(i + 1):
                    cross[i, j] -= ratio * t[unit, i] * big_t[unit, j]
    for i in range(width):
        for j in range(i):
            cross[j, i] = cross[i, j]
    return s, t, parent_s, parent_t, log_determinant


@compiled
def _unfold(
    s: Floats,
    t: Floats,
    ratio: float,
    starts: Ints,
    explained: Floats,
    shared: Floats,
    coefficients: Floats,
) -> tuple[float, Floats, float, Floats, Floats]:
    """Correct the sums of units for what larger units explain; return derivatives, and what to pass on."""
    units, width = t.shape
    p = width - 1
    own_explained, own_shared, whole = np.empty((units, width)), np.empty(units), np.empty(width)
    trace, residual, information = 0.0, 0.0, np.zeros((p, p))
    for parent in range(starts.size - 1):
        for unit in range(starts[parent], starts[parent + 1]):
            trace += s[unit] - s[unit] ** 2 * shared[parent]
            for i in range(width):
                whole[i] = t[unit, i] - s[unit] * explained[parent, i]
                own_explained[unit, i] = explained[parent, i] + ratio * whole[i]
            left = whole[p]
            for i in range(p):
                left -= whole[i] * coefficients[i]
                for j in range(p):
                    information[i, j] -= whole[i] * whole[j]
            residual -= left * left
            kept = 1.0 - ratio * s[unit]
            own_shared[unit] = (shared[parent] * kept + ratio) * kept
    return trace, information, residual, own_explained, own_shared
