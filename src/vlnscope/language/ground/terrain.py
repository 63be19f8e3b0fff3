"""Terrain: the steps that can be taken in a map, as arrays, with the angles between each and the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vlnscope.language.actions import Direction
from vlnscope.language.ground.known_map import KnownMap, MapEdges
from vlnscope.language.ground.weights import Weights
from vlnscope.types import Flags, Floats, Ints


class _Range(NamedTuple):
    """The turns that a word means: their middle, half their range, and how far beyond costs 1."""

    middle: float
    half: float
    width: float


_RANGES: dict[Direction, _Range] = {
    "straight": _Range(0.0, 24.0, 20.0),
    "slight left": _Range(-42.0, 14.0, 16.0),
    "slight right": _Range(42.0, 14.0, 16.0),
    "left": _Range(-92.0, 42.0, 25.0),
    "right": _Range(92.0, 42.0, 25.0),
    "around": _Range(180.0, 35.0, 25.0),
    "back": _Range(180.0, 35.0, 25.0),
}
"""In degrees to the right."""
LOWEST = -1e9


class Follow(NamedTuple):
    """Which step can follow which: pairs sorted by the first.

    Attributes:
        before, after: edges.
        starts: where the pairs of each edge begin.
        angle: degrees to the right from one to the other, in [-180, 180).
    """

    before: Ints
    after: Ints
    starts: Ints
    angle: Floats


@dataclass(frozen=True, eq=False)
class Terrain:
    """The steps of a map; the last edge stands for how the walker stands before the first step.

    Attributes:
        map: the map.
        source, target, heading, length, climb: see `MapEdges`.
        follow: which step can follow which.
        frontier: which edges lead to viewpoints that nobody has visited.
    """

    map: KnownMap
    source: Ints
    target: Ints
    heading: Floats
    length: Floats
    climb: Floats
    follow: Follow
    frontier: Flags
    _tables: dict[tuple[Direction | None, Weights], Floats] = field(default_factory=dict, repr=False)

    @property
    def start(self) -> int:
        """The edge that stands for the start."""
        return len(self.source) - 1

    @cached_property
    def points(self) -> Floats:
        """Positions of the viewpoints."""
        return np.array(self.map.positions, dtype=np.float64).reshape(-1, 3)

    @cached_property
    def direction(self) -> Floats:
        """Unit vectors (x, y) of the headings."""
        return np.stack([np.sin(self.heading), np.cos(self.heading)], axis=1)

    def best_after(self, value: Floats) -> Floats:
        """Return the greatest value over the pairs of each edge; `value` has a row per pair."""
        if self.follow.starts[-1] == len(value):  # no way leads from the start
            value = np.concatenate([value, np.full((1, *value.shape[1:]), LOWEST)])
        return np.maximum.reduceat(value, self.follow.starts, axis=0)

    @cached_property
    def _arrivals(self) -> tuple[Ints, Ints]:
        """The pairs sorted by their second step, and where those of each edge but the start begin."""
        order = np.argsort(self.follow.after, kind="stable")
        return order, np.searchsorted(self.follow.after[order], np.arange(self.start)).astype(np.int64)

    def best_before(self, value: Floats) -> Floats:
        """Return the greatest value over the pairs that end with each edge; nothing leads to the start."""
        order, starts = self._arrivals
        best = np.maximum.reduceat(value[order], starts, axis=0)
        return np.concatenate([best, np.full((1, *value.shape[1:]), LOWEST)])

    def turn(self, direction: Direction, weights: Weights) -> Floats:
        """Return, per pair, what a step costs where this direction is said."""
        return self._table(direction, weights)

    def bend(self, weights: Weights) -> Floats:
        """Return, per pair, what a step costs where no turn is spoken of."""
        return self._table(None, weights)

    def _table(self, direction: Direction | None, weights: Weights) -> Floats:
        key = (direction, weights)
        if key not in self._tables:
            turn = direction if direction in _RANGES else None
            self._tables[key] = self._told(turn, weights) if turn else self._untold(weights)
        return self._tables[key]

    def _told(self, direction: Direction, weights: Weights) -> Floats:
        middle, half, width = _RANGES[direction]
        off = np.abs((self.follow.angle - middle + 180.0) % 360.0 - 180.0) - half
        cost: Floats = -np.minimum((np.maximum(off, 0.0) / width) ** 2, weights.turn)
        return cost - weights.rival * (self.best_after(cost)[self.follow.before] - cost)

    def _untold(self, weights: Weights) -> Floats:
        off = np.maximum(np.abs(self.follow.angle) - weights.bend_free, 0.0)
        cost: Floats = -np.minimum((off / weights.bend_width) ** 2, weights.bend)
        first = self.follow.before == self.start
        cost = np.where(first, cost * weights.start_bend, cost)
        back = (self.target[self.follow.after] == self.source[self.follow.before]) & ~first
        return np.where(back, -weights.back, cost)


def terrain_of(known_map: KnownMap, start: str, heading: float) -> Terrain:
    """Return the terrain of a map for a walker who stands at `start` and looks to `heading`."""
    edges = known_map.edges
    row = known_map.index[start]
    source = np.append(edges.source, row)
    target = np.append(edges.target, row)
    headings = np.append(edges.heading, heading)
    return Terrain(
        known_map,
        source,
        target,
        headings,
        np.append(edges.length, 0.0),
        np.append(edges.climb, 0.0),
        _follow(edges, target, headings),
        known_map.frontier[target],
    )


def _follow(edges: MapEdges, target: Ints, headings: Floats) -> Follow:
    counts = edges.first[target + 1] - edges.first[target]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    before = np.repeat(np.arange(len(target)), counts)
    after = np.arange(len(before)) - starts[before] + edges.first[target[before]]
    angle = np.degrees(headings[after] - headings[before])
    return Follow(before, after, starts, (angle + 180.0) % 360.0 - 180.0)


def degrees_between(headings: Floats, bearings: Floats) -> Floats:
    """Return how many degrees to the right of a heading a bearing is (radians in), in [-180, 180)."""
    off: Floats = (np.degrees(bearings - headings) + 180.0) % 360.0 - 180.0
    return off
