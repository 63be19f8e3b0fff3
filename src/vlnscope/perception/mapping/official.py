"""The cloud of IVLN-CE's mapper, as released: one cloud for a whole batch of environments.

It keeps the highest point of each upright column of 5 cm × 5 cm. What one would not expect of it:

- The key of a column is made with the largest index of a row instead of the number of columns, so that the
  last column of a row shares its key with the first column of the next, and rows of neighbouring
  environments can share keys: of columns that share one, only one keeps its point.
- Smallest and largest indices are those of all environments together. So what is kept of one environment
  depends on the others.
- A column has one point for all storeys: going up and coming back, an agent finds the lower storey's points
  gone wherever it saw something above them.
- On the map, of the columns that fall into one cell the last in the order of keys is shown, which need not
  be the highest.

`voxels` is the rule without these. The cloud holds at most one point per column of 5 cm that an environment
ever saw, and is not bounded otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vlnscope.perception.mapping.clouds import PointCloud, Reals, empty_cloud, highest_per_key, joined_clouds
from vlnscope.perception.mapping.egocentric import READ_ABOVE, READ_BELOW
from vlnscope.types import Ints

COLUMN = 0.05
"""Metres along each side of a column."""


class OfficialCloud:
    """The points that all environments of a batch have seen.

    Attributes:
        owners: the environment of each point.
        points: the points, in the order in which they are drawn.
    """

    def __init__(self) -> None:
        self.owners: Ints = np.zeros(0, dtype=np.int64)
        self.points: PointCloud = empty_cloud(np.float32)

    def clear(self, environment: int) -> None:
        """Forget what an environment saw."""
        self._keep(self.owners != environment)

    def load(self, environment: int, cloud: PointCloud) -> None:
        """Add points as they are: known maps keep all theirs, in their own order."""
        self._append([environment], [PointCloud(cloud.xyz.astype(np.float32), cloud.classes)])

    def insert(self, environments: Sequence[int], seen: Sequence[PointCloud]) -> None:
        """Add what several environments saw at the same time, one cloud each."""
        frame = OfficialCloud()
        frame._append(environments, seen)
        frame._keep_highest()
        self.owners = np.concatenate([self.owners, frame.owners])
        self.points = joined_clouds([self.points, frame.points])
        self._keep_highest()

    def around(self, environment: int, eye: Reals) -> PointCloud:
        """Return the points of an environment that are on the storey of a camera, in the order of drawing."""
        mine = self.points.take(self.owners == environment)
        height, real = mine.xyz[:, 1], np.float32
        return mine.take((height > eye[1] - real(READ_BELOW)) & (height < eye[1] + real(READ_ABOVE)))

    def count(self, environment: int) -> int:
        """Return how many points an environment has."""
        return int((self.owners == environment).sum())

    def _append(self, environments: Sequence[int], clouds: Sequence[PointCloud]) -> None:
        sizes = [len(cloud.classes) for cloud in clouds]
        self.owners = np.concatenate([self.owners, np.repeat(np.asarray(environments, np.int64), sizes)])
        self.points = joined_clouds([self.points, *clouds])

    def _keep(self, which: Any) -> None:
        self.owners, self.points = self.owners[which], self.points.take(which)

    def _keep_highest(self) -> None:
        if len(self.owners):
            keys = column_keys(self.owners, self.points.xyz)
            self._keep(highest_per_key(keys, self.points.xyz[:, 1]))


def column_keys(owners: Ints, xyz: Reals) -> Ints:
    """Return the key of the column that each point is in; different columns can have the same.

    Example:
        >>> corners = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.0, 0, 0.05]], dtype=np.float32)
        >>> column_keys(np.zeros(3, dtype=np.int64), corners).tolist()  # the last two share one
        [0, 2, 2]
    """
    rows, columns = (np.rint(xyz[:, axis] / np.float32(COLUMN)).astype(np.int64) for axis in (2, 0))
    rows -= rows.min()
    columns -= columns.min()
    last_row, last_column = rows.max(), columns.max()
    return np.asarray(owners * (last_row * last_column) + rows * last_column + columns)
