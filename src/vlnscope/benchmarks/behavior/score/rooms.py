"""Looking for rooms: how far a place is from one, and how often chance would find it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.behavior.build.rooms import HopRule, hops_from
from vlnscope.types import Flags, Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import Regions


class Search(NamedTuple):
    """A kind of room that is looked for from a viewpoint.

    Attributes:
        graph: where.
        start: where the search begins.
        targets: the viewpoints in such rooms within so many hops.
        hops: how many moves the search may take.
    """

    graph: NavGraph
    start: str
    targets: Flags
    hops: int

    def distance(self, viewpoint: str) -> float:
        """Return the metres along the graph to the nearest target."""
        return float(self.graph.distances[self.graph.row(viewpoint), self.targets].min(initial=np.inf))

    def reached(self, path: Sequence[str]) -> bool:
        """Return whether a walk from the start enters a target within the hops; a stay is no hop."""
        moves = [here for before, here in pairwise(path) if here != before]
        return any(self.targets[self.graph.row(place)] for place in moves[: self.hops])

    def holds(self, viewpoint: str) -> bool:
        """Return whether a viewpoint is a target."""
        return bool(self.targets[self.graph.row(viewpoint)])

    def progress(self, viewpoints: Iterable[str]) -> list[float]:
        """Return how many metres nearer to the nearest target each viewpoint is than the start."""
        before = self.distance(self.start)
        return [before - self.distance(place) for place in viewpoints]

    def chance(self) -> float:
        """Return how often a target is reached by taking any way or stopping, all equally likely."""
        ways = self.graph.adjacency
        moves: Floats = ways / (ways.sum(axis=1, keepdims=True) + 1.0)
        here = np.zeros(len(self.graph.nodes))
        here[self.graph.row(self.start)] = 1.0
        found = 0.0
        for _ in range(self.hops):
            here = here @ moves
            found += float(here[self.targets].sum())
            here[self.targets] = 0.0
        return found


def room_search(
    graph: NavGraph, regions: Regions, start: str, label: str, hops: int, rule: HopRule = "within"
) -> Search:
    """Return the search for rooms of a label within so many hops, or exactly so many away (DIFF-20)."""
    away = hops_from(graph, start, hops)
    near = (away > 0) & (away <= hops) if rule == "within" else away == hops
    labelled = [regions.of.get(node) is not None and regions.label(node) == label for node in graph.nodes]
    return Search(graph, start, near & np.array(labelled), hops)
