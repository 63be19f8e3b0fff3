"""A floor in few lines, to draw walks over: where one can be, and what bounds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import shapely
from shapely import Geometry, LineString, Polygon, unary_union

from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.maps.building import hole_of
from vlnscope.worlds.maps.canvas import XY
from vlnscope.worlds.maps.floor_map import levels
from vlnscope.worlds.scene import Scene

_AROUND = 0.7
"""Metres of ground around the edges of a graph."""
_FINE = 0.05


class FloorOutline(NamedTuple):
    """Areas on which one can be, and lines: walls with gaps for doors, or the edges of a graph. In metres."""

    areas: tuple[tuple[XY, ...], ...]
    lines: tuple[tuple[XY, ...], ...]


def floor_outline(scene: Scene, level: int) -> FloorOutline:
    """Return a floor of a house from its plan, or of a Matterport scan as the ground around its graph."""
    return _of_plan(scene.layer("plan"), level) if scene.has("plan") else _of_graph(scene, level)


def _of_plan(plan: FloorPlan, level: int) -> FloorOutline:
    rooms = [Polygon(room.polygon) for room in plan.rooms if room.floor == level]
    holes = unary_union(
        [hole_of(one) for one in plan.openings if one.floor == level and one.kind != "window"]
    )
    walls = unary_union([room.exterior for room in rooms]).difference(holes)
    return FloorOutline(_areas(rooms), _lines(walls))


def _of_graph(scene: Scene, level: int) -> FloorOutline:
    graph, floors = scene.graph, levels(scene)
    ends = [(graph.nodes[i], graph.nodes[j], graph.positions[[i, j], :2]) for i, j in graph.edges.tolist()]
    edges = [LineString(at) for a, b, at in ends if floors.get(a) == level and floors.get(b) == level]
    ground = unary_union(shapely.buffer(edges, _AROUND, quad_segs=4)).simplify(_FINE)
    shells = [Polygon(part.exterior) for part in _parts(ground) if part.geom_type == "Polygon"]
    return FloorOutline(_areas(shells), tuple(_points(edge) for edge in edges))


def _areas(shapes: Iterable[Polygon]) -> tuple[tuple[XY, ...], ...]:
    return tuple(_points(shape.exterior) for shape in shapes)


def _lines(shape: Geometry) -> tuple[tuple[XY, ...], ...]:
    merged = shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape
    return tuple(_points(part) for part in _parts(merged) if part.geom_type in ("LineString", "LinearRing"))


def _points(line: Any) -> tuple[XY, ...]:
    return tuple((float(x), float(y)) for x, y, *_ in line.coords)


def _parts(shape: Geometry) -> list[Any]:
    return list(getattr(shape, "geoms", [shape]))
