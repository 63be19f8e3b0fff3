"""Means of resampled units, from what each unit adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.stats.columns import Sample
from vlnscope.stats.nesting import Nesting, Seeds, resampled_totals
from vlnscope.types import Flags, Floats


class UnitTotals(NamedTuple):
    """What the units of a level add to the means of some columns.

    Attributes:
        origins: per column, the number that values are counted from.
        sums: (units, columns) weighted sums of what exceeds the origin.
        mass: (units, columns) sums of weights.
    """

    origins: Floats
    sums: Floats
    mass: Floats


class ResampledMeans(NamedTuple):
    """Means per replicate and column; where no drawn row is `defined`, `values` holds 0."""

    values: Floats
    defined: Flags


def unit_totals(
    samples: Sequence[Sample], nesting: Nesting, draw: Sequence[bool], weights: Floats
) -> UnitTotals:
    """Add up columns over the units of the last level that `draw` mentions."""
    deepest = max(len(draw) - 1, 0)
    codes, units, m = nesting.codes[deepest], nesting.sizes[deepest], len(samples)
    totals = UnitTotals(np.zeros(m), np.zeros((units, m)), np.zeros((units, m)))
    for i, (values, defined) in enumerate(samples):
        if defined.any():
            totals.origins[i] = values[defined].min()
        # Summing what exceeds the smallest value keeps a constant column exactly constant.
        share = np.where(defined, weights, 0.0)
        excess = np.where(defined, values, totals.origins[i]) - totals.origins[i]
        totals.sums[:, i] = np.bincount(codes, weights=share * excess, minlength=units)
        totals.mass[:, i] = np.bincount(codes, weights=share, minlength=units)
    return totals


def resampled_means(
    totals: UnitTotals, nesting: Nesting, draw: Sequence[bool], seeds: Seeds
) -> ResampledMeans:
    """Draw units once per seed, and return the mean of each column over what was drawn."""
    m = totals.origins.size
    both = np.concatenate([totals.sums, totals.mass], axis=1)
    drawn = resampled_totals(nesting, draw or (False,), both, seeds)
    sums, mass = drawn[:, :m], drawn[:, m:]
    exists = mass > 0
    return ResampledMeans(np.where(exists, totals.origins + sums / np.where(exists, mass, 1.0), 0.0), exists)
