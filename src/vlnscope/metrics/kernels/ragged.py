"""Rows of different lengths in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats, Ints


class Ragged(NamedTuple):
    """Rows of different lengths: row k is ``flat[offsets[k]:offsets[k + 1]]``; no row is empty.

    `flat` holds node numbers (int32) or points (n × 3 float64).
    """

    flat: NDArray[Any]
    offsets: Ints

    @property
    def sizes(self) -> Ints:
        """Number of elements of each row."""
        return np.diff(self.offsets)

    @property
    def last(self) -> Ints:
        """Place of the last element of each row."""
        return self.offsets[1:] - 1

    def take(self, rows: Ints) -> Ragged:
        """Return some rows, in that order."""
        sizes = self.sizes[rows]
        offsets = offsets_of(sizes)
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], sizes)
        return Ragged(self.flat[places], offsets)

    @classmethod
    def nodes(cls, rows: Sequence[Sequence[int]]) -> Ragged:
        """Make ragged rows of node numbers."""
        flat = np.fromiter((node for row in rows for node in row), dtype=np.int32)
        return cls(flat, offsets_of([len(row) for row in rows]))

    @classmethod
    def points(cls, rows: Sequence[Sequence[Sequence[float]]]) -> Ragged:
        """Make ragged rows of points."""
        flat = [np.asarray(row, dtype=np.float64).reshape(-1, 3) for row in rows]
        return cls(np.concatenate(flat) if flat else np.zeros((0, 3)), offsets_of([len(row) for row in rows]))

    def sums(self) -> Floats:
        """Return the sum of each row."""
        return np.add.reduceat(self.flat, self.offsets[:-1]) if len(self.flat) else np.zeros(0)


def offsets_of(sizes: Sequence[int] | Ints) -> Ints:
    """Return where rows of these sizes start, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(np.asarray(sizes, dtype=np.int64)))).astype(np.int64)
