"""A walk in continuous space as a walk on the navigation graph: which viewpoint is nearest at each position.

Nearest means along the ground: by geodesic distance on the navigation mesh, among viewpoints whose feet are
at most 1 m higher or lower than the position, which are those of the same storey. Where none of them can be
reached, the nearest in a straight line stands in; where there is none on the storey, the nearest of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.types import Floats, Ints
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.frames import to_habitat
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.storeys import STOREY_GAP

RULE = "nearest viewpoint on the navigation mesh, at most 1 m higher or lower"
"""How walks are projected, in a line for reports."""

ROUNDING = 1e-3  # meshes measure in 32 bits: a path may come out so much shorter than the straight line
POINTS_AT_ONCE = 4096

_feet: WeakKeyDictionary[Scene, Floats] = WeakKeyDictionary()


def feet_of(scene: Scene) -> Floats:
    """Return where an agent stands at each viewpoint, in Habitat's frame, on the navigation mesh."""
    if scene not in _feet:
        points = to_habitat(scene.graph.positions, scene.heights, above_floor=0.0)
        _feet[scene] = _on_ground(scene.layer("navmesh"), points)
    return _feet[scene]


def projected_path(
    scene: Scene, positions: ArrayLike, *, among: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Return the nearest viewpoint of each position, by the rule of this module.

    Of viewpoints that are equally near along the ground, the nearest in a straight line is taken, and then
    the first in the graph. Successive viewpoints may be the same, or share no edge.

    Args:
        scene: has a graph, the layer ``heights`` and a navigation mesh.
        positions: one row x, y, z each, in Habitat's frame.
        among: the viewpoints to choose from; all if not given.

    Returns:
        As many viewpoints as there are positions; none if there is none to choose from.
    """
    nodes = scene.graph.nodes if among is None else tuple(among)
    points = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
    if not nodes or not len(points):
        return ()
    feet = feet_of(scene)[[scene.graph.row(node) for node in nodes]]
    distinct, where = np.unique(points, axis=0, return_inverse=True)
    cuts = range(POINTS_AT_ONCE, len(distinct), POINTS_AT_ONCE)
    ground: PathFinder = scene.layer("navmesh")
    nearest = np.concatenate([_nearest(ground, part, feet) for part in np.split(distinct, cuts)])
    return tuple(nodes[k] for k in nearest[where.reshape(-1)])


def _nearest(ground: PathFinder, points: Floats, feet: Floats) -> Ints:
    """Return which of `feet` is nearest along the ground, in rounds over the next in a straight line.

    A path is never shorter than the straight line, so nobody looks further than the best path so far.
    """
    points = _on_ground(ground, points)
    straight = np.sqrt(((points[:, None, :] - feet[None, :, :]) ** 2).sum(axis=2))
    other_storey = np.abs(points[:, None, 1] - feet[None, :, 1]) > STOREY_GAP
    ranked = np.where(other_storey & ~other_storey.all(axis=1, keepdims=True), np.inf, straight)
    order = np.argsort(ranked, axis=1, kind="stable")
    best, length = order[:, 0].copy(), np.full(len(points), np.inf)
    rows = np.arange(len(points))
    for candidates in order.T:
        rows = rows[ranked[rows, candidates[rows]] - ROUNDING < length[rows]]
        if not len(rows):
            break
        paths = ground.distance(points[rows], feet[candidates[rows]])
        shorter = rows[paths < length[rows]]
        best[shorter] = candidates[shorter]
        length[rows] = np.minimum(length[rows], paths)
    return best


def _on_ground(ground: PathFinder, points: Floats) -> Floats:
    """Return where points snap to on the ground; those that do not snap stay where they are."""
    snapped = ground.snap(points) if len(points) else points
    return np.where(np.isfinite(snapped), snapped, points)
