"""How long houses take: 60 of them with graphs, regions and visible objects, on two processes.

python perf/houses.py [--count 60]
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from vlnscope.worlds.houses.checks import check_house
from vlnscope.worlds.houses.house import generate, house_scene

FIRST_SEED = 500_000


def build(seed: int) -> tuple[int, int, int]:
    """Make a house with all its semantic layers; return how much there is of each."""
    scene = house_scene(generate(seed))
    regions, objects = scene.regions, scene.objects
    seen = sum(len(objects.at(node)) for node in scene.graph.nodes)
    return len(scene.graph.nodes), len(regions.labels), seen


def problems(seed: int) -> list[str]:
    """Return what `check_house` finds wrong with a house."""
    return [f"seed {seed}: {problem}" for problem in check_house(generate(seed))]


def main() -> None:
    """Measure, then check the same houses."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=60)
    count = parser.parse_args().count
    seeds = range(FIRST_SEED, FIRST_SEED + count)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(build, seeds[:2]))
        start = time.perf_counter()
        sizes = list(pool.map(build, seeds))
        seconds = time.perf_counter() - start
        wrong = [problem for found in pool.map(problems, seeds) for problem in found]
    nodes, rooms, seen = (sum(column) for column in zip(*sizes, strict=True))
    print(f"{count} houses, {nodes} viewpoints, {rooms} rooms, {seen} sightings of objects")
    print(f"  layout, furniture, graph, regions, visible objects: {seconds:.1f} s on 2 processes (budget 60)")
    print(f"  problems that check_house finds: {len(wrong)}")
    for problem in wrong[:10]:
        print(f"    {problem}")


if __name__ == "__main__":
    main()
