"""In which order to walk the paths of a tour, so that the ways between them are short in sum.

That is the asymmetric travelling salesperson problem with open ends: going from the end of path i to the
start of path j costs ``costs[i, j]``, and the tour may begin and end with any path. A depot to and from
which all ways are free makes it a round trip. IVLN used LKH with unknown settings; here, iterated local
search from several nearest-neighbour tours (`ordering_search`), whose result depends on the costs and the
seed alone, never on time; up to 13 paths the best order is found by trying all sets. `exact_ordering` can
prove how good it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.tours.build.ordering_search import best_order, greedy_orders, search
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats, Ints

RESTARTS = 4
_KICKS_PER_STOP = 15
_NEAR = 50
_LONGEST = 30
_FEW = 13


class Ordering(NamedTuple):
    """An order of the rows of a cost matrix, and what it costs to go through them."""

    order: tuple[int, ...]
    cost: float


def order_paths(costs: Floats, *, seed: int = 0) -> Ordering:
    """Return a cheap order in which to visit everything once, starting and ending anywhere.

    Args:
        costs: square matrix: cost of going from the row's path to the column's; the diagonal is ignored.
        seed: of the search. Equal arguments give equal orders.

    Example:
        >>> order_paths(np.array([[0, 9, 1], [1, 0, 9], [9, 9, 0]]))
        Ordering(order=(1, 0, 2), cost=2.0)

    Raises:
        InputError: the matrix is not square, or holds a cost that is negative or not finite.
    """
    costs = checked(costs)
    size = len(costs)
    if size <= _FEW:
        return _ordering(costs, best_order(costs).tolist())
    ways, near = _with_depot(costs)
    symmetric = bool(np.allclose(ways, ways.T, rtol=1e-9))  # sums may be rounded differently by direction
    starts = _greedy(costs)
    orderings = []
    for restart in range(RESTARTS):
        begin = starts[restart * (size - 1) // max(1, RESTARTS - 1)].order
        trip = search(
            ways,
            near,
            symmetric,
            np.array([size, *begin], dtype=np.int64),
            _kicks(size + 1, rng_for(seed, "tours", "ordering", restart)),
        )
        opened = np.roll(trip, -int(np.flatnonzero(trip == size)[0]))[1:]
        orderings.append(_ordering(costs, opened.tolist()))
    return min(orderings, key=lambda ordering: ordering.cost)


def nearest_neighbour(costs: Floats) -> Ordering:
    """Return the cheapest of the orders that always go to the nearest path not yet visited.

    Example:
        >>> nearest_neighbour(np.array([[0, 1, 2], [5, 0, 9], [9, 1, 0]])).order
        (2, 1, 0)
    """
    return _greedy(checked(costs))[0]


def checked(costs: Floats) -> Floats:
    """Return a matrix of costs as floats, or refuse it."""
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise InputError(
            f"the costs have the shape {matrix.shape}",
            expected="a square matrix with a row and a column per path",
            fix="give the cost of going from each path to each",
        )
    apart = ~np.eye(len(matrix), dtype=np.bool_)
    bad = np.argwhere(apart & ~((matrix >= 0) & np.isfinite(matrix)))
    if bad.size:
        i, j = bad[0]
        raise InputError(
            f"going from path {i} to path {j} costs {matrix[i, j]}",
            expected="finite costs, not negative",
            fix="order only paths between which there is a way",
        )
    return matrix


def _greedy(costs: Floats) -> list[Ordering]:
    """Return the nearest-neighbour order from each path, the cheapest first."""
    orders = (_ordering(costs, row.tolist()) for row in greedy_orders(costs))
    return sorted(orders, key=lambda ordering: ordering.cost)


def _ordering(costs: Floats, order: tuple[int, ...] | list[int]) -> Ordering:
    return Ordering(tuple(order), float(costs[order[:-1], order[1:]].sum()) if len(order) > 1 else 0.0)


def _with_depot(costs: Floats) -> tuple[Floats, Ints]:
    """Add a last row and column of zeros, and list for each row the cheapest columns, itself left out."""
    size = len(costs)
    ways = np.zeros((size + 1, size + 1))
    ways[:size, :size] = costs
    np.fill_diagonal(ways, np.inf)
    near = np.argsort(ways, axis=1, kind="stable")[:, : min(_NEAR, size)]
    return ways, np.ascontiguousarray(near, dtype=np.int64)


def _kicks(size: int, rng: np.random.Generator) -> Ints:
    longest = max(1, min(_LONGEST, (size - 1) // 3))
    count = _KICKS_PER_STOP * size
    places = rng.integers(size, size=(count, 1))
    return np.concatenate([places, rng.integers(1, longest + 1, size=(count, 3))], axis=1)
