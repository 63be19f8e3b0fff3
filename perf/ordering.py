"""How good and how fast the order of a tour is: real tours, and tours of 100 and 300 random paths.

With --prove an exact solver (ortools) says how far each order is from the best possible one. Budgets: equal
to the optimum in 1 second for 100 paths, within 0.1 % in 6 seconds for 300.

    python perf/ordering.py --root ~/vln-data --prove
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.routes import graphs_of, routes_of
from vlnscope.benchmarks.tours.build.exact_ordering import prove
from vlnscope.benchmarks.tours.build.legs import inter_navigable, leg_costs
from vlnscope.benchmarks.tours.build.ordering import Ordering, nearest_neighbour, order_paths
from vlnscope.core.data_root import data_root
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.types import Floats
from vlnscope.worlds.houses.splits import HouseScenes, house_ids
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scenes

LARGE_SCANS = ("2n8kARJN3HM", "B6ByNegPMKs", "E9uDoFAP3SH")
LARGE_HOUSES = house_ids("val_unseen", 3)
SHORTEST, LONGEST = 5.0, 20.0


class Instance(NamedTuple):
    """A tour to order."""

    name: str
    costs: Floats


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, help="data folder; $VLNSCOPE_DATA if not given")
    parser.add_argument("--prove", action="store_true", help="compare with an exact solver")
    parser.add_argument("--seconds", type=float, default=120.0, help="time of the exact solver per tour")
    arguments = parser.parse_args()
    root = data_root(arguments.root)
    order_paths(np.arange(25.0).reshape(5, 5))  # compiles
    if root is not None:
        total = [measure(instance, arguments) for instance in real_tours(root)]
        found, greedy = (sum(column) for column in zip(*total, strict=True))
        print(f"all tours of r2r/val_unseen: {found:.2f} m; always to the nearest path: {greedy:.2f} m")
    for instance in random_tours(root):
        measure(instance, arguments)


def measure(instance: Instance, arguments: argparse.Namespace) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = order_paths(instance.costs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    greedy = nearest_neighbour(instance.costs).cost
    proof = said(instance.costs, found, arguments.seconds) if arguments.prove else ""
    print(
        f"{instance.name:>12} {len(instance.costs):4} paths: {found.cost:8.2f} m in {wall:.2f} s "
        f"({cpu:.2f} s of CPU), greedy {greedy:8.2f} m{proof}",
        flush=True,
    )
    return found.cost, greedy


def said(costs: Floats, found: Ordering, seconds: float) -> str:
    start = time.perf_counter()
    proof = prove(costs, found, seconds=seconds)
    verdict = "proved optimal" if proof.optimal else f"gap at most {proof.gap:.4%}"
    return f", {verdict} ({time.perf_counter() - start:.0f} s)"


def real_tours(root: Path) -> Iterator[Instance]:
    dataset = open_dataset("r2r/val_unseen", root)
    routes = routes_of(dataset)
    for scan, graph in graphs_of(dataset, routes).items():
        for part in inter_navigable(graph, routes[scan]):
            yield Instance(scan, leg_costs(graph, part))


def random_tours(root: Path | None) -> Iterator[Instance]:
    scenes: Scenes = HouseScenes(LARGE_HOUSES) if root is None else MatterportScenes(root)
    for scan in LARGE_HOUSES if root is None else LARGE_SCANS:
        distances = scenes.scene(scan).graph.distances
        pairs = np.argwhere((distances >= SHORTEST) & (distances <= LONGEST))
        for count in (100, 300):
            rows = rng_for(0, "ordering", scan, count).choice(len(pairs), size=count, replace=False)
            starts, ends = pairs[rows].T
            yield Instance(scan, distances[np.ix_(ends, starts)])


if __name__ == "__main__":
    main()
