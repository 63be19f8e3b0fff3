"""Many houses at once, in several processes; how many there are does not change a byte of the result."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.plan.file import encode_plan
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import load_house
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

T = TypeVar("T")


def for_houses(work: Callable[[str], T], houses: Sequence[str], *, workers: int = 1) -> Iterator[T]:
    """Yield the result of `work` for each house, in the given order.

    Args:
        work: a function of a house's name that other processes can import; not from the user's script.
        houses: names of houses.
        workers: number of processes; with 1 everything happens in this one.
    """
    if workers <= 1 or len(houses) <= 1:
        yield from map(work, houses)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(houses)), mp_context=context) as pool:
        with _main_hidden():
            done = pool.map(work, houses)
        yield from done


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Keep new processes from running the user's script once more, as they do if it has no main guard."""
    main = vars(sys.modules["__main__"])
    hidden: dict[str, Any] = {name: main[name] for name in ("__file__", "__spec__") if name in main}
    main.pop("__file__", None)
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(hidden)


def load_houses(houses: Sequence[str], *, workers: int = 1) -> Iterator[FloorPlan]:
    """Yield houses by their names, from the cache or made; see `splits.load_house`."""
    for encoded in for_houses(_encoded, houses, workers=workers):
        yield msgspec.json.decode(encoded, type=FloorPlan)


def _encoded(house: str) -> bytes:
    # not pickled: which members a plan is written with depends on its values being the very default objects
    return encode_plan(load_house(house))


def graph_scenes(houses: Sequence[str], *, workers: int = 1) -> Iterator[Scene]:
    """Yield houses as scenes with graph and rooms only, which is what statistics need."""
    for house, (graph, regions) in zip(houses, for_houses(_graph, houses, workers=workers), strict=True):
        yield _scene(house, graph, regions)


def _graph(house: str) -> tuple[NavGraph, Regions]:
    scene = house_scene(load_house(house))
    return NavGraph(scene.graph.nodes, scene.graph.positions, scene.graph.edges), scene.regions


def _scene(house: str, graph: NavGraph, regions: Regions) -> Scene:
    return Scene(house, graph, {"regions": lambda: regions})
