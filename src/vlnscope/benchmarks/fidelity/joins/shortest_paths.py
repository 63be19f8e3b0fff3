"""Shortest ways of a scene, measured to the last digit as the official R4R script measures them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from vlnscope.worlds.graph.navgraph import NavGraph


class ShortestPath(NamedTuple):
    """A shortest path, both ends included, and its length."""

    path: tuple[str, ...]
    length: float


class ShortestPaths:
    """The shortest ways between viewpoints of one graph, each looked up once.

    Lengths of edges are the root of x² + y² + z², added up outwards from the start of the way, because the
    official script does so: other ways to add the same numbers differ in the last digit, and then files would
    not be the same bytes. (The script leaves x² + y² + z² to the linear algebra library, and some of these
    round differently; here it is plain arithmetic, the same everywhere.) A way that stays where it is has the
    length 0, which JSON shows as ``0``.
    """

    def __init__(self, graph: NavGraph) -> None:
        self.graph = graph
        self._ways: dict[tuple[str, str], ShortestPath] = {}
        self._edges: dict[tuple[str, str], float] = {}

    def between(self, start: str, end: str) -> ShortestPath:
        """Return the shortest way; there must be one."""
        way = self._ways.get((start, end))
        if way is None:
            path = self.graph.shortest_path(start, end)
            length: float = 0
            for step in pairwise(path):
                length += self._edge(*step)
            way = self._ways[start, end] = ShortestPath(path, length)
        return way

    def along(self, path: tuple[str, ...]) -> float:
        """Return the length of a path, by the shortest way from each of its viewpoints to the next."""
        return sum((self.between(a, b).length for a, b in pairwise(path)), 0.0)

    def _edge(self, a: str, b: str) -> float:
        length = self._edges.get((a, b))
        if length is None:
            places, row = self.graph.positions, self.graph.row
            x, y, z = (places[row(a)] - places[row(b)]).tolist()
            length = self._edges[a, b] = self._edges[b, a] = math.sqrt(x * x + y * y + z * z)
        return length
