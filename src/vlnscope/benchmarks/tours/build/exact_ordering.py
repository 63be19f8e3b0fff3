"""Proves how good an order of paths is, with an exact solver. Optional: needs ortools (extra ``exact``)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.routes import graphs_of
from vlnscope.benchmarks.tours.build.legs import ground_of, leg_costs
from vlnscope.benchmarks.tours.build.ordering import Ordering, checked
from vlnscope.benchmarks.tours.build.tours import BuiltTours, OrderedPaths
from vlnscope.core.exceptions import MissingPackageError
from vlnscope.types import Floats

UNIT = 1e-6
"""Costs are rounded down to multiples of this (micrometres), because the solver takes whole numbers."""


class Proof(NamedTuple):
    """What an exact solver says about an order.

    Attributes:
        cost: of the order in question.
        bound: no order costs less.
        best: the cheapest order that the solver knows.
    """

    cost: float
    bound: float
    best: Ordering

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no order is cheaper by more than the rounding of its costs."""
        return self.cost <= self.bound + len(self.best.order) * UNIT

    @property
    def gap(self) -> float:
        """By what share of the bound the order may be too expensive; 0 if it is optimal."""
        if self.optimal:
            return 0.0
        return (self.cost - self.bound) / self.bound if self.bound > 0 else math.inf


def prove(costs: Floats, ordering: Ordering, *, seconds: float = 60.0, workers: int = 2) -> Proof:
    """Let CP-SAT look for an order that is cheaper than one that was found, and prove a lower bound.

    It proves most tours of 100 paths in some seconds and of 300 in half a minute where costs are from end to
    start; costs from start to start, which are symmetric, take it much longer.

    Args:
        costs: as for `order_paths`.
        ordering: the order in question, from which the solver starts.
        seconds: give up proving after so long.
        workers: threads of the solver.

    Raises:
        InputError: ortools is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingPackageError(
            "ortools", "exact", "the exact check needs", "leave the check out"
        ) from None
    costs = checked(costs)
    model, legs = _model(cp_model, costs, ordering)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.max_time_in_seconds = seconds
    solver.solve(model)
    best = _followed({a: b for (a, b), leg in legs.items() if solver.boolean_value(leg)}, costs)
    return Proof(ordering.cost, solver.best_objective_bound * UNIT, best)


def prove_tours(built: BuiltTours, *, seconds: float = 60.0) -> Iterator[tuple[OrderedPaths, Proof]]:
    """Yield each order of paths with what an exact solver says about it; see `prove`."""
    graphs = graphs_of(built.source, {order.scan: [] for order in built.orders})
    for order in built.orders:
        costs = leg_costs(graphs[order.scan], order.routes, built.legs, ground_of(built.source, order.scan))
        as_built = Ordering(tuple(range(len(costs))), order.oracle_distance)
        yield order, prove(costs, as_built, seconds=seconds)


def _model(cp_model: Any, costs: Floats, ordering: Ordering) -> tuple[Any, dict[tuple[int, int], Any]]:
    """Return the model: one round trip through all paths and a depot, with the variable of each leg."""
    depot = len(costs)
    model = cp_model.CpModel()
    whole = np.floor(costs / UNIT)
    legs = {
        (a, b): model.new_bool_var(f"{a}-{b}") for a in range(depot + 1) for b in range(depot + 1) if a != b
    }
    model.add_circuit([(a, b, leg) for (a, b), leg in legs.items()])
    model.minimize(sum(int(whole[a, b]) * leg for (a, b), leg in legs.items() if depot not in (a, b)))
    trip = (depot, *ordering.order, depot)
    taken = set(pairwise(trip))
    for pair, leg in legs.items():
        model.add_hint(leg, pair in taken)
    return model, legs


def _followed(after: dict[int, int], costs: Floats) -> Ordering:
    """Return the order that a round trip visits the paths in, from the depot on."""
    order: list[int] = []
    stop = after[len(costs)]
    while stop != len(costs):
        order.append(stop)
        stop = after[stop]
    return Ordering(tuple(order), float(costs[order[:-1], order[1:]].sum()))
