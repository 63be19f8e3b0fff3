"""How long houses take: 60 of them with graphs, regions, visible objects and instructions, on two processes.

python perf/houses.py [--count 60]
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from vlnscope.episodes.datasets.house_episodes import make_episodes
from vlnscope.worlds.houses.checks import check_house
from vlnscope.worlds.houses.house import generate, house_scene

FIRST_SEED = 500_000


class Built(NamedTuple):
    """How much there is of a house, and the processor's seconds for building and for describing it."""

    nodes: int
    rooms: int
    seen: int
    instructions: int
    building: float
    describing: float


def build(seed: int) -> Built:
    """Make a house with all its semantic layers and three instructions for each of 60 paths."""
    start = time.process_time()
    scene = house_scene(generate(seed))
    regions, objects = scene.regions, scene.objects
    seen = sum(len(objects.at(node)) for node in scene.graph.nodes)
    built = time.process_time()
    episodes = make_episodes(scene, seed).episodes
    described = time.process_time()
    sizes = (len(scene.graph.nodes), len(regions.labels), seen, len(episodes))
    return Built(*sizes, built - start, described - built)


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
    all_of = Built(*(sum(column) for column in zip(*sizes, strict=True)))
    print(
        f"{count} houses, {all_of.nodes} viewpoints, {all_of.rooms} rooms, {all_of.seen} sightings of objects"
    )
    print(f"  {all_of.instructions} instructions")
    print(f"  all of it: {seconds:.1f} s on 2 processes (budget 60)")
    print(f"  layout, furniture, graph, regions, visible objects: {all_of.building:.1f} s of processor")
    print(f"  paths and their instructions: {all_of.describing:.1f} s of processor")
    print(f"  problems that check_house finds: {len(wrong)}")
    for problem in wrong[:10]:
        print(f"    {problem}")


if __name__ == "__main__":
    main()
