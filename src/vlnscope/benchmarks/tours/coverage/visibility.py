"""What can be seen from where: the viewpoints of a graph within reach, or the visible floor of a house."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
import shapely

from vlnscope.types import Flags, Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene
from vlnscope.worlds.scene import Scene, Scenes

REACH = 10.0
"""Metres that a camera sees: the depth camera of IVLN's mapper reaches so far."""
CELL = 0.5
"""Metres along the side of a piece of floor."""

_ABOVE = 0.02
_BATCH = 32


class Sight(Protocol):
    """Knows which cells of a scene are seen on the way."""

    def along(self, path: tuple[str, ...]) -> Flags:
        """Return which cells are seen along a path of viewpoints; none on an empty one."""


Visibility = Callable[[str], Sight]
"""Gives what is seen in a scene, by its id."""


class VisibleCells(NamedTuple):
    """Which cells (viewpoints, or pieces of floor) are seen from each viewpoint of a scene."""

    graph: NavGraph
    seen: Flags

    def along(self, path: tuple[str, ...]) -> Flags:
        """Return which cells are seen from a path; none from an empty one."""
        rows = [self.graph.row(node) for node in path]
        return np.asarray(self.seen[rows].any(axis=0))


def viewpoints_in_reach(scenes: Scenes, reach: float = REACH) -> Callable[[str], VisibleCells]:
    """Look at viewpoints: one is seen from another if a way of at most `reach` metres leads to it.

    Ways follow the edges of the graph, which run where one can look: walls and ceilings hide what is behind.
    """

    @cache
    def look(scan: str) -> VisibleCells:
        graph = scenes.scene(scan).graph
        return VisibleCells(graph, graph.distances <= reach)

    return look


def floor_in_sight(scenes: Scenes, reach: float = REACH, cell: float = CELL) -> Callable[[str], VisibleCells]:
    """Look at the floor of houses, cut into squares: one is seen if a straight line leads to its middle.

    Scenes need the layers ``plan`` and ``mesh``, as the built-in houses have them.
    """

    @cache
    def look(scan: str) -> VisibleCells:
        scene = scenes.scene(scan)
        return VisibleCells(scene.graph, _visible_floor(scene, reach, cell))

    return look


def _visible_floor(scene: Scene, reach: float, cell: float) -> Flags:
    plan: FloorPlan = scene.layer("plan")
    mesh: Mesh = scene.layer("mesh")
    rays, targets = RayScene(mesh), _floor_cells(plan, cell)
    seen = np.zeros((len(scene.graph.nodes), len(targets)), dtype=np.bool_)
    for start in range(0, len(seen), _BATCH):
        cameras = scene.graph.positions[start : start + _BATCH]
        ways = targets[None] - cameras[:, None]
        near = np.linalg.norm(ways, axis=2) <= reach
        origins = np.broadcast_to(cameras[:, None], ways.shape)[near]
        seen[start : start + _BATCH][near] = rays.distances(origins, ways[near]) >= 1.0
    return seen


def _floor_cells(plan: FloorPlan, cell: float) -> Floats:
    """Return a point just above the middle of each piece of floor of all rooms."""
    heights = {floor.level: floor.elevation + _ABOVE for floor in plan.floors}
    cells = []
    for room in plan.rooms:
        shape = shapely.Polygon(room.polygon)
        west, south, east, north = shape.bounds
        x, y = np.meshgrid(np.arange(west + cell / 2, east, cell), np.arange(south + cell / 2, north, cell))
        inside = shapely.contains_xy(shape, x, y)
        cells.append(np.stack([x[inside], y[inside], np.full(inside.sum(), heights[room.floor])], axis=1))
    return np.concatenate(cells)
