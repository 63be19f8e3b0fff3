"""Navigation graphs: named places in space, edges between them, and distances along the edges."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core import files
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import cache_dir, digest, write_whole
from vlnscope.types import Flags, Floats, Ints

_VERSION = 2
_VANISHING = 1e-300
_CHECK_SIZE = len(digest(b""))


@dataclass(frozen=True, eq=False)
class NavGraph:
    """An undirected graph whose edges are as long as the straight line between their ends.

    Attributes:
        nodes: viewpoint ids.
        positions: one row x, y, z per node (z up, metres).
        edges: one row i, j per edge with i < j, sorted.

    Nodes without edges are allowed: they are at distance infinity from all others.

    Example:
        >>> corner = [[0, 0, 0], [3, 0, 0], [3, 4, 0]]
        >>> graph = NavGraph.build(["a", "b", "c"], corner, [("a", "b"), ("b", "c")])
        >>> graph.distance("a", "c")
        7.0
        >>> graph.shortest_path("a", "c")
        ('a', 'b', 'c')
    """

    nodes: tuple[str, ...]
    positions: Floats
    edges: Ints

    @classmethod
    def build(
        cls, nodes: Sequence[str], positions: Sequence[Sequence[float]], edges: Sequence[tuple[str, str]]
    ) -> NavGraph:
        """Make a graph from node names, their places and pairs of names.

        Raises:
            InputError: a name occurs twice, an edge leads nowhere or back to its start, or a position is
                not three finite numbers.
        """
        index = {name: i for i, name in enumerate(nodes)}
        if len(index) != len(nodes):
            twice = next(name for i, name in enumerate(nodes) if index[name] != i)
            raise InputError(
                f"a graph names viewpoint {twice!r} twice",
                expected="each viewpoint once",
                fix="remove or rename one of them",
            )
        try:
            pairs = sorted({tuple(sorted((index[a], index[b]))) for a, b in edges})
        except KeyError as error:
            raise InputError(
                f"an edge leads to viewpoint {error}, which the graph does not have",
                expected="edges between viewpoints of the graph",
                fix="add the viewpoint or remove the edge",
            ) from None
        for i, j in pairs:
            if i == j:
                raise InputError(
                    f"an edge leads from viewpoint {nodes[i]!r} to itself",
                    expected="edges between two viewpoints",
                    fix="remove the edge",
                )
        points = _checked_points(nodes, positions)
        return cls(tuple(nodes), points, np.asarray(pairs, dtype=np.int64).reshape(-1, 2))

    @cached_property
    def index(self) -> dict[str, int]:
        """Row number of each node."""
        return {name: i for i, name in enumerate(self.nodes)}

    @cached_property
    def digest(self) -> str:
        """Content hash over names, positions and edges."""
        return files.digest("\n".join(self.nodes).encode(), self.positions.tobytes(), self.edges.tobytes())

    @cached_property
    def edge_lengths(self) -> Floats:
        """Length of each edge: straight line in three dimensions."""
        step = self.positions[self.edges[:, 0]] - self.positions[self.edges[:, 1]]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", step, step)))

    @cached_property
    def adjacency(self) -> Flags:
        """Square matrix: is there an edge?"""
        matrix = np.zeros((len(self.nodes), len(self.nodes)), dtype=np.bool_)
        matrix[self.edges[:, 0], self.edges[:, 1]] = True
        matrix[self.edges[:, 1], self.edges[:, 0]] = True
        return matrix

    @cached_property
    def _geodesics(self) -> Geodesics:
        return geodesics(self.digest, len(self.nodes), self.edges, self.edge_lengths)

    @property
    def distances(self) -> Floats:
        """Square matrix of shortest distances along the edges; infinity where there is no way."""
        return self._geodesics.distances

    @property
    def predecessors(self) -> NDArray[np.int32]:
        """``predecessors[i, j]`` is the node before j on a shortest path from i; negative if none."""
        return self._geodesics.predecessors

    def row(self, node: str) -> int:
        """Return the row number of a node, or say that the graph does not have it."""
        try:
            return self.index[node]
        except (KeyError, TypeError):
            raise InputError(
                f"viewpoint {node!r} is not in the graph",
                expected=f"one of its {len(self.nodes)} viewpoints",
                fix="check that the viewpoint and the graph are of the same scan",
            ) from None

    def distance(self, a: str, b: str) -> float:
        """Return the shortest distance along edges; infinity where there is no way."""
        return float(self.distances[self.row(a), self.row(b)])

    def neighbours(self, node: str) -> tuple[str, ...]:
        """Return the nodes that share an edge with `node`, in the order of the graph."""
        return tuple(self.nodes[j] for j in np.flatnonzero(self.adjacency[self.row(node)]))

    def shortest_path(self, a: str, b: str) -> tuple[str, ...]:
        """Return one shortest path, both ends included; empty where there is no way.

        Where several paths are equally short, which one is returned depends on the graph alone.
        """
        i, j = self.row(a), self.row(b)
        if not np.isfinite(self.distances[i, j]):
            return ()
        back = [j]
        while back[-1] != i:
            back.append(int(self.predecessors[i, back[-1]]))
        return tuple(self.nodes[k] for k in reversed(back))


def _checked_points(nodes: Sequence[str], positions: Sequence[Sequence[float]]) -> Floats:
    points = np.asarray(positions, dtype=np.float64)
    if not nodes:
        return points.reshape(0, 3)
    if points.shape != (len(nodes), 3):
        raise InputError(
            f"a graph of {len(nodes)} viewpoints has positions of the shape {points.shape}",
            expected=f"{len(nodes)} rows x, y, z",
            fix="give one row of three numbers per viewpoint",
        )
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if bad.size:
        raise InputError(
            f"viewpoint {nodes[bad[0]]!r} is at {', '.join(map(str, points[bad[0]]))}",
            expected="three finite numbers",
            fix="correct the position, or leave the viewpoint out",
        )
    return points


class Geodesics(NamedTuple):
    """Shortest distances (infinity: no way) and the node before the last on each shortest path."""

    distances: Floats
    predecessors: NDArray[np.int32]


def geodesics(key: str, size: int, edges: Ints, lengths: Floats) -> Geodesics:
    """Return the geodesics of a graph from the cache, or compute and store them.

    Several processes may do so at once: files appear whole, and all writers write the same bytes. A
    cache file that is damaged is made anew; a cache that cannot be written is done without.
    """
    path = cache_dir() / "geodesics" / f"v{_VERSION}-{key}"
    stored = _read(path, size)
    if stored is not None:
        return stored
    result = _shortest_paths(size, edges, lengths)
    with suppress(InputError):
        _write(path, result)
    return result


def _write(path: Path, result: Geodesics) -> None:
    body = result.distances.astype("<f8").tobytes() + result.predecessors.astype("<i4").tobytes()
    with write_whole(path) as stream:
        stream.write(digest(body).encode() + body)


def _read(path: Path, size: int) -> Geodesics | None:
    """Return what a cache file holds, or None if it is absent or is not what was once written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    cells = size * size
    check, body = content[:_CHECK_SIZE], content[_CHECK_SIZE:]
    if len(body) != 12 * cells or check != digest(body).encode():
        return None
    distances = np.frombuffer(body, "<f8", cells).astype(np.float64)
    predecessors = np.frombuffer(body, "<i4", cells, 8 * cells).astype(np.int32)
    return Geodesics(distances.reshape(size, size), predecessors.reshape(size, size))


def _shortest_paths(size: int, edges: Ints, lengths: Floats) -> Geodesics:
    from scipy.sparse import csr_array  # slow to import, needed only on a cold cache
    from scipy.sparse.csgraph import dijkstra

    # scipy takes an explicit zero for "no edge": two viewpoints at one place get a length that vanishes in
    # every sum, and is put back to zero below
    weights = np.maximum(lengths, _VANISHING)
    matrix = csr_array((weights, (edges[:, 0], edges[:, 1])), shape=(size, size))
    distances, predecessors = dijkstra(matrix, directed=False, return_predecessors=True)
    distances[distances < size * _VANISHING] = 0.0
    return Geodesics(np.asarray(distances), np.asarray(predecessors, dtype=np.int32))
