"""Edges of a navigation graph: which spots are joined, so that one can walk and see between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.houses.graph.obstacles import Obstacles

FARTHEST = 5.2
"""Longest edge, metres."""

_ON_THE_WAY = 1.002
_DETOUR = 1.014
_LEAST = 4


def seen_pairs(places: Floats, ground: Obstacles) -> Flags:
    """Return which spots of a storey one can walk between in a straight line, as a square matrix."""
    count = len(places)
    first, second = np.triu_indices(count, 1)
    steps = places[first, :2] - places[second, :2]
    near = np.hypot(steps[:, 0], steps[:, 1]) <= FARTHEST
    first, second = first[near], second[near]
    free = ground.clear(places[first, :2], places[second, :2])
    joined = np.zeros((count, count), dtype=np.bool_)
    joined[first[free], second[free]] = True
    joined[second[free], first[free]] = True
    return joined


def thinned(places: Floats, joined: Flags) -> Flags:
    """Leave out edges that two shorter ones replace with little detour, the longest first.

    An edge goes if a third spot, joined to both its ends by shorter edges, lies on it; and if the way over
    such a spot is at most `_DETOUR` times as long, unless that leaves an end with fewer than `_LEAST`
    neighbours. What is connected stays so.
    """
    steps = places[:, None, :] - places[None, :, :]
    lengths = np.sqrt((steps * steps).sum(axis=2))
    keep = joined.copy()
    degree = joined.sum(axis=1)
    pairs = np.argwhere(np.triu(joined))
    for i, j in pairs[np.argsort(-lengths[tuple(pairs.T)], kind="stable")].tolist():
        both = joined[i] & joined[j]
        a, b, whole = lengths[i, both], lengths[j, both], lengths[i, j]
        between = np.maximum(a, b) < whole - 1e-9
        if not between.any():
            continue
        detour = ((a + b)[between] / whole).min()
        spare = min(degree[i], degree[j]) > _LEAST
        if detour <= _ON_THE_WAY or (spare and detour <= _DETOUR):
            keep[i, j] = keep[j, i] = False
            degree[[i, j]] -= 1
    return keep


def components(joined: Flags) -> Ints:
    """Return the number of the connected part that each spot is in."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(csr_array(joined), directed=False)[1], dtype=np.int64)


def pairs_of(joined: Flags, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the edges of a matrix as pairs of the numbers that its rows stand for."""
    return [(numbers[i], numbers[j]) for i, j in np.argwhere(np.triu(joined)).tolist()]
