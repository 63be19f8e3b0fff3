"""Small worlds and the paths that adversarial agents walk in them, for checking metrics.

All lengths are multiples of the success radius, and no place lies at exactly that distance from a goal,
so that what a metric does here does not depend on the radius or on rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats, Ints
from vlnscope.worlds.graph.navgraph import NavGraph

Path = tuple[int, ...]

NEVER_MOVES = "never moves"
BACKWARDS = "walks backwards"
SHUFFLED = "shuffles the places between"
DETOUR = "makes a detour"
DENSIFIED = "walks the same line over more nodes"
TURNS = "turns on the spot at every node"
LEG = 0.7
LANES = (0.4, 0.8, 1.6, 3.2)


@dataclass(frozen=True, eq=False)
class ProbeWorld:
    """A graph, a reference path on it, and the paths of agents that do something else.

    Attributes:
        name: what reports call it.
        graph: the places.
        reference: the path that was described.
        probes: what agents walk instead, by name.
        same_route: probes that follow the reference, logged at other places along it.
        deviations: probes that leave out a place of the reference or visit another, and reach the goal.
        reorderings: probes that visit the very places of the reference, in another order.
        ladders: series of probes, each farther from the reference than the one before, otherwise alike.
        laps: how many episodes of a tour are walked in this way.

    Some worlds have no room for a probe that these name: a kite has no place off the path for a detour.
    """

    name: str
    graph: NavGraph
    reference: Path
    probes: Mapping[str, Path]
    same_route: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    reorderings: tuple[str, ...] = ()
    ladders: tuple[tuple[str, ...], ...] = ()
    laps: int = 1

    @property
    def is_direct(self) -> bool:
        """Whether the reference is a shortest way from its start to its goal, as in R2R."""
        steps = self.graph.distances[self.reference[:-1], self.reference[1:]].sum()
        return bool(np.isclose(steps, self.graph.distances[self.reference[0], self.reference[-1]]))

    def scaled(self, factor: float) -> ProbeWorld:
        """Return the same world with all coordinates multiplied."""
        graph = self.graph
        edges = [(graph.nodes[i], graph.nodes[j]) for i, j in graph.edges]
        return replace(self, graph=NavGraph.build(graph.nodes, (graph.positions * factor).tolist(), edges))

    def renamed(self, number: Ints) -> ProbeWorld:
        """Return the same world with node i called, and counted as, ``number[i]``."""
        old = self.graph
        positions = np.empty_like(old.positions)
        positions[number] = old.positions
        return replace(
            self,
            graph=_graph(positions, [(int(number[i]), int(number[j])) for i, j in old.edges]),
            reference=tuple(int(number[i]) for i in self.reference),
            probes={name: tuple(int(number[i]) for i in path) for name, path in self.probes.items()},
        )


@lru_cache(maxsize=4)
def worlds(seed: int, radius: float) -> tuple[ProbeWorld, ...]:
    """Return the worlds in which metrics are checked; only the random ones depend on the seed."""
    fixed = (kite(radius), ring(radius), corridor(radius), hall(radius), grid(radius))
    rooms = tuple(random_rooms(seed, size, spread * radius) for size, spread in ((16, 3.0), (32, 9.0)))
    return tuple(_with_agents(world, seed) for world in (*fixed, *rooms, winding(seed, 24, 5.0 * radius)))


def renumbering(size: int, rng: np.random.Generator) -> Ints:
    """Return new numbers for `size` nodes, none of which keeps its own."""
    order = rng.permutation(size)
    number = np.empty(size, dtype=np.int64)
    number[order] = np.roll(order, 1)
    return number


def kite(radius: float) -> ProbeWorld:
    """Two places between start and goal that can be visited in either order over the same length."""
    x, y = 1.2 * radius, 0.45 * radius
    graph = _graph(
        [[0, 0, 0], [x, y, 0], [x, -y, 0], [2 * x, 0, 0]], [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    )
    swapped, skipping = "visits the two places between in the other order", "leaves out a place"
    probes = {swapped: (0, 2, 1, 3), skipping: (0, 1, 3)}
    return ProbeWorld("the kite", graph, (0, 1, 2, 3), probes, deviations=(skipping,), reorderings=(swapped,))


def ring(radius: float, size: int = 6) -> ProbeWorld:
    """A way round that ends where it starts, as some references of R4R do."""
    angles = 2 * np.pi * np.arange(size) / size
    points = 1.3 * radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    graph = _graph(points, [(i, (i + 1) % size) for i in range(size)])
    return ProbeWorld("the ring", graph, (*range(size), 0), {})


def corridor(radius: float, legs: int = 5) -> ProbeWorld:
    """A straight line with a node half-way along every leg, which the reference passes by."""
    count = 2 * legs + 5
    points = [[i * LEG * radius / 2, 0.0, 0.0] for i in range(count)]
    edges = [(i, i + step) for step in (1, 2) for i in range(count - step)]
    reference = tuple(range(0, 2 * legs + 1, 2))
    probes = {DENSIFIED: tuple(range(2 * legs + 1))}
    return ProbeWorld("the corridor", _graph(points, edges), reference, probes, same_route=(DENSIFIED,))


def hall(radius: float, legs: int = 5) -> ProbeWorld:
    """A straight reference and lanes beside it, each farther away, all of as many nodes.

    Start and goal have edges to the ends of every lane, so that lanes differ in nothing but distance.
    """
    width, lanes = legs + 1, range(len(LANES) + 1)
    points = [[i * LEG * radius, y * radius, 0.0] for y in (0.0, *LANES) for i in range(width)]
    edges = [(k * width + i, k * width + i + 1) for k in lanes for i in range(legs)]
    edges += [((k - 1) * width + i, k * width + i) for k in lanes[1:] for i in range(width)]
    edges += [(0, k * width + 1) for k in lanes[1:]] + [(k * width + legs - 1, legs) for k in lanes[1:]]
    beside = {f"keeps {y:g} radii beside the reference": k for k, y in enumerate(LANES, 1)}
    around = {f"reaches the goal {y:g} radii beside the reference": k for k, y in enumerate(LANES, 1)}
    probes: dict[str, Path] = {n: (0, *range(k * width + 1, k * width + legs + 1)) for n, k in beside.items()}
    probes |= {n: (0, *range(k * width + 1, k * width + legs), legs) for n, k in around.items()}
    ladders = (tuple(beside), tuple(around))
    return ProbeWorld("the hall", _graph(points, edges), tuple(range(width)), probes, ladders=ladders)


def grid(radius: float, side: int = 4) -> ProbeWorld:
    """A staircase across a grid: any of its corners can be cut the other way over the same length."""
    points = [[i * LEG * radius, j * LEG * radius, 0.0] for j in range(side) for i in range(side)]
    edges = [(j * side + i, j * side + i + 1) for j in range(side) for i in range(side - 1)]
    edges += [(j * side + i, (j + 1) * side + i) for j in range(side - 1) for i in range(side)]
    reference = tuple(((k // 2) * side) + (k + 1) // 2 for k in range(2 * side - 1))
    probes: dict[str, Path] = {}
    for k in range(1, len(reference) - 1):
        before, here, after = reference[k - 1 : k + 2]
        other = before + after - here
        probes[f"replaces place {k + 1} of {len(reference)}"] = (*reference[:k], other, *reference[k + 1 :])
    flips = tuple(probes)
    border = (*range(side), *range(2 * side - 1, side * side, side))
    probes["reaches the goal by another way of the same length"] = border
    deviations = (*flips, "reaches the goal by another way of the same length")
    return ProbeWorld("the grid", _graph(points, edges), reference, probes, deviations=deviations)


def random_rooms(seed: int, size: int, width: float) -> ProbeWorld:
    """Random places on two floors; the reference is a shortest way between the two farthest apart."""
    graph = _random_graph(seed, size, width)
    start, goal = np.unravel_index(np.argmax(graph.distances), graph.distances.shape)
    return ProbeWorld(f"random rooms of {size} nodes", graph, _shortest(graph, int(start), int(goal)), {})


def winding(seed: int, size: int, width: float) -> ProbeWorld:
    """Random places; the reference joins two shortest ways, as in R4R, and is far from the shortest."""
    graph = _random_graph(seed, size, width)
    d = graph.distances
    start, between = np.unravel_index(np.argmax(d), d.shape)
    excess = d[start, between] + d[between] - d[start]
    excess[start] = 0.0
    goal = int(np.argmax(excess))
    there, on = _shortest(graph, int(start), int(between)), _shortest(graph, int(between), goal)
    direct = "goes straight to the goal"
    probes = {direct: _shortest(graph, int(start), goal)}
    name = f"a winding way over {size} nodes"
    return ProbeWorld(name, graph, (*there, *on[1:]), probes, deviations=(direct,))


def random_walk(graph: NavGraph, start: int, moves: int, rng: np.random.Generator) -> Path:
    """Return a walk that goes to a random neighbour each time."""
    beside = [np.flatnonzero(row).tolist() for row in graph.adjacency]
    walk = [start]
    for draw in rng.random(moves).tolist():
        near = beside[walk[-1]]
        walk.append(near[int(draw * len(near))])
    return tuple(walk)


def _with_agents(world: ProbeWorld, seed: int) -> ProbeWorld:
    """Add the agents that can be let loose in any world."""
    path, rng = world.reference, rng_for(seed, "check-metric", world.name)
    agents = {
        NEVER_MOVES: path[:1],
        BACKWARDS: path[::-1],
        "stops half-way": path[: (len(path) + 1) // 2],
        "ping-pongs at the start": path[:2] * (len(path) // 2),
        "wanders": random_walk(world.graph, path[0], 2 * len(path), rng),
        "walks there, back and there again": (*path, *path[-2::-1], *path[1:]),
        SHUFFLED: (path[0], *_shuffled(path[1:-1], rng), path[-1]),
        TURNS: tuple(np.repeat(path, 2).tolist()),
        **_leaving_the_path(world.graph, path),
    }
    known = {path, *world.probes.values()}
    new = {name: walk for name, walk in agents.items() if walk not in known}
    return replace(
        world,
        probes={**world.probes, **new},
        same_route=(*world.same_route, TURNS),
        deviations=(*world.deviations, DETOUR),
        reorderings=(*world.reorderings, SHUFFLED, BACKWARDS),
    )


def _leaving_the_path(graph: NavGraph, path: Path) -> dict[str, Path]:
    """Go on past the goal, and out and back half-way, where there are places off the path."""
    probes: dict[str, Path] = {}
    far_out = graph.distances[:, path].min(axis=1)
    middle = path[len(path) // 2]
    if off := _beside(graph, middle, path):
        at = path.index(middle) + 1
        probes[DETOUR] = (*path[:at], max(off, key=lambda n: (far_out[n], -n)), *path[at - 1 :])
    if off := _beside(graph, path[-1], path):
        probes["overshoots"] = (*path, max(off, key=lambda n: (graph.distances[path[0], n], -n)))
    return probes


def _beside(graph: NavGraph, node: int, path: Path) -> list[int]:
    return [int(n) for n in np.flatnonzero(graph.adjacency[node]) if n not in path]


def _shuffled(nodes: Path, rng: np.random.Generator) -> Path:
    """Permute the nodes so that their order changes."""
    mixed = tuple(int(n) for n in rng.permutation(nodes))
    return nodes[::-1] if mixed == nodes else mixed


def _random_graph(seed: int, size: int, width: float) -> NavGraph:
    rng = rng_for(seed, "check-metric", "graph", size)
    points = rng.random((size, 3)) * [width, width, 0.0]
    points[:, 2] = rng.integers(2, size=size) * width / 4
    between = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    np.fill_diagonal(between, np.inf)
    tree = [(i, int(np.argmin(between[i, :i]))) for i in range(1, size)]
    near = [(i, int(j)) for i in range(size) for j in np.argsort(between[i], kind="stable")[:2]]
    return _graph(points, tree + near)


def _shortest(graph: NavGraph, start: int, goal: int) -> Path:
    names = graph.shortest_path(graph.nodes[start], graph.nodes[goal])
    return tuple(graph.index[name] for name in names)


def _graph(points: Sequence[Sequence[float]] | Floats, edges: Iterable[tuple[int, int]]) -> NavGraph:
    names = [f"n{i}" for i in range(len(points))]
    rows = np.asarray(points, dtype=np.float64).tolist()
    return NavGraph.build(names, rows, [(names[i], names[j]) for i, j in edges])
