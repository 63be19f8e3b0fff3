"""What is straight ahead: the neighbour that MatterSim's forward action leads to, for each level view."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np

from vlnscope.types import Floats, Ints
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import HEADINGS, STEP

MOVES = 5
ACTIONS = 30
_HALF_WIDTH = math.radians(40)
_known: WeakKeyDictionary[NavGraph, tuple[Ints, Ints]] = WeakKeyDictionary()


def views_ahead(headings: Floats, elevations: Floats) -> tuple[Ints, Ints]:
    """Return for each of the twelve level views how often to turn right until a way lies ahead, and which.

    A way lies ahead if it is at most 40° to the left or right; of several, the nearest to the centre is
    taken. Where there is no way at all, -1 is.

    Example:
        >>> turns, way = views_ahead(np.array([0.1, np.pi]), np.zeros(2))
        >>> turns[:6].tolist(), way[:6].tolist()
        ([0, 0, 3, 2, 1, 0], [0, 0, 1, 1, 1, 1])
    """
    if not len(headings):
        return np.zeros(HEADINGS, dtype=np.int64), np.full(HEADINGS, -1, dtype=np.int64)
    relative = headings - (np.arange(HEADINGS) * STEP)[:, None]
    relative = (relative + math.pi) % math.tau - math.pi
    apart = np.where(np.abs(relative) <= _HALF_WIDTH, np.hypot(relative, elevations), np.inf)
    ahead = np.asarray(np.isfinite(apart).any(axis=1))
    turned = (np.arange(HEADINGS)[:, None] + np.arange(HEADINGS)) % HEADINGS
    turns = ahead[turned].argmax(axis=1)
    return turns, apart.argmin(axis=1)[(np.arange(HEADINGS) + turns) % HEADINGS]


def ways_ahead(graph: NavGraph) -> tuple[Ints, Ints]:
    """Return `views_ahead` of all nodes of a graph, one row each."""
    if graph not in _known:
        table = candidates(graph)
        parts = [slice(a, b) for a, b in zip(table.starts[:-1], table.starts[1:], strict=True)]
        rows = [views_ahead(table.heading[part], table.elevation[part]) for part in parts]
        empty = np.zeros((0, HEADINGS), dtype=np.int64)
        _known[graph] = (
            np.array([turns for turns, _ in rows]) if rows else empty,
            np.array([choice for _, choice in rows]) if rows else empty,
        )
    return _known[graph]
