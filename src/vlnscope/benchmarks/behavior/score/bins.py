"""Where an agent's probability goes: by direction, by distance from an object, by progress in metres.

Bins are those of vln-behave's figures. A bin is named by its lower end (directions and metres) or by its
middle (distances from an object); masses are kept per case, so that any set of cases can be pooled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.worlds.graph.navgraph import NavGraph

POLAR = 10
"""Degrees of a bin of directions and of distances from an object."""
METRES = 0.5
METRES_END = 5.0
SOFTNESS = 0.1


def polar_masses(headings: Iterable[float], masses: Iterable[float]) -> dict[str, float]:
    """Return the mass in each bin of 10° from -180° on; 180° is -180°.

    Args:
        headings: radians, relative to where the agent looks, right positive.
        masses: the probability of each.

    Example:
        >>> polar_masses([0.0, 0.1, math.pi], [0.25, 0.25, 0.5])
        {'0': 0.5, '-180': 0.5}
    """
    masses_by_bin: dict[str, float] = {}
    for heading, mass in zip(headings, masses, strict=True):
        start = math.floor(turn_degrees(heading) / POLAR) * POLAR
        _add(masses_by_bin, -180 if start == 180 else start, mass)
    return masses_by_bin


def error_masses(headings: Iterable[float], masses: Iterable[float], target: float) -> dict[str, float]:
    """Return the mass at each distance from the direction `target`, in bins of 10° named by their middle.

    Example:
        >>> error_masses([0.0, math.pi], [0.25, 0.75], 0.0)
        {'5': 0.25, '175': 0.75}
    """
    masses_by_bin: dict[str, float] = {}
    for heading, mass in zip(headings, masses, strict=True):
        error = abs(turn_degrees(heading - target))
        _add(masses_by_bin, min(math.floor(error / POLAR), 180 // POLAR - 1) * POLAR + POLAR // 2, mass)
    return masses_by_bin


def progress_masses(progress: Iterable[float], masses: Iterable[float]) -> dict[str, float]:
    """Return the mass at each number of metres gained, in bins of 0.5 m over [-5, 5).

    What lies outside is in no bin.

    Example:
        >>> progress_masses([0.2, -0.2, 7.0], [0.5, 0.25, 0.25])
        {'0.0': 0.5, '-0.5': 0.25}
    """
    masses_by_bin: dict[str, float] = {}
    for metres, mass in zip(progress, masses, strict=True):
        if -METRES_END <= metres < METRES_END:
            _add(masses_by_bin, math.floor(metres / METRES) * METRES, mass)
    return masses_by_bin


def turns_of(graph: NavGraph, path: Sequence[str]) -> list[float]:
    """Return by how many degrees each step of a path turns away from the one before, from 0 to 180.

    Example:
        >>> corner = NavGraph.build(list("abc"), [[0, 0, 0], [0, 1, 0], [1, 1, 0]], [("a", "b"), ("b", "c")])
        >>> turns_of(corner, "abc")
        [90.0]
    """
    points = [graph.positions[graph.row(node)] for node in path]
    ways = [math.atan2(x, y) for x, y, _ in (there - here for here, there in pairwise(points))]
    return [abs(turn_degrees(after - before)) for before, after in pairwise(ways)]


def forward_bias(headings: Sequence[float], look: float) -> list[float]:
    """Return what the forward-bias agent of vln-behave gives each way: in inverse proportion to the turn.

    Args:
        headings: absolute, radians.
        look: where the agent looks, radians.
    """
    shares = [1.0 / (SOFTNESS + abs(math.radians(turn_degrees(h - look)))) for h in headings]
    return [share / sum(shares) for share in shares]


def legacy_forward_bias(headings: Sequence[float]) -> tuple[list[float], list[float], float]:
    """Return what the released code gives each way: the shares, what it adds to them again, and for stopping.

    It takes the absolute heading for the turn; brings headings from π to 2π into range by ``h % -2 * π``,
    which is ``(h % -2) * π``, and the negative ones likewise; counts every way twice, once as a share of 1
    and once as it is; and gives stopping what then is missing from 1 (DIFF-22).

    Args:
        headings: absolute, radians, not wrapped.

    Example:
        >>> shares, again, stop = legacy_forward_bias([math.pi / 2])
        >>> shares, round(again[0], 6), round(stop, 6)
        ([1.0], 0.598517, 0.401483)
    """
    raw = [1.0 / (SOFTNESS + abs(_legacy_turn(heading))) for heading in headings]
    return [share / sum(raw) for share in raw], raw, 1.0 - sum(raw)


def _legacy_turn(heading: float) -> float:
    turned = (heading % -2.0) * math.pi if math.pi <= heading <= math.tau else heading
    return (turned % 2.0) * math.pi if -math.tau <= turned <= -math.pi else turned


def _add(masses_by_bin: dict[str, float], key: float, mass: float) -> None:
    masses_by_bin[str(key)] = masses_by_bin.get(str(key), 0.0) + mass
