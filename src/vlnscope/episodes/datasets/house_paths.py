"""Paths of a house that resemble those of R2R: shortest paths of 4 to 6 edges and at least 5 m.

Paths drawn at random are longer than R2R's, and many share their ends. So each draw first takes a length from
R2R's distribution and then, among the paths about that long, one whose ends are fresh, that leads to another
room, that turns no more than R2R's do and that takes the stairs as often as theirs. None has a step that
hardly leads anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_stats import edge_counts

EDGES = (4, 6)
LEAST_LENGTH = 5.0
LEAST_STEP = 0.4
"""No step is shorter, in metres: which way a walker turns who hardly moves is hard to say."""
HELD_OUT = 0.15
"""Share of the pairs of ends that are kept for `val_seen`, so that its paths are never those of `train`."""

_SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_LENGTHS = (5.0, 5.6, 7.5, 9.5, 11.8, 15.9, 20.0)
_WINDOW = 0.4
_FEWEST = 30
_USED = 0.3
_SAME_ROOM = 0.2
_REVERSED = 0.001
_STRAIGHT = math.radians(15)
_BENDING = 0.65
_CLIMB = 0.8
_CLIMBING = 4.0
_AHEAD = 0.12
_AHEAD_ANGLE = math.radians(30)


class HousePath(NamedTuple):
    """A path of a house.

    Attributes:
        nodes: its viewpoints, start first.
        heading: where the walker looks at the start.
        length: in metres.
    """

    nodes: tuple[str, ...]
    heading: float
    length: float


class _Pool(NamedTuple):
    """The paths that may be drawn: ends, lengths and how welcome each is, sorted by length."""

    starts: Ints
    goals: Ints
    lengths: Floats
    weights: Floats


def house_paths(scene: Scene, seed: int, *, held_out: bool = False) -> Iterator[HousePath]:
    """Yield different paths of a house, in the order in which they should be used, until there are no more.

    Equal arguments give equal paths. A path comes after its reverse only when little else is left.

    Args:
        scene: a house, or any scene that has regions.
        seed: whatever the random choices should depend on.
        held_out: whether to draw from the paths that are kept for `val_seen`; those and the others never
            have both ends in common, in either direction.
    """
    graph = scene.graph
    pool = _pool(scene, seed, held_out)
    rng = rng_for(seed, "house paths", held_out)
    weights = pool.weights.copy()
    while weights.any():
        near = _about(pool, weights, float(np.interp(rng.random(), _SHARES, _LENGTHS)))
        drawn = int(rng.choice(near, p=weights[near] / weights[near].sum()))
        start, goal = int(pool.starts[drawn]), int(pool.goals[drawn])
        weights[drawn] = 0.0
        weights[pool.starts == start] *= _USED
        weights[pool.goals == goal] *= _USED
        weights[(pool.starts == goal) & (pool.goals == start)] *= _REVERSED
        nodes = graph.shortest_path(graph.nodes[start], graph.nodes[goal])
        yield HousePath(nodes, _heading(graph, nodes, rng), float(pool.lengths[drawn]))


def _about(pool: _Pool, weights: Floats, length: float) -> Ints:
    """Return the paths left that are about as long as asked for: all in a window, or some of the nearest."""
    left = np.flatnonzero(weights)
    away = np.abs(pool.lengths[left] - length)
    within = max(_WINDOW, float(np.partition(away, min(_FEWEST, len(left)) - 1)[min(_FEWEST, len(left)) - 1]))
    return left[away <= within]


def _pool(scene: Scene, seed: int, held_out: bool) -> _Pool:
    graph = scene.graph
    hops = edge_counts(graph)
    lengths = np.where(np.isfinite(graph.distances), graph.distances, 0.0)
    fits = (hops >= EDGES[0]) & (hops <= EDGES[1]) & (lengths >= LEAST_LENGTH)
    starts, goals = np.nonzero(fits & (_kept(seed, len(graph.nodes)) == held_out))
    regions = np.array([-1 if (r := scene.regions.region(n)) is None else r for n in graph.nodes])
    same = regions[starts] == regions[goals]
    heights = graph.positions[:, 2]
    climbs = np.abs(heights[starts] - heights[goals]) >= _CLIMB
    welcome = np.where(same, _SAME_ROOM, 1.0) * np.where(climbs, _CLIMBING, 1.0)
    bends, shortest = _steps(graph, starts, goals)
    welcome *= _BENDING**bends * (shortest >= LEAST_STEP)
    return _Pool(starts, goals, lengths[starts, goals], welcome)


def _kept(seed: int, size: int) -> Flags:
    """Return which pairs of ends are kept for `val_seen`, alike in both directions."""
    draws = rng_for(seed, "held-out paths").random((size, size))
    kept: Flags = np.minimum(draws, draws.T) < 1.0 - math.sqrt(1.0 - HELD_OUT)
    return kept


def _steps(graph: NavGraph, starts: Ints, goals: Ints) -> tuple[Ints, Floats]:
    """Return how often each path turns by more than 15°, and the length of its shortest step."""
    at, bends = goals.copy(), np.zeros(len(goals), dtype=np.int64)
    last, shortest = np.full(len(goals), np.nan), np.full(len(goals), np.inf)
    for _ in range(EDGES[1]):  # all paths at once, one step back at a time
        there = at == starts
        before = np.where(there, at, graph.predecessors[starts, at])
        step = graph.positions[at] - graph.positions[before]
        heading = np.where(there, np.nan, np.arctan2(step[:, 0], step[:, 1]))
        turn = np.abs((last - heading + math.pi) % math.tau - math.pi)
        bends += np.nan_to_num(turn) > _STRAIGHT
        shortest = np.where(there, shortest, np.minimum(shortest, np.linalg.norm(step, axis=1)))
        at, last = before, heading
    return bends, shortest


def _heading(graph: NavGraph, nodes: tuple[str, ...], rng: np.random.Generator) -> float:
    """Draw where the walker looks: anywhere, and a little more often where the path goes, as in R2R."""
    (ax, ay, _), (bx, by, _) = graph.positions[[graph.row(node) for node in nodes[:2]]].tolist()
    ahead = math.atan2(bx - ax, by - ay)
    around, side = float(rng.random()), float(rng.random())
    if around < _AHEAD:
        return round((ahead + (2 * side - 1) * _AHEAD_ANGLE) % math.tau, 3)
    return round(side * math.tau, 3)
