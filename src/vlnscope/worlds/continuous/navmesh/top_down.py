"""The cells of a top-down map, where Habitat puts them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.navmesh.plane import Float32s

MOST_CELLS = 1 << 27
"""Cells of a map, at most."""
_BLOCK = 1 << 20


def cell_marks(bounds: Float32s, spacing: float) -> tuple[Float32s, Float32s]:
    """Return where cells begin along x and z, added up in 32 bits as Habitat does.

    Raises:
        InputError: the spacing is not above 0, or there would be too many cells.

    Example:
        >>> x, z = cell_marks(np.array([[0, 0, 1], [1, 2, 1.6]], np.float32), 0.25)
        >>> x.tolist(), z.tolist()
        ([0.0, 0.25, 0.5, 0.75], [1.0, 1.25])
    """
    low, high = bounds[:, [0, 2]]
    spans = np.abs(high - low) / np.float32(spacing) if spacing > 0 else np.full(2, np.inf)
    if not spans.astype(np.float64).prod() <= MOST_CELLS or not max(spans) <= MOST_CELLS:
        raise InputError(
            f"a top-down map has {spacing} m per pixel",
            expected=f"more than 0, and at most {MOST_CELLS} cells in all",
            fix="ask for larger cells",
        )
    first, second = (
        np.cumsum([start, *[np.float32(spacing)] * (int(span) - 1)][: int(span)], dtype=np.float32)
        for start, span in zip(low, spans, strict=True)
    )
    return first, second


def blocks_of_cells(x: Float32s, z: Float32s, height: float) -> Iterator[Float32s]:
    """Yield the points of all cells row by row, so many at a time that they fit into memory."""
    rows = max(1, _BLOCK // max(1, len(x)))
    for first in range(0, len(z), rows):
        part = z[first : first + rows]
        points = np.empty((len(part), len(x), 3), np.float32)
        points[..., 0], points[..., 1], points[..., 2] = x, height, part[:, None]
        yield points.reshape(-1, 3)
