"""Where an agent can go from a viewpoint, exactly as MatterSim presents it.

MatterSim shows a neighbour in a view if it lies at most 40° to the left or right of the view's centre, at
any elevation. Agents sweep the 36 views from heading 0 looking down; a neighbour enters the list
when it is first shown, and belongs to the view whose centre it is closest to.

The simulator computes directions in single precision, and so does this module: in double precision the
order on all Matterport scans is the same, but angles of neighbours that are almost straight above differ
by up to 7e-4 instead of 3e-8.
"""

from __future__ import annotations

import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Candidate, Flags, Floats, Ints
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import HEADINGS, LEVELS, VIEW_ELEVATIONS, VIEW_HEADINGS

_HALF_WIDTH = math.radians(60) * 640 / 480 / 2  # MatterSim's own rule, not the true field of view
_Single = NDArray[np.float32]


class Candidates(NamedTuple):
    """The candidates of all nodes of a graph, one after the other.

    Those of node i are rows ``starts[i]`` to ``starts[i + 1]``; the other columns are the fields of
    `vlnscope.types.Candidate`, with `nodes` for the viewpoint.
    """

    starts: Ints
    nodes: Ints
    view_index: Ints
    slot: Ints
    heading: Floats
    elevation: Floats
    angular_distance: Floats
    distance: Floats


class _Rays(NamedTuple):
    """Directed edges, sorted by source and target, and how they look from each of the twelve headings."""

    source: Ints
    target: Ints
    visible: Flags
    relative: Floats
    elevation: Floats
    distance: Floats


_known: WeakKeyDictionary[NavGraph, Candidates] = WeakKeyDictionary()


def candidates(graph: NavGraph) -> Candidates:
    """Return the candidates of all nodes, each node's in the order of MatterSim's sweep.

    Neighbours that are equally far from the centre of a view keep the order of the graph. A neighbour
    exactly above or below (no horizontal distance at all) is in no view and hence no candidate, as in
    MatterSim.
    """
    if graph not in _known:
        _known[graph] = _sweep(len(graph.nodes), _cast_rays(graph))
    return _known[graph]


def candidates_of(graph: NavGraph, node: str) -> tuple[Candidate, ...]:
    """Return the candidates of one node in the order of MatterSim's sweep; none if it is isolated.

    Example:
        >>> graph = NavGraph.build(["a", "b"], [[0, 0, 0], [3, 3, 0]], [("a", "b")])
        >>> [(c.viewpoint, c.view_index, round(c.heading, 4)) for c in candidates_of(graph, "a")]
        [('b', 13, 0.7854)]
    """
    table = candidates(graph)
    row = graph.row(node)
    part = slice(int(table.starts[row]), int(table.starts[row + 1]))
    columns = (column[part].tolist() for column in table[2:])
    names = (graph.nodes[i] for i in table.nodes[part].tolist())
    return tuple(Candidate(*fields) for fields in zip(names, *columns, strict=True))


def _cast_rays(graph: NavGraph) -> _Rays:
    pairs = np.concatenate([graph.edges, graph.edges[:, ::-1]])
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    points = graph.positions.astype(np.float32)
    x, y, z = (points[pairs[:, 1]] - points[pairs[:, 0]]).T
    squared = x * x + y * y
    off_axis = squared > 0
    pairs, x, y, z, squared = pairs[off_axis], x[off_axis], y[off_axis], z[off_axis], squared[off_axis]
    visible, relative = _seen_from_headings(x, y, squared)
    elevation = np.arctan2(z.astype(np.float64), np.sqrt(squared).astype(np.float64))
    distance = np.sqrt(squared + z * z).astype(np.float64)
    return _Rays(pairs[:, 0], pairs[:, 1], visible, relative, elevation, distance)


def _seen_from_headings(x: _Single, y: _Single, squared: _Single) -> tuple[Flags, Floats]:
    """Return, per heading and ray, whether it is in view and how far to the right of the centre."""
    centre = math.pi / 2 - VIEW_HEADINGS[:HEADINGS, None]
    along, across = np.cos(centre).astype(np.float32), np.sin(centre).astype(np.float32)
    scale = np.float32(1) / np.sqrt(squared)
    visible = (x * scale * along + y * scale * across).astype(np.float64) >= math.cos(_HALF_WIDTH)
    right = (x * across - y * along).astype(np.float64)
    ahead = (x * along + y * across).astype(np.float64)
    # through double precision, because single-precision arctan2 differs between processors
    return visible, np.arctan2(right, ahead).astype(np.float32).astype(np.float64)


def _sweep(size: int, rays: _Rays) -> Candidates:
    every = np.arange(len(rays.source))
    starts = np.searchsorted(rays.source, np.arange(size + 1)).astype(np.int64)
    upward = rays.elevation - VIEW_ELEVATIONS[:, None]
    angular = np.sqrt(np.tile(rays.relative**2, (LEVELS, 1)) + upward**2)
    angular[~np.tile(rays.visible, (LEVELS, 1))] = np.inf
    best = angular.argmin(axis=0)
    slot = _ranks(rays.source, angular)[best, every] - starts[rays.source] + 1
    first = rays.visible.argmax(axis=0)
    order = np.lexsort((angular[first, every], first, rays.source))
    relative = rays.relative[best % HEADINGS, every]
    return Candidates(
        starts,
        rays.target[order],
        best[order],
        slot[order],
        (VIEW_HEADINGS[best] + relative)[order],
        rays.elevation[order],
        angular[best, every][order],
        rays.distance[order],
    )


def _ranks(source: Ints, angular: Floats) -> Ints:
    """Return the place of each ray when the rays of a view are sorted by source and angular distance."""
    order = np.lexsort((angular, np.broadcast_to(source, angular.shape)), axis=-1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(len(source)), order.shape), axis=-1)
    return ranks
