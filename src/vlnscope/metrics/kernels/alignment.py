"""Which points of two paths are matched by the cheapest alignment: for drawing what DTW sums up."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats


def alignment(costs: Floats, *, pin_first: bool = False, pin_last: bool = False) -> list[tuple[int, int]]:
    """Return the pairs of points whose distances `warping_costs` adds up, from the first pair to the last.

    Args:
        costs: distances, a row per point walked and a column per point of the reference.
        pin_first: as in `warping_costs`.
        pin_last: as in `warping_costs`.

    Returns:
        Pairs of row and column; none where no alignment obeys.

    Example:
        >>> alignment(np.array([[0.0, 2.0], [1.0, 1.5], [2.0, 0.0]]))
        [(0, 0), (1, 0), (2, 1)]
    """
    allowed = np.array(costs, dtype=np.float64)
    if pin_first:
        allowed[1:, 0] = np.inf
    if pin_last:
        allowed[:-1, -1] = np.inf
    n, m = allowed.shape
    total = np.full((n + 1, m + 1), np.inf)
    total[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            total[i + 1, j + 1] = allowed[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    if not np.isfinite(total[n, m]):
        return []
    pairs, i, j = [], n, m
    while i and j:
        pairs.append((i - 1, j - 1))
        steps = ((i - 1, j - 1), (i - 1, j), (i, j - 1))
        i, j = min(steps, key=lambda step: total[step])
    return pairs[::-1]
