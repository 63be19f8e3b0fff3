"""Walkable ground on a map: the polygons of a navigation mesh, storey by storey, seen from above.

Navigation meshes are in Habitat's frame; on maps x is east and y, which is -z there, north.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely import Geometry, Polygon, unary_union

from vlnscope.types import Floats, Ints, Points
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.surface import WALK
from vlnscope.worlds.continuous.navmesh.tile import CORNERS
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.maps.canvas import Canvas
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.storeys import storey_heights

GROUND, OBSTACLE, BORDER = "#f7f6f2", "#c9ccd2", "#4b515c"
BELOW = 0.4
"""So far below its floor a foot still counts as on a storey, metres."""
HEADROOM = 1.5
"""No two walkable places above each other are nearer than this, metres: an agent fits between them."""
ROOF = 2.2
"""Ground so far above the highest floor is no ground of that storey but a roof, metres."""
EYES = 1.5
_WINDOW = 0.3
_BIN = 0.1
_LEAST = 8.0
_SEAM = 0.004
_REACH = 0.9
_RIM = 0.25


class GroundLevels(NamedTuple):
    """The storeys of a scene, lowest first: their numbers, and how high their floors lie (Habitat's y)."""

    numbers: tuple[int, ...]
    heights: tuple[float, ...]

    def of(self, heights: ArrayLike) -> Ints:
        """Return the storey of feet at some heights; on stairs the storey below counts.

        Example:
            >>> GroundLevels((0, 1), (0.0, 2.8)).of([-0.2, 0.1, 1.4, 2.5]).tolist()
            [0, 0, 0, 1]
        """
        feet = np.asarray(heights, dtype=np.float64)
        below = np.searchsorted(self.heights, feet + BELOW, side="right") - 1
        return np.asarray(self.numbers)[np.maximum(below, 0)]


def ground_levels(scene: Scene) -> GroundLevels:
    """Return the storeys of a scene: those of its plan, else of its navigation mesh, else of its graph."""
    if scene.has("plan"):
        plan: FloorPlan = scene.layer("plan")
        floors = sorted((floor.elevation, floor.level) for floor in plan.floors)
        return GroundLevels(tuple(level for _, level in floors), tuple(height for height, _ in floors))
    if scene.has("navmesh"):
        heights = mesh_storeys(scene.layer("navmesh"))
    else:
        heights = [height - EYES for height in storey_heights(scene)]
    return GroundLevels(tuple(range(len(heights))), tuple(heights))


def mesh_storeys(mesh: NavMesh) -> list[float]:
    """Return the heights at which most ground of a mesh lies, lowest first, at least `HEADROOM` apart.

    A landing is no storey: one has at least 8 m², unless none has.
    """
    polygons = _Polygons.of(mesh)
    if not len(polygons.heights):
        return [0.0]
    order = np.argsort(polygons.heights, kind="stable")
    heights, reached = polygons.heights[order], np.cumsum([0.0, *polygons.areas[order]])
    marks = np.arange(heights[0], heights[-1] + _BIN, _BIN)
    first, last = (np.searchsorted(heights, marks + way * _WINDOW) for way in (-1, 1))
    area = reached[last] - reached[first]
    storeys: list[float] = []
    while area.max() > _LEAST or not storeys:
        at = int(np.argmax(area))
        inside = slice(first[at], last[at])
        storeys.append(float(heights[inside].mean()))
        area = np.where(np.abs(marks - storeys[-1]) < HEADROOM, 0.0, area)
    return sorted(storeys)


def ground_shape(mesh: NavMesh, levels: GroundLevels, level: int, among: Points = ()) -> Geometry:
    """Return the walkable ground of a storey, x east and y north in metres; empty where there is none.

    Roofs that could be walked on, if somebody came there, are left out.

    Args:
        mesh: the ground.
        levels: the storeys.
        level: which of them.
        among: points in Habitat's frame; if given, only ground that one of them is connected to.
    """
    polygons = _Polygons.of(mesh)
    here = (levels.of(polygons.heights) == level) & (polygons.heights < levels.heights[-1] + ROOF)
    islands = set(mesh.islands(among).tolist()) - {-1} if among else set()
    if islands:
        here &= np.isin(mesh.islands(polygons.centres), list(islands))
    parts = shapely.buffer(polygons.shapes[here], _SEAM, join_style="mitre")
    return unary_union(parts).buffer(-_SEAM, join_style="mitre")


def draw_ground(canvas: Canvas, ground: Geometry) -> None:
    """Draw ground light, what stands on it or between it grey, and its border dark."""
    canvas.area(_built(ground), fill=OBSTACLE)
    canvas.area(ground, fill=GROUND, stroke=BORDER, stroke_width=1.4, stroke_linejoin="round")


def draw_border(canvas: Canvas, ground: Geometry) -> None:
    """Draw only where ground ends, over a map that shows what is there."""
    canvas.area(ground, fill="#ffffff", fill_opacity=0.35)
    canvas.area(ground, fill="none", stroke=BORDER, stroke_width=0.8, stroke_dasharray="3 2")


def _built(ground: Geometry) -> Geometry:
    """Return all that ground surrounds, and a rim of it as thick as a wall."""
    broad = ground.buffer(_REACH, quad_segs=4).buffer(_RIM - _REACH, quad_segs=4)
    return unary_union([Polygon(part.exterior) for part in _parts(broad) if part.geom_type == "Polygon"])


def _parts(shape: Geometry) -> list[Any]:
    return list(getattr(shape, "geoms", [shape]))


class _Polygons(NamedTuple):
    """The walkable polygons of a mesh seen from above, their middles in Habitat's frame, and areas."""

    shapes: Any
    centres: Floats
    areas: Floats

    @property
    def heights(self) -> Floats:
        return self.centres[:, 1]

    @classmethod
    def of(cls, mesh: NavMesh) -> _Polygons:
        tile = mesh.file.tile
        polys = tile.polys[(tile.polys["flags"] & WALK) > 0]
        used = np.arange(CORNERS) < polys["vert_count"][:, None]
        numbers = np.where(used, polys["verts"], polys["verts"][:, :1])
        corners = tile.verts.reshape(-1, 3)[numbers].astype(np.float64)
        seen = np.stack([corners[..., 0], -corners[..., 2]], axis=-1)
        rings = np.concatenate([seen, seen[:, :1]], axis=1)
        shapes = shapely.make_valid(shapely.polygons(rings))
        count = np.maximum(used.sum(axis=1), 1)
        centres = np.where(used[..., None], corners, 0.0).sum(axis=1) / count[:, None]
        return cls(shapes, centres, shapely.area(shapes))
