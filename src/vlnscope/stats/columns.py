"""Columns of numbers that statistics are made of, and what must hold of them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Flags, Floats


class Column(Protocol):
    """One metric over all rows: `values`, which mean nothing where a row is not `defined`."""

    @property
    def values(self) -> Floats:
        """One number per row."""

    @property
    def defined(self) -> Flags:
        """Which rows have a value."""


class Sample(NamedTuple):
    """A checked column: finite wherever it is defined."""

    values: Floats
    defined: Flags


def check_column(name: str, column: Column, nesting: Nesting) -> Sample:
    """Return the content of a column once it is known to fit the rows and to be finite where defined."""
    values, defined = np.asarray(column.values, dtype=np.float64), np.asarray(column.defined, dtype=np.bool_)
    if values.shape != (nesting.rows,) or defined.shape != (nesting.rows,):
        raise InputError(
            f"column {name!r} has values of shape {values.shape} and marks of shape {defined.shape}",
            expected=f"one of each for the {nesting.rows} rows",
            fix="take the nesting and the column from the same table",
        )
    wrong = np.flatnonzero(defined & ~np.isfinite(values))
    if wrong.size:
        raise InputError(
            f"column {name!r}: row {wrong[0]} counts as defined but holds {values[wrong[0]]}"
            f" ({wrong.size} such rows)",
            expected="finite numbers wherever a metric is defined",
            fix="mark these rows as undefined",
        )
    return Sample(values, defined)


def check_weights(weights: Floats | None, nesting: Nesting) -> Floats:
    """Return weights once they are known to fit the rows; equal ones if none are given."""
    if weights is None:
        return np.ones(nesting.rows)
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (nesting.rows,) or not np.all(np.isfinite(weights) & (weights >= 0)):
        raise InputError(
            f"weights of shape {weights.shape} for {nesting.rows} rows, the smallest being"
            f" {weights.min(initial=np.inf)}",
            expected="one finite weight per row, none negative",
            fix="leave the weights out to count all rows equally",
        )
    return weights
