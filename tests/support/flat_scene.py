"""A flat with a bedroom, a hallway, a kitchen and a bathroom, and an instruction that leads through it."""

from __future__ import annotations

import math
from itertools import pairwise

from vlnscope.types import SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

RIGHT = "Leave the bedroom and turn left. Walk down the hallway past the sofa and stop in the kitchen."
PATH = ("bed", "hall", "west", "far", "kitchen")
_POINTS = {
    "bed": (0.0, 0.0, 1.5),
    "hall": (0.0, 3.0, 1.5),
    "west": (-3.0, 3.0, 1.5),
    "far": (-6.0, 3.0, 1.5),
    "kitchen": (-9.0, 3.0, 1.5),
    "east": (3.0, 3.0, 1.5),
}
_ROOMS = {"bed": "b", "hall": "h", "west": "h", "far": "h", "kitchen": "k", "east": "a"}


def flat() -> Scene:
    """A bedroom opens to a hallway that has a kitchen at its left end and a bathroom at its right."""
    edges = [*pairwise(PATH), ("hall", "east")]
    graph = NavGraph.build(list(_POINTS), [list(point) for point in _POINTS.values()], edges)
    numbers = {node: k for k, node in enumerate(dict.fromkeys(_ROOMS.values()))}
    regions = Regions({n: numbers[r] for n, r in _ROOMS.items()}, {k: r for r, k in numbers.items()})
    return Scene("flat", graph, {"regions": lambda: regions, "objects": lambda: Objects("plan", _sofa())})


def _sofa() -> dict[str, tuple[SeenObject, ...]]:
    seen: dict[str, tuple[SeenObject, ...]] = {}
    for node in ("hall", "west", "far"):
        x, y, _ = _POINTS[node]
        dx, dy = -4.5 - x, 4.2 - y
        seen[node] = (
            SeenObject(
                "sofa", math.atan2(dx, dy) % math.tau, math.hypot(dx, dy), ("red",), "1", (-4.5, 4.2, 0.5)
            ),
        )
    return seen
