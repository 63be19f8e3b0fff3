"""Statistics of scenes, computed alike for real scans and generated houses, and their comparison."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.rooms import usual_name
from vlnscope.worlds.scene import Scene

_TABLE = Path(__file__).parent / "houses" / "facts" / "real_graphs.json"


TURN_BINS = 12
"""Bins of 15° for the absolute heading change between two steps of a path."""

_PATHS = 200
_EDGES = (4, 6)
_LEAST_LENGTH = 5.0
_STOREY = 1.8

Quartiles = tuple[float, float, float]


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """What a collection of scenes looks like.

    Attributes:
        scenes: how many scenes there are.
        quartiles: by name of the quantity: ``viewpoints per house``, ``degree``, ``edge length``,
            ``regions per house``, ``viewpoints per region``, ``path length``.
        mean_degree: mean number of neighbours of a viewpoint.
        turns: shares of the absolute heading changes along random paths, in bins of 15°.
        several_floors: share of the scenes whose viewpoints lie more than 1.8 m above each other.
        connected: share of the scenes whose graph is connected.
        rooms: share of the viewpoints in rooms of each label, the most frequent first.
    """

    scenes: int
    quartiles: dict[str, Quartiles]
    mean_degree: float
    turns: tuple[float, ...]
    several_floors: float
    connected: float
    rooms: dict[str, float]


class StatisticsRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a comparison: a value of ours beside the real one, and whether it is close enough."""

    name: str
    ours: float
    real: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether our value lies within the bounds."""
        return self.low - 1e-9 <= self.ours <= self.high + 1e-9


def graph_statistics(scenes: Iterable[Scene]) -> Statistics:
    """Measure scenes that have regions.

    Paths are shortest paths of 4 to 6 edges and at least 5 m; of each scene as many as 200 pairs of ends are
    drawn at random. Quantities of viewpoints, edges, regions and paths are pooled over all scenes.
    """
    samples: dict[str, list[Floats]] = {name: [] for name in _QUANTITIES}
    turns: list[Floats] = []
    labels: Counter[str] = Counter()
    storeys, connected = [], []
    for scene in scenes:
        graph = scene.graph
        per_region = Counter(scene.regions.of[node] for node in graph.nodes)
        per_region.pop(None, None)
        lengths, changes = _walks(scene.id, graph)
        values = (
            [len(graph.nodes)],
            graph.adjacency.sum(axis=1),
            graph.edge_lengths,
            [len(per_region)],
            list(per_region.values()),
            lengths,
        )
        for name, numbers in zip(_QUANTITIES, values, strict=True):
            samples[name].append(np.asarray(numbers, dtype=np.float64))
        turns.append(changes)
        labels.update(scene.regions.label(node) or "-" for node in graph.nodes)
        storeys.append(bool(len(graph.nodes)) and float(np.ptp(graph.positions[:, 2])) > _STOREY)
        connected.append(bool(np.isfinite(graph.distances).all()))
    return _summary(samples, turns, labels, storeys, connected)


_QUANTITIES = (
    "viewpoints per house",
    "degree",
    "edge length",
    "regions per house",
    "viewpoints per region",
    "path length",
)


def _summary(
    samples: dict[str, list[Floats]],
    turns: list[Floats],
    labels: Counter[str],
    storeys: Sequence[bool],
    connected: Sequence[bool],
) -> Statistics:
    pooled = {name: np.concatenate([*parts, np.zeros(0)]) for name, parts in samples.items()}
    degrees = np.degrees(np.concatenate([*turns, np.zeros(0)]))
    bins = np.bincount(np.minimum(degrees // 15, TURN_BINS - 1).astype(np.int64), minlength=TURN_BINS)
    total = max(sum(labels.values()), 1)
    ordered = sorted(labels.items(), key=lambda pair: (-pair[1], pair[0]))
    return Statistics(
        scenes=len(storeys),
        quartiles={name: _quartiles(values) for name, values in pooled.items()},
        mean_degree=_rounded(float(pooled["degree"].mean()) if pooled["degree"].size else 0.0),
        turns=tuple(_rounded(share) for share in bins / max(bins.sum(), 1)),
        several_floors=_rounded(sum(storeys) / max(len(storeys), 1)),
        connected=_rounded(sum(connected) / max(len(connected), 1)),
        rooms={label: _rounded(count / total) for label, count in ordered},
    )


def _rounded(value: float) -> float:
    return round(float(value), 4)


def _quartiles(values: Floats) -> Quartiles:
    if not values.size:
        return 0.0, 0.0, 0.0
    low, middle, high = (_rounded(q) for q in np.percentile(values, [25, 50, 75]))
    return low, middle, high


def _walks(name: str, graph: NavGraph) -> tuple[Floats, Floats]:
    """Return lengths of, and heading changes along, random shortest paths of a graph."""
    hops = edge_counts(graph)
    distances = np.where(np.isfinite(graph.distances), graph.distances, 0.0)
    fit = (hops >= _EDGES[0]) & (hops <= _EDGES[1]) & (distances >= _LEAST_LENGTH)
    pairs = np.argwhere(fit)
    if len(pairs) > _PATHS:
        pairs = pairs[rng_for(0, "scene statistics", name).choice(len(pairs), _PATHS, replace=False)]
    turns: list[float] = []
    for i, j in pairs.tolist():
        path = [j]
        while path[-1] != i:
            path.append(int(graph.predecessors[i, path[-1]]))
        steps = np.diff(graph.positions[path[::-1], :2], axis=0)
        headings = np.arctan2(steps[:, 0], steps[:, 1])
        turns += np.abs((np.diff(headings) + math.pi) % math.tau - math.pi).tolist()
    return distances[pairs[:, 0], pairs[:, 1]], np.asarray(turns, dtype=np.float64)


def edge_counts(graph: NavGraph) -> NDArray[np.int64]:
    """Return how many edges the shortest path between each two nodes has; 0 where there is no way."""
    size = len(graph.nodes)
    counts = np.zeros((size, size), dtype=np.int64)
    rows = np.arange(size)
    for nodes in np.argsort(graph.distances, axis=1, kind="stable").T:
        before = graph.predecessors[rows, nodes]
        counts[rows, nodes] = np.where(before >= 0, counts[rows, np.maximum(before, 0)] + 1, 0)
    return counts


def compare(ours: Statistics, real: Statistics) -> list[StatisticsRow]:
    """Return the rows that say whether generated houses look like real ones.

    Quartiles may differ by 25 % (viewpoints per house may be up to 40 % fewer), shares of heading changes by
    0.08 per bin, shares of the twelve most frequent room types by 2 points or 30 %, whichever is more; at
    least 60 % of the houses have several floors.
    """
    rows = []
    for name, values in real.quartiles.items():
        less = 0.4 if name == "viewpoints per house" else 0.25
        for part, its, own in zip(("25 %", "50 %", "75 %"), values, ours.quartiles[name], strict=True):
            rows.append(_row(f"{name}, {part}", own, its, its * less, its * 0.25))
    rows.append(_row("degree, mean", ours.mean_degree, real.mean_degree, *(2 * [0.25 * real.mean_degree])))
    for k, (own, its) in enumerate(zip(ours.turns, real.turns, strict=True)):
        rows.append(_row(f"turns of {15 * k}-{15 * k + 15}°", own, its, 0.08, 0.08))
    for label, its in list(real.rooms.items())[:12]:
        slack = max(0.02, 0.3 * its)
        own = ours.rooms.get(label, 0.0)
        rows.append(_row(f"viewpoints in {usual_name(label)}", own, its, slack, slack))
    floors = ours.several_floors
    rows.append(
        StatisticsRow(name="several floors", ours=floors, real=real.several_floors, low=0.6, high=1.0)
    )
    return rows


def _row(name: str, ours: float, real: float, less: float, more: float) -> StatisticsRow:
    return StatisticsRow(
        name=name, ours=ours, real=real, low=round(real - less, 4), high=round(real + more, 4)
    )


class _Table(msgspec.Struct):
    facts: Statistics


def real_statistics(root: str | Path | None = None) -> Statistics:
    """Return the statistics of the real Matterport3D graphs.

    Args:
        root: a data folder with the graphs and room labels, to measure them anew; without it the table that
            comes with the package is returned.

    Raises:
        MissingLayerError: a scan of the folder has no room labels.
    """
    if root is None:
        return msgspec.json.decode(_TABLE.read_bytes(), type=_Table).facts
    scenes = MatterportScenes(root)
    return graph_statistics(map(scenes.scene, scenes.scans()))
