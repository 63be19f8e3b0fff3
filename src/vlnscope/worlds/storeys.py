"""Storeys of scenes that come without a plan: which viewpoints lie on the same floor."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Ints
from vlnscope.worlds.scene import Scene

STOREY_GAP = 1.0
"""Two storeys are at least so far apart, metres."""


def storey_heights(scene: Scene) -> list[float]:
    """Return the mean eye height of each storey, lowest first; viewpoints on stairs do not count.

    Storeys are told apart by gaps between the heights of viewpoints. Where a scene has no room labels, stairs
    are not known, and viewpoints on them may join two storeys to one.

    Example:
        >>> from vlnscope.worlds.graph.navgraph import NavGraph
        >>> graph = NavGraph.build(["a", "b", "c"], [[0, 0, 1.5], [2, 0, 1.6], [2, 2, 4.5]], [])
        >>> storey_heights(Scene("two", graph))
        [1.55, 4.5]
    """
    level_ground = [i for i, node in enumerate(scene.graph.nodes) if _label_at(scene, node) != "s"]
    heights = np.sort(scene.graph.positions[level_ground or slice(None), 2])
    if not len(heights):
        return [0.0]
    cuts = np.flatnonzero(np.diff(heights) > STOREY_GAP) + 1
    return [float(part.mean()) for part in np.split(heights, cuts)]


def storeys_of(scene: Scene) -> Ints:
    """Return the number of the storey of each viewpoint, from 0 up; on stairs, of the nearest one."""
    heights = scene.graph.positions[:, 2]
    storeys = np.asarray(storey_heights(scene))
    return np.asarray(np.abs(heights[:, None] - storeys[None, :]).argmin(axis=1), dtype=np.int64)


def _label_at(scene: Scene, node: str) -> str | None:
    return scene.regions.label(node) if scene.has("regions") else None
