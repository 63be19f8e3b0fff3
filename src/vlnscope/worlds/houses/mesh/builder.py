"""The site on which a building's mesh is put together, and the flat geometry that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry import MultiPolygon

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.plan.plan import WALL, XY, Room
from vlnscope.worlds.rendering.mesh import Mesh

Axis = Literal["x", "y"]
Rectangle = tuple[float, float, float, float]
Area: TypeAlias = "Polygon | MultiPolygon"

HALF = WALL / 2
_GRID = 1e-5
_FINEST = 2.0**20
"""Steps per metre of all corners of a house. They hide in which digit sines are rounded, which differs
between processors; as a power of two, so that no length in decimals lies halfway between two steps."""


class MeshBuilder:
    """Collects shapes with their look, class and object."""

    def __init__(self) -> None:
        self._shapes: list[shapes.Shape] = []
        self._paints: list[Paint] = []
        self._classes: dict[str, int] = {}
        self._objects: dict[str, int] = {}
        self._labels: list[tuple[int, int]] = []

    def add(self, shape: shapes.Shape, look: Paint, kind: str, owner: str) -> None:
        """Add a shape that belongs to the class `kind` and the object `owner`."""
        self._shapes.append(shape)
        self._paints.append(look)
        self._labels.append(
            (
                self._classes.setdefault(kind, len(self._classes)),
                self._objects.setdefault(owner, len(self._objects)),
            )
        )

    def box(
        self, sides: tuple[float, float, float, float, float, float], look: Paint, kind: str, owner: str
    ) -> None:
        """Add a box x0, x1, y0, y1, z0, z1; one with no extent is left out."""
        if sides[1] > sides[0] and sides[3] > sides[2] and sides[5] > sides[4]:
            self.add(shapes.box(*sides), look, kind, owner)

    def level(self, area: Area, z: float, up: bool, look: Paint, kind: str, owner: str) -> None:
        """Add a level face over a rectilinear area, seen from above (`up`) or from below."""
        for x0, y0, x1, y1 in rectangles(area):
            corners = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
            a, b, c, d = corners if up else corners[::-1]
            self.add(shapes.quad(a, b, c, d), look, kind, owner)

    def mesh(self) -> Mesh:
        """Return what was collected."""
        if not self._shapes:
            raise ValueError("nothing was built")
        points, faces = shapes.together(self._shapes)
        counts = [len(f) for _, f in self._shapes]
        looks = np.repeat(np.array(self._paints, dtype=np.uint8), counts, axis=0)
        labels = np.repeat(np.array(self._labels, dtype=np.int32), counts, axis=0)
        return Mesh(
            vertices=points,
            faces=faces,
            colour=np.ascontiguousarray(looks[:, :3]),
            texture=np.ascontiguousarray(looks[:, 3]),
            semantic=np.ascontiguousarray(labels[:, 0]),
            instance=np.ascontiguousarray(labels[:, 1]),
            classes=tuple(self._classes),
            objects=tuple(self._objects),
        )


def snapped(mesh: Mesh) -> Mesh:
    """Return a mesh whose corners lie on a grid of a millionth of a metre, the same on every processor."""
    return replace(mesh, vertices=np.round(mesh.vertices * _FINEST) / _FINEST + 0.0)


def upright(axis: Axis, at: float, a: float, b: float, z0: float, z1: float, sign: int) -> shapes.Shape:
    """Return an upright face along `axis` from a to b, at `at` on the other axis, looking to `sign`."""
    if axis == "x":
        corners = [(b, at, z0), (a, at, z0), (a, at, z1), (b, at, z1)]
    else:
        corners = [(at, a, z0), (at, b, z0), (at, b, z1), (at, a, z1)]
    first, second, third, fourth = corners if sign > 0 else corners[::-1]
    return shapes.quad(first, second, third, fourth)


def across(axis: Axis, a: float, b: float, c: float, d: float, z0: float, z1: float) -> tuple[float, ...]:
    """Return x0, x1, y0, y1, z0, z1 of a box from a to b along `axis` and c to d across it."""
    return (a, b, c, d, z0, z1) if axis == "x" else (c, d, a, b, z0, z1)


def corners_of(points: Sequence[XY]) -> list[XY]:
    """Return a ring without its closing point, repeated points and points in the middle of a side."""
    ring = list(points)
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring.pop()
    count = len(ring)
    kept = []
    for i, (x, y) in enumerate(ring):
        (px, py), (nx, ny) = ring[i - 1], ring[(i + 1) % count]
        if abs((x - px) * (ny - y) - (y - py) * (nx - x)) > 1e-9:
            kept.append((x, y))
    return kept


def offset_ring(points: Sequence[XY], distance: float) -> list[XY]:
    """Move all sides of a rectilinear ring to their left by `distance` (to their right if negative)."""
    ring = corners_of(points)
    count = len(ring)
    normals = []
    for i, (x, y) in enumerate(ring):
        nx, ny = ring[(i + 1) % count]
        length = max(abs(nx - x) + abs(ny - y), 1e-12)
        normals.append((-(ny - y) / length, (nx - x) / length))
    return [
        (
            x + distance * (normals[i - 1][0] + normals[i][0]),
            y + distance * (normals[i - 1][1] + normals[i][1]),
        )
        for i, (x, y) in enumerate(ring)
    ]


def inner(room: Room) -> Polygon:
    """Return a room's floor between its walls; an outdoor room's whole polygon."""
    polygon = shapely.geometry.polygon.orient(Polygon(room.polygon))
    if room.outdoor:
        return polygon
    return Polygon(offset_ring(list(polygon.exterior.coords), HALF))


def outline(rooms: Iterable[Room]) -> Area:
    """Return what the indoor ones of these rooms cover, to the middle of their outer walls."""
    polygons = [Polygon(room.polygon) for room in rooms if not room.outdoor]
    area: Area = shapely.union_all(polygons, grid_size=_GRID)
    return area


def grown(area: Area) -> Area:
    """Return an outline with the outer half of its walls."""
    wide: Area = area.buffer(HALF, join_style="mitre")
    return wide


def polygons_of(area: object) -> list[Polygon]:
    """Return the polygons of any shapely geometry, in its order."""
    if isinstance(area, Polygon):
        return [] if area.is_empty else [shapely.geometry.polygon.orient(area)]
    return [piece for part in getattr(area, "geoms", ()) for piece in polygons_of(part)]


def rings_of(area: Area) -> list[list[XY]]:
    """Return all rings of an area with the area on their left."""
    return [
        [(float(x), float(y)) for x, y in ring.coords]
        for polygon in polygons_of(area)
        for ring in (polygon.exterior, *polygon.interiors)
    ]


def rectangles(area: Area) -> list[Rectangle]:
    """Cut a rectilinear area into rectangles x0, y0, x1, y1."""
    pieces: list[Rectangle] = []
    for polygon in polygons_of(area):
        if polygon.area < 1e-7:
            continue
        points = np.round(shapely.get_coordinates(polygon), 6)
        xs, ys = np.unique(points[:, 0]), np.unique(points[:, 1])
        mid_x, mid_y = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2
        grid = shapely.contains_xy(polygon, *np.meshgrid(mid_x, mid_y))
        for row, inside in enumerate(grid):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
            pieces += [
                (float(xs[i]), float(ys[row]), float(xs[j]), float(ys[row + 1]))
                for i, j in zip(edges[::2], edges[1::2], strict=True)
            ]
    return pieces
