"""Maps as agents see them: 64 × 64 cells of 10 cm around the agent, ahead of it up.

The agent is in the cell of row 32 and column 32; smaller rows are ahead, larger columns to the right. As
points belong to the cell whose middle is nearest, the map reaches from -3.25 m to 3.15 m.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.clouds import PointCloud, Reals

SIZE = 64
"""Cells along each side."""
CELL = 0.1
"""Metres along each side of a cell."""
MIDDLE = SIZE // 2
"""The agent's row and column."""
READ_BELOW, READ_ABOVE = 1.25, 0.75
"""Metres from the camera's height between which points are shown; others are on another storey."""


class EgocentricMap(NamedTuple):
    """What n agents know of their surroundings.

    Attributes:
        occupancy: 1 where something is, (n, 64, 64).
        classes: index into `classes.CLASSES` of what is there, (n, 64, 64); 0 where nothing is, or
            something that has no class.
    """

    occupancy: NDArray[np.uint8]
    classes: NDArray[np.uint8]

    def channels(self) -> NDArray[np.float32]:
        """Return what MAP-CMA's encoder takes, (n, 14, 64, 64): occupancy, then a layer for each class."""
        one_hot = self.classes[:, None] == np.arange(len(CLASSES), dtype=np.uint8)[:, None, None]
        return np.concatenate([self.occupancy[:, None], one_hot], axis=1).astype(np.float32)


def blank_map(count: int) -> EgocentricMap:
    """Return maps on which nothing is."""
    occupancy, classes = np.zeros((2, count, SIZE, SIZE), dtype=np.uint8)
    return EgocentricMap(occupancy, classes)


def draw_points(onto: EgocentricMap, number: int, cloud: PointCloud, eye: Reals, yaw: float) -> None:
    """Draw points on one of several maps; of those in one cell that have a class, the last one's is shown.

    Args:
        onto: blank maps, changed in place.
        number: which of them.
        cloud: the points, as precise as `eye`.
        eye: where the camera is, in the precision to compute in.
        yaw: radians that the agent is turned left.
    """
    row, column = cells_of(cloud.xyz, eye, yaw)
    inside = (row >= 0) & (row < SIZE) & (column >= 0) & (column < SIZE)
    onto.occupancy[number, row[inside], column[inside]] = 1
    inside &= cloud.classes != 0
    onto.classes[number, row[inside], column[inside]] = cloud.classes[inside]


def cells_of(xyz: Reals, eye: Reals, yaw: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and columns of points; those off the map lie outside 0 to 63.

    Example:
        >>> ahead, right = [0.0, 1.0, -2.0], [2.0, 1.0, 0.0]
        >>> rows, columns = cells_of(np.array([ahead, right]), np.array([0.0, 1.25, 0.0]), 0.0)
        >>> rows.tolist(), columns.tolist()
        ([12, 32], [32, 52])
    """
    real: Any = eye.dtype.type
    back = float(real(-yaw))
    cos_h, sin_h = real(math.cos(back)), real(math.sin(back))
    x, z = xyz[:, 0] - eye[0], xyz[:, 2] - eye[2]
    half, cell = real(SIZE * CELL / 2), real(CELL)
    row = np.rint((-sin_h * x + cos_h * z + half) / cell)
    column = np.rint((cos_h * x + sin_h * z + half) / cell)
    return row.astype(np.int64), column.astype(np.int64)
