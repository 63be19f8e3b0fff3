"""Points as kernels take them: rows of three 32-bit coordinates."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.navmesh.plane import Float32s


def point_rows(points: ArrayLike) -> Float32s:
    """Return one or many points as rows x, y, z.

    Raises:
        InputError: they do not have three coordinates.

    Example:
        >>> point_rows([1, 2, 3]).shape, point_rows([[1, 2, 3], [4, 5, np.inf]]).shape
        ((1, 3), (2, 3))
    """
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(np.atleast_2d(np.asarray(points, np.float64)), np.float32)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise InputError(
            f"points have the shape {np.shape(points)}",
            expected="rows of three coordinates x, y, z",
            fix="give an array of shape (n, 3)",
        )
    return rows


def one_row(point: ArrayLike) -> Float32s:
    """Return a single point as a row.

    Raises:
        InputError: it is none, or there are several.
    """
    rows = point_rows(point)
    if len(rows) != 1:
        raise InputError(
            f"there are {len(rows)} points", expected="one point", fix="ask for one path after the other"
        )
    return rows


def paired_rows(starts: ArrayLike, goals: ArrayLike) -> tuple[Float32s, Float32s]:
    """Return points that belong together row by row, or all to a single one.

    Raises:
        InputError: there are more of one than of the other, and more than one of both.
    """
    first, second = point_rows(starts), point_rows(goals)
    if len(first) != len(second) and 1 not in (len(first), len(second)):
        raise InputError(
            f"there are {len(first)} starts and {len(second)} goals",
            expected="as many of one as of the other, or one of either",
            fix="repeat the rows that belong together",
        )
    return first, second
