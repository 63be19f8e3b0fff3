"""Puts rectangles of texels onto as few sheets as a simple rule needs: in rows, the tallest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIDE = 4096
"""Rows and columns that a sheet may have; graphics cards take no less."""


def packed(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where each rectangle goes so that none overlap.

    Args:
        sizes: rows and columns of each, at most `SIDE`.

    Returns:
        The sheet of each rectangle; row and column of its first texel there; rows and columns of the sheets.

    Example:
        >>> sheet, place, sheets = packed(np.array([[10, 4000], [20, 50], [20, 60]]))
        >>> sheet.tolist(), place.tolist(), sheets.tolist()
        ([0, 0, 0], [[20, 0], [0, 0], [0, 50]], [[32, 4096]])
    """
    sheet = np.zeros(len(sizes), dtype=np.int64)
    place = np.zeros((len(sizes), 2), dtype=np.int64)
    number, row, column, tallest = 0, 0, 0, 0
    used: dict[int, int] = {}
    for chart in np.argsort(-sizes[:, 0], kind="stable").tolist():
        rows, columns = sizes[chart].tolist()
        if column + columns > SIDE:
            row, column, tallest = row + tallest, 0, 0
        if row + rows > SIDE:
            number, row, column, tallest = number + 1, 0, 0, 0
        sheet[chart], place[chart] = number, (row, column)
        column, tallest = column + columns, max(tallest, rows)
        used[number] = row + tallest
    heights = [-(-rows // 16) * 16 for rows in used.values()]
    return sheet, place, np.array([[rows, SIDE] for rows in heights], dtype=np.int64).reshape(-1, 2)
