"""How distances between the elements of paths are measured: along the edges of graphs, or straight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vlnscope.metrics.kernels import loops as kernels
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.types import Floats, Ints
from vlnscope.worlds.graph.navgraph import NavGraph


class Geometry(Protocol):
    """How distances are measured: along the edges of graphs, or straight."""

    def steps(self, paths: Ragged) -> Floats:
        """Return the length of the step that leads to each element; 0 for the first of a row."""

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Return the distance of every element of a prediction to every element of its reference."""


class GraphTable:
    """The distance matrices of several graphs in one array, so that one loop serves all scenes."""

    def __init__(self, graphs: Sequence[NavGraph]) -> None:
        self.size = np.asarray([len(g.nodes) for g in graphs], dtype=np.int64)
        self.base = np.concatenate(([0], np.cumsum(self.size**2)))[:-1].astype(np.int64)
        self.distances = _joined([g.distances for g in graphs], np.float64)
        self.edges = _joined([g.adjacency for g in graphs], np.uint8)


@dataclass(frozen=True)
class AlongGraph:
    """Shortest distances along the edges; `scene` says which graph of the table each row walks on."""

    table: GraphTable
    scene: Ints

    def steps(self, paths: Ragged) -> Floats:
        """Shortest distance from the node before."""
        t = self.table
        return kernels.graph_steps(t.distances, t.base, t.size, self.scene, paths.flat, paths.offsets)

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Shortest distance between all pairs."""
        t = self.table
        return kernels.graph_costs(t.distances, t.base, t.size, self.scene, *pred, *ref, offsets)

    def to_goal(self, paths: Ragged, goals: NDArray[np.int32]) -> Floats:
        """Shortest distance from every node to its row's goal."""
        t = self.table
        return kernels.goal_distances(t.distances, t.base, t.size, self.scene, *paths, goals)

    def step_kinds(self, paths: Ragged) -> tuple[Ints, Ints]:
        """Per row: number of steps on the spot, and of steps between nodes without an edge."""
        t = self.table
        return kernels.step_kinds(t.edges, t.base, t.size, self.scene, *paths)


@dataclass(frozen=True)
class Straight:
    """Straight lines in three dimensions."""

    def steps(self, paths: Ragged) -> Floats:
        """Straight line from the point before."""
        return kernels.point_steps(paths.flat, paths.offsets)

    def costs(self, pred: Ragged, ref: Ragged, offsets: Ints) -> Floats:
        """Straight line between all pairs."""
        return kernels.point_costs(*pred, *ref, offsets)


def _joined(matrices: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    flat: list[NDArray[Any]] = [np.asarray(m, dtype=dtype).ravel() for m in matrices]
    return np.concatenate(flat) if flat else np.zeros(0, dtype=dtype)
