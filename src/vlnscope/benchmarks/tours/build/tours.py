"""Builds tours: the paths of a scene in an order that an agent can walk through, keeping its memory.

As IVLN does (J. Krantz et al., *Iterative Vision-and-Language Navigation*, CVPR 2023): the unique paths of
each scene are parted into sets between whose paths there are ways; each set is ordered so that the ways
from the end of one path to the start of the next are short in sum; and the tour is repeated once per
instruction of a path, each time with another instruction of each path. Paths with a fourth instruction lose
it, and a set of one path is no tour. On R2R this gives the numbers of Table 1 exactly.

Distances run along the graph, and in continuous space (IR2R-CE) along the ground.

The orders that IVLN released cannot be recovered, because the settings of its solver are unknown; import its
``tours_iVLN.json`` where exactly those are wanted. Here the order depends on the data and the seed alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from vlnscope.benchmarks.kit.routes import Route, graphs_of, refuse_secret, routes_of
from vlnscope.benchmarks.tours.build.legs import LEGS, ground_of, inter_navigable, leg_costs
from vlnscope.benchmarks.tours.build.ordering import nearest_neighbour, order_paths
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.files import write_whole
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.ivln_tours import SplitTour, write_split_tours
from vlnscope.types import Floats

FILE_NAME = "tours_iVLN.json"
SPACE_FILE_NAME = "tours.json"
"""What IVLN-CE calls the file of tours in continuous space."""


class OrderedPaths(NamedTuple):
    """The paths of one tour, in order, whichever of their instructions is given.

    Attributes:
        scan: scene id.
        routes: the paths.
        repeats: how many tours walk them, each with other instructions.
        oracle_distance: metres between the paths in sum: what the order minimises.
        greedy_distance: the same if the agent always went on to the nearest path (from the best first one).
    """

    scan: str
    routes: tuple[Route, ...]
    repeats: int
    oracle_distance: float
    greedy_distance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class BuiltTours:
    """The tours of one split.

    Attributes:
        source: the data set they are made of.
        legs: what the order makes short.
        orders: the ordered paths, scenes in the order of the source.
        tours: the tours, numbered over all scenes.
        dropped: paths that are in no tour, because from each of them no way leads to another.
    """

    source: Dataset
    legs: str
    orders: tuple[OrderedPaths, ...]
    tours: tuple[SplitTour, ...]
    dropped: tuple[Route, ...]

    @property
    def split(self) -> str:
        """The name under which they stand in a file."""
        return split_name(self.source)

    @property
    def oracle_distance(self) -> float:
        """Metres that an oracle leads the agent between paths, once through all scenes."""
        return sum(order.oracle_distance for order in self.orders)

    @property
    def greedy_distance(self) -> float:
        """The same if each scene were walked from nearest path to nearest path."""
        return sum(order.greedy_distance for order in self.orders)


def build_tours(dataset: Dataset, *, legs: str = "end-to-start", seed: int = 0) -> BuiltTours:
    """Make the tours of a data set.

    Args:
        dataset: any data set with paths over navigation graphs, in continuous space too.
        legs: ``end-to-start`` as IVLN's train and validation splits have it; ``start-to-start`` as its test
            split, whose oracle must not give the goals away.
        seed: of the search for an order and of the instructions that each tour takes.

    Returns:
        As many tours of each set of paths as the path with fewest instructions has instructions (3 in R2R).

    Raises:
        InputError: the goals are secret but the order needs them; or the paths do not lie on the graphs of
            their scenes; or there is no tour at all.
    """
    if legs not in LEGS:
        raise UnknownNameError("kind of legs", legs, LEGS)
    if legs == "end-to-start":
        refuse_secret(dataset, "order by starts alone: start-to-start, as IVLN does for its test split")
    routes = routes_of(dataset)
    graphs = graphs_of(dataset, routes)
    grounds = {scan: ground_of(dataset, scan) for scan in routes}
    sets = [
        part for scan, group in routes.items() for part in inter_navigable(graphs[scan], group, grounds[scan])
    ]
    orders = tuple(
        _ordered(leg_costs(graphs[part[0].scan], part, legs, grounds[part[0].scan]), part, seed)
        for part in sets
        if len(part) > 1
    )
    if not orders:
        raise InputError(
            f"{dataset.name}: no scene has two paths between which there is a way",
            expected="scenes with several paths",
            fix="take a split with more paths per scene",
        )
    split = split_name(dataset)
    tours = itertools.chain.from_iterable(_instructed(order, seed) for order in orders)
    return BuiltTours(
        source=dataset,
        legs=legs,
        orders=orders,
        tours=tuple(
            SplitTour(tour_id=str(number), scan=scan, episode_ids=ids, split=split)
            for number, (scan, ids) in enumerate(tours)
        ),
        dropped=tuple(part[0] for part in sets if len(part) == 1),
    )


def save_tours(path: str | Path, built: Iterable[BuiltTours]) -> Path:
    """Write the tours of one or several splits as ``tours_iVLN.json`` has them.

    Raises:
        InputError: two of them have the same split.
    """
    built = list(built)
    names = [tours.split for tours in built]
    if len(set(names)) < len(names):
        raise InputError(
            f"{path}: two data sets have the split {max(names, key=names.count)!r}",
            expected="one data set per split of a file",
            fix="write them to files of their own",
        )
    with write_whole(path) as stream:
        write_split_tours(itertools.chain.from_iterable(tours.tours for tours in built), stream)
    return Path(path)


def split_name(dataset: Dataset) -> str:
    """Return the split of a data set, or the name of its file without what follows the first dot."""
    return dataset.split or Path(dataset.name).name.split(".")[0]


def _ordered(costs: Floats, routes: Sequence[Route], seed: int) -> OrderedPaths:
    ordering = order_paths(costs, seed=seed)
    return OrderedPaths(
        scan=routes[0].scan,
        routes=tuple(routes[k] for k in ordering.order),
        repeats=min(len(route.episodes) for route in routes),
        oracle_distance=ordering.cost,
        greedy_distance=nearest_neighbour(costs).cost,
    )


def _instructed(order: OrderedPaths, seed: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the tours over some paths: each takes one instruction of each path, none is taken twice."""
    shuffled = [
        rng_for(seed, "tours", "instructions", order.scan, route.path_id).permutation(order.repeats)
        for route in order.routes
    ]
    for k in range(order.repeats):
        ids = (route.episodes[turn[k]].episode_id for route, turn in zip(order.routes, shuffled, strict=True))
        yield order.scan, tuple(ids)
