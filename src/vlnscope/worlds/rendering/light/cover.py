"""Which places on flat pieces the texels of charts stand for: compiled loops over faces and texels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats

_INSET = 0.02


@compiled
def amid(size: NDArray[np.int64], starts: NDArray[np.int64], nearest: Floats) -> NDArray[np.bool_]:
    """Return which texels have all eight neighbours on faces too."""
    amid = np.zeros(len(nearest), dtype=np.bool_)
    for c in range(len(size)):
        columns, rows = size[c, 0], size[c, 1]
        for row in range(1, rows - 1):
            for column in range(1, columns - 1):
                at = starts[c] + row * columns + column
                covered = True
                for dr in range(-1, 2):
                    for dc in range(-1, 2):
                        covered = covered and nearest[at + dr * columns + dc] == 0.0
                amid[at] = covered
    return amid


@compiled
def cover(
    corners: Floats,
    number: NDArray[np.int64],
    chart: NDArray[np.int64],
    origin: Floats,
    across: Floats,
    down: Floats,
    step: Floats,
    size: NDArray[np.int64],
    starts: NDArray[np.int64],
    nearest: Floats,
    face: NDArray[np.int64],
    position: Floats,
) -> None:
    """Give each texel within one texel of a face a place on it, the nearest, and not on its very edge.

    Edges often lie under something else, such as a skirting board.
    """
    flat = np.empty((3, 2))
    for f in range(len(corners)):
        c = chart[f]
        for k in range(3):
            flat[k, 0] = flat[k, 1] = 0.0
            for i in range(3):
                flat[k, 0] += (corners[f, k, i] - origin[c, i]) * across[c, i]
                flat[k, 1] += (corners[f, k, i] - origin[c, i]) * down[c, i]
        first, last = np.empty(2, dtype=np.int64), np.empty(2, dtype=np.int64)
        for i in range(2):
            first[i] = max(0, int(min(flat[0, i], flat[1, i], flat[2, i]) / step[c, i] - 1.0))
            last[i] = min(size[c, i] - 1, int(max(flat[0, i], flat[1, i], flat[2, i]) / step[c, i] + 2.0))
        middle_x = (flat[0, 0] + flat[1, 0] + flat[2, 0]) / 3.0
        middle_y = (flat[0, 1] + flat[1, 1] + flat[2, 1]) / 3.0
        reach = max(step[c, 0], step[c, 1]) * 1.05
        inset_x = min(_INSET, 0.3 * (size[c, 0] - 1) * step[c, 0])
        inset_y = min(_INSET, 0.3 * (size[c, 1] - 1) * step[c, 1])
        for row in range(first[1], last[1] + 1):
            for column in range(first[0], last[0] + 1):
                at = starts[c] + row * size[c, 0] + column
                if nearest[at] == 0.0:
                    continue
                x = min(max(column * step[c, 0], inset_x), (size[c, 0] - 1) * step[c, 0] - inset_x)
                y = min(max(row * step[c, 1], inset_y), (size[c, 1] - 1) * step[c, 1] - inset_y)
                near_x, near_y, away, margin = _nearest(flat, x, y)
                if away > reach or away >= nearest[at]:
                    continue
                nearest[at] = away
                face[at] = number[f]
                gap = ((middle_x - near_x) ** 2 + (middle_y - near_y) ** 2) ** 0.5
                pull = min(0.3, _INSET / max(gap, 1e-9)) if margin < _INSET else 0.0
                near_x += (middle_x - near_x) * pull
                near_y += (middle_y - near_y) * pull
                for i in range(3):
                    position[at, i] = origin[c, i] + near_x * across[c, i] + near_y * down[c, i]


@compiled
def _nearest(flat: Floats, x: float, y: float) -> tuple[float, float, float, float]:
    """Return the point of a triangle that is nearest to (x, y), how far it is (0 inside), and the edge."""
    best, best_x, best_y = np.inf, x, y
    turns = 0
    for k in range(3):
        ax, ay = flat[k, 0], flat[k, 1]
        bx, by = flat[(k + 1) % 3, 0], flat[(k + 1) % 3, 1]
        ux, uy = bx - ax, by - ay
        side = ux * (y - ay) - uy * (x - ax)
        turns += 1 if side >= 0.0 else -1
        t = min(max(((x - ax) * ux + (y - ay) * uy) / max(ux * ux + uy * uy, 1e-18), 0.0), 1.0)
        px, py = ax + t * ux, ay + t * uy
        away = ((px - x) ** 2 + (py - y) ** 2) ** 0.5
        if away < best:
            best, best_x, best_y = away, px, py
    if abs(turns) == 3:
        return x, y, 0.0, best
    return best_x, best_y, best, 0.0
