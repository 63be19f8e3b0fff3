"""Standard errors by units, and the bootstrap-t: intervals that know how uncertain their own width is.

With few scenes the spread between scenes is itself poorly known, and the percentile interval ignores that.
The bootstrap-t divides the error of every resample by the standard error of that same resample, and takes the
quantiles of the ratios, as Student's t does for normal data (B. Efron and R. J. Tibshirani, *An Introduction
to the Bootstrap*, 1993, section 12.5; for clusters A. C. Cameron, J. B. Gelbach and D. L. Miller, 2008). The
standard error treats units as the independent observations: for the mean m of rows y with weights w,

    SE = sqrt(Σ_units (Σ_rows in unit w·(y − m))²) / Σ w,

times sqrt(G / (G − 1)) for G units where it is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.stats.nesting import Nesting, Seeds, resampled_totals
from vlnscope.stats.resampling import UnitTotals
from vlnscope.types import Flags, Floats

_NONE = 1e-12
_ROUNDING = 1e-13
"""Deviations up to this share of what they deviate from are rounding, and no spread."""


class Ratios(NamedTuple):
    """(replicates, columns) errors in units of their own standard errors, and which replicates had any row.

    A replicate whose drawn units all agree has no standard error; its ratio is infinite.
    """

    values: Floats
    defined: Flags


def deviations(totals: UnitTotals) -> Floats:
    """Return (units, columns): by how much each unit's sum differs from what the overall mean makes it.

    All are 0 in a column whose units differ by no more than rounding.
    """
    mass = totals.mass.sum(axis=0)
    means = totals.sums.sum(axis=0) / np.where(mass > 0, mass, 1.0)
    differences = totals.sums - means * totals.mass
    whole = (totals.origins + means) * totals.mass
    largest, scale = (np.abs(each).max(axis=0, initial=0.0) for each in (differences, whole))
    return np.where(largest > _ROUNDING * scale, differences, 0.0)


def standard_errors(totals: UnitTotals) -> Floats:
    """Return the standard error of each column's mean, without the factor for the number of units.

    Example:
        >>> one = UnitTotals(np.zeros(1), np.array([[1.0], [2.0], [3.0]]), np.ones((3, 1)))
        >>> float(standard_errors(one)[0]) == (2 ** 0.5) / 3
        True
    """
    mass = totals.mass.sum(axis=0)
    return np.asarray(np.sqrt((deviations(totals) ** 2).sum(axis=0)) / np.where(mass > 0, mass, 1.0))


def error_ratios(totals: UnitTotals, nesting: Nesting, draw: Sequence[bool], seeds: Seeds) -> Ratios:
    """Resample units, and divide the error of each resampled mean by the standard error of its resample.

    Args:
        totals: of the units of the level that is drawn, which is the last one that `draw` mentions.
        nesting: how units are nested.
        draw: which levels are drawn with replacement.
        seeds: one per replicate; equal seeds draw the same units as `resampled_totals` does.
    """
    c, w, m = deviations(totals), totals.mass, totals.mass.shape[1]
    largest = np.abs(c).max(axis=0, initial=0.0)
    c = c / np.where(largest > 0, largest, 1.0)  # ratios have no unit, and squares must not vanish
    drawn = resampled_totals(nesting, draw, np.concatenate([c, w, c * c, c * w, w * w], axis=1), seeds)
    shift, mass, cc, cw, ww = (drawn[:, i * m : (i + 1) * m] for i in range(5))
    exists = mass > 0
    safe = np.where(exists, mass, 1.0)
    error = shift / safe
    variance = cc - 2 * error * cw + error**2 * ww
    agree = variance <= _NONE * cc
    scale = np.where(agree, 1.0, np.sqrt(np.where(agree, 1.0, variance)) / safe)
    infinite = np.where(error == 0, 0.0, np.copysign(np.inf, error))
    return Ratios(np.where(agree, infinite, error / scale), exists)
