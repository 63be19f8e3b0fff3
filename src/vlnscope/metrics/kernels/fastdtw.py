"""FastDTW (Salvador and Chan 2007): the approximate warping that VLN-CE code uses, compiled.

Paths are halved by averaging neighbours until one has fewer than ``radius + 2`` points, warped there,
and the alignment found is projected back level by level, widened by `radius` cells, as a window for
the next finer warping. The result is an upper bound of exact warping. Ties are broken as in the
``fastdtw`` package, first by advancing the prediction, then the reference, then both, since the
alignment, and so the window of the next level, depends on it.
"""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats, Ints


@compiled
def fast_warping_costs(
    pred: Floats, pred_offsets: Ints, ref: Floats, ref_offsets: Ints, radius: int
) -> Floats:
    """FastDTW with straight-line costs for every pair of a ragged batch of points."""
    out = np.empty(pred_offsets.size - 1)
    for k in range(out.size):
        x = pred[pred_offsets[k] : pred_offsets[k + 1]]
        y = ref[ref_offsets[k] : ref_offsets[k + 1]]
        out[k] = _fast_warp(x, y, radius)
    return out


@compiled
def _fast_warp(x: Floats, y: Floats, radius: int) -> float:
    levels_x, levels_y = [x], [y]
    while levels_x[-1].shape[0] >= radius + 2 and levels_y[-1].shape[0] >= radius + 2:
        levels_x.append(_halve(levels_x[-1]))
        levels_y.append(_halve(levels_y[-1]))
    coarse_x, coarse_y = levels_x.pop(), levels_y.pop()
    n, m = coarse_x.shape[0], coarse_y.shape[0]
    total, rows, columns = _warp(coarse_x, coarse_y, np.zeros(n, np.int64), np.full(n, m, np.int64))
    while len(levels_x) > 0:
        fine_x, fine_y = levels_x.pop(), levels_y.pop()
        low, high = _window(rows, columns, fine_x.shape[0], fine_y.shape[0], radius)
        total, rows, columns = _warp(fine_x, fine_y, low, high)
    return total


@compiled
def _halve(points: Floats) -> Floats:
    half = points.shape[0] // 2
    out = np.empty((half, 3))
    for i in range(half):
        for axis in range(3):
            out[i, axis] = (points[2 * i, axis] + points[2 * i + 1, axis]) / 2
    return out


@compiled
def _window(rows: Ints, columns: Ints, n: int, m: int, radius: int) -> tuple[Ints, Ints]:
    """Columns [low, high) that each fine row may use: the coarse alignment, widened and doubled."""
    low = np.full(n, m, np.int64)
    high = np.zeros(n, np.int64)
    for k in range(rows.size):
        for coarse in range(rows[k] - radius, rows[k] + radius + 1):
            for row in range(2 * coarse, 2 * coarse + 2):
                if 0 <= row < n:
                    low[row] = min(low[row], max(2 * (columns[k] - radius), 0))
                    high[row] = max(high[row], min(2 * (columns[k] + radius) + 2, m))
    return low, high


@compiled
def _warp(x: Floats, y: Floats, low: Ints, high: Ints) -> tuple[float, Ints, Ints]:
    """Warp inside a window; return the cost and the alignment as rows and columns."""
    n, m = x.shape[0], y.shape[0]
    start = np.zeros(n + 1, np.int64)
    for i in range(n):
        start[i + 1] = start[i] + high[i] - low[i]
    total = np.empty(start[n])
    move = np.empty(start[n], np.uint8)  # 0: from the row above, 1: from the left, 2: from the corner
    for i in range(n):
        for j in range(low[i], high[i]):
            dx, dy, dz = x[i, 0] - y[j, 0], x[i, 1] - y[j, 1], x[i, 2] - y[j, 2]
            cost = np.sqrt(dx * dx + dy * dy + dz * dz)
            above, corner = np.inf, np.inf
            if i > 0:
                if low[i - 1] <= j < high[i - 1]:
                    above = total[start[i - 1] + j - low[i - 1]]
                if low[i - 1] <= j - 1 < high[i - 1]:
                    corner = total[start[i - 1] + j - 1 - low[i - 1]]
            elif j == 0:
                corner = 0.0
            left = total[start[i] + j - 1 - low[i]] if j > low[i] else np.inf
            best, step = above + cost, 0
            if left + cost < best:
                best, step = left + cost, 1
            if corner + cost < best:
                best, step = corner + cost, 2
            total[start[i] + j - low[i]] = best
            move[start[i] + j - low[i]] = step
    rows = np.empty(n + m, np.int64)
    columns = np.empty(n + m, np.int64)
    size, i, j = 0, n - 1, m - 1
    while i >= 0 and j >= 0:
        rows[size], columns[size] = i, j
        size += 1
        step = move[start[i] + j - low[i]]
        if step != 1:
            i -= 1
        if step != 0:
            j -= 1
    return total[start[n - 1] + m - 1 - low[n - 1]], rows[:size], columns[:size]
