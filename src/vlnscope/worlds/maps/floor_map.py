"""Floor maps as SVG, to look at and to print: rooms, doors, furniture, navigation graph and paths.

A map stands alone: vectors only, an ordinary sans-serif face, nothing loaded from elsewhere. Printed at its
own size it has the scale 1:100.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
import shapely
from shapely import Geometry, LineString, Point, Polygon, unary_union

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.houses.plan.ceilings import voids_on
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, PlanItem, Room
from vlnscope.worlds.maps.building import (
    INK,
    ROOM_COLOURS,
    draw_openings,
    draw_rooms,
    draw_stairs,
    draw_voids,
    draw_walls,
)
from vlnscope.worlds.maps.canvas import MILLIMETRES, SCALE, XY, Box, Canvas, TakenPlaces, number, text_box
from vlnscope.worlds.maps.compact import compact
from vlnscope.worlds.maps.furniture import draw_furniture, label_furniture
from vlnscope.worlds.maps.overlays import (
    MapPath,
    draw_faint_graph,
    draw_graph,
    draw_legend,
    draw_north,
    draw_paths,
    draw_scale,
)
from vlnscope.worlds.maps.room_names import NamedRoom, name_rooms
from vlnscope.worlds.rooms import ROOM_NAMES, usual_name
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.storeys import storey_heights, storeys_of

__all__ = ["BareMap", "MapPath", "bare_map", "floor_map", "floor_maps", "levels", "levels_of"]

_MARGIN = 0.7
_LEGEND = 3.4
_HEAD = 0.9
_FOOT = 1.0
_AROUND = 0.7


def floor_map(
    plan: FloorPlan | None,
    level: int = 0,
    *,
    scene: Scene | None = None,
    paths: Sequence[MapPath | Sequence[str]] = (),
    graph: bool = True,
    furniture: bool = True,
    title: str | None = None,
) -> str:
    """Return one floor of a house, or of a Matterport scan, as an SVG document.

    Args:
        plan: the house; None for a scene that has no plan, of which the rooms are then drawn around their
            viewpoints (and not at all where it has no room labels).
        level: number of the floor; see `levels_of`.
        scene: gives the viewpoints; needed for `paths`, and where there is no plan.
        paths: paths to draw, as `MapPath` or as the ids of their viewpoints.
        graph: whether to draw the viewpoints and edges of `scene`.
        furniture: whether to draw the objects of the plan.
        title: the heading; names the house and the floor if not given.

    Raises:
        InputError: there is no such floor, or a path but no scene, or a path visits an unknown viewpoint.
    """
    _check(plan, level, scene, paths)
    drawn = [path if isinstance(path, MapPath) else MapPath(tuple(path)) for path in paths]
    here = _on_level(plan, scene, level) if scene is not None else []
    rooms = _rooms_of(plan, level) if plan is not None else _rooms_around(scene, here)
    canvas, size = _page(rooms, scene, here)
    taken = TakenPlaces()
    openings = _openings_of(plan, level)
    _draw_ground(canvas, plan, level, rooms, furniture)
    if scene is not None and graph:
        draw_graph(canvas, scene.graph, here)
    if scene is not None:
        draw_paths(canvas, scene.graph, here, drawn)
        _keep_clear(canvas, scene, here, drawn, taken)
    name_rooms(canvas, rooms, _items_of(plan, level) if furniture else [], openings, taken)
    if plan is not None and furniture:
        label_furniture(canvas, _items_of(plan, level), taken)
    signs = _signs(openings, graph and scene is not None)
    name = plan.id if plan is not None else scene.id if scene is not None else ""
    heading = f"{name}, floor {level}" if title is None else title
    return _finish(canvas, size, heading, rooms, signs, drawn)


class BareMap(NamedTuple):
    """A floor without heading, legend and paths, to draw over.

    Attributes:
        svg: the document; its view box begins at 0, 0.
        width: of the view box.
        height: of the view box.
        canvas: says where on it a point in metres lies (`Canvas.at`).
    """

    svg: str
    width: float
    height: float
    canvas: Canvas


def bare_map(scene: Scene, level: int = 0) -> BareMap:
    """Return a floor of a scene as a small SVG: rooms, furniture, names, and its viewpoints faintly.

    Houses are drawn from their plan, Matterport scans as the ground around their viewpoints.

    Raises:
        InputError: there is no such floor.
    """
    plan = _plan_of(scene)
    _check(plan, level, scene, ())
    here = _on_level(plan, scene, level)
    rooms = _rooms_of(plan, level) if plan is not None else _rooms_around(scene, here)
    low_x, low_y, high_x, high_y = _bounds(rooms, scene, here)
    canvas = Canvas(low_x - _MARGIN, high_y + _MARGIN)
    _draw_ground(canvas, plan, level, rooms, furniture=True)
    draw_faint_graph(canvas, scene.graph, here)
    taken, items = TakenPlaces(), _items_of(plan, level)
    name_rooms(canvas, rooms, items, _openings_of(plan, level), taken)
    label_furniture(canvas, items, taken)
    width, height = ((side + 2 * _MARGIN) * SCALE for side in (high_x - low_x, high_y - low_y))
    return BareMap(compact(canvas.elements, width, height), width, height, canvas)


def levels(scene: Scene) -> dict[str, int]:
    """Return the floor of each viewpoint of a scene; on stairs the floor below counts."""
    plan = _plan_of(scene)
    return {
        node: level
        for level in levels_of(plan, scene)
        for node, on in zip(scene.graph.nodes, _on_level(plan, scene, level), strict=True)
        if on
    }


def _plan_of(scene: Scene) -> FloorPlan | None:
    plan: FloorPlan | None = scene.layer("plan") if scene.has("plan") else None
    return plan


def floor_maps(
    plan: FloorPlan | None, *, scene: Scene | None = None, paths: Sequence[MapPath | Sequence[str]] = ()
) -> dict[int, str]:
    """Return the maps of all floors by their level; see `floor_map`."""
    return {level: floor_map(plan, level, scene=scene, paths=paths) for level in levels_of(plan, scene)}


def levels_of(plan: FloorPlan | None, scene: Scene | None = None) -> tuple[int, ...]:
    """Return the numbers of the floors: those of the plan, or those that the viewpoints of a scene lie on."""
    if plan is not None:
        return tuple(sorted(floor.level for floor in plan.floors))
    return tuple(range(len(storey_heights(scene)))) if scene is not None else ()


def _check(
    plan: FloorPlan | None, level: int, scene: Scene | None, paths: Sequence[MapPath | Sequence[str]]
) -> None:
    if plan is None and scene is None:
        raise InputError(
            "a map of nothing was asked for", expected="a plan or a scene", fix="give one of them"
        )
    if paths and scene is None:
        raise InputError(
            "paths were given without a scene",
            expected="the scene whose viewpoints they visit",
            fix="pass scene=house_scene(plan)",
        )
    levels = levels_of(plan, scene)
    if level not in levels:
        raise InputError(
            f"there is no floor {level}",
            expected=f"one of {', '.join(map(str, levels))}",
            fix="levels_of(plan, scene) gives the floors there are",
        )


def _rooms_of(plan: FloorPlan, level: int) -> list[NamedRoom]:
    return [
        NamedRoom(_spoken(room, plan), room.label, Polygon(room.polygon))
        for room in plan.rooms
        if room.floor == level
    ] + [
        NamedRoom(f"above {_spoken(room, plan)}", room.label, Polygon(room.polygon))
        for room in _voids_of(plan, level)
    ]


def _voids_of(plan: FloorPlan, level: int) -> list[Room]:
    """Return the rooms of the floors below that are open to a floor."""
    return voids_on(plan, next(floor for floor in plan.floors if floor.level == level))


def _spoken(room: Room, plan: FloorPlan) -> str:
    name = usual_name(room.label) if room.label in ROOM_NAMES else room.id
    same = [other.id for other in plan.rooms if other.label == room.label]
    return name if len(same) == 1 else f"{name} {same.index(room.id) + 1}"


def _openings_of(plan: FloorPlan | None, level: int) -> list[Opening]:
    return [] if plan is None else [opening for opening in plan.openings if opening.floor == level]


def _items_of(plan: FloorPlan | None, level: int) -> list[PlanItem]:
    if plan is None:
        return []
    floors = {room.id: room.floor for room in plan.rooms}
    return [item for item in plan.items if floors.get(item.room) == level]


def _draw_ground(
    canvas: Canvas, plan: FloorPlan | None, level: int, rooms: Sequence[NamedRoom], furniture: bool
) -> None:
    if plan is None:
        for room in rooms:
            canvas.area(room.shape, fill=ROOM_COLOURS[room.label], stroke=INK, stroke_width=0.5)
    else:
        _draw_building(canvas, plan, level, _openings_of(plan, level), furniture)


def _draw_building(
    canvas: Canvas, plan: FloorPlan, level: int, openings: Sequence[Opening], furniture: bool
) -> None:
    rooms = [room for room in plan.rooms if room.floor == level]
    voids = _voids_of(plan, level)
    draw_rooms(canvas, rooms)
    draw_voids(canvas, voids)
    draw_stairs(canvas, plan, level)
    if furniture:
        draw_furniture(canvas, _items_of(plan, level))
    draw_walls(canvas, [*rooms, *voids], openings)
    draw_openings(canvas, plan, openings)


def _on_level(plan: FloorPlan | None, scene: Scene, level: int) -> list[bool]:
    """Return for each viewpoint whether it is on a floor; on stairs the floor below counts."""
    if plan is None:
        return [bool(k == level) for k in storeys_of(scene)]
    grounds = sorted((floor.elevation, floor.level) for floor in plan.floors)
    feet = scene.graph.positions[:, 2] - _camera(scene)
    below = np.searchsorted([at for at, _ in grounds], feet + 0.4, side="right") - 1
    return [grounds[max(0, k)][1] == level for k in below.tolist()]


def _camera(scene: Scene) -> Floats:
    return scene.heights if scene.has("heights") else np.full(len(scene.graph.nodes), 1.5)


def _rooms_around(scene: Scene | None, here: Sequence[bool]) -> list[NamedRoom]:
    """Draw rooms that are only known by their viewpoints as the ground around these."""
    if scene is None or not scene.has("regions"):
        return []
    graph, regions = scene.graph, scene.regions
    ground: dict[int, list[Geometry]] = {}
    for i, node in enumerate(graph.nodes):
        region = regions.region(node)
        if here[i] and region is not None:
            ground.setdefault(region, []).append(Point(graph.positions[i, :2]))
    for i, j in graph.edges.tolist():
        region = regions.region(graph.nodes[i])
        if here[i] and here[j] and region is not None and region == regions.region(graph.nodes[j]):
            ground[region].append(LineString(graph.positions[[i, j], :2]))
    return [
        NamedRoom(usual_name(regions.labels[region]), regions.labels[region], _around(parts))
        for region, parts in sorted(ground.items())
    ]


def _around(parts: Sequence[Geometry]) -> Geometry:
    """Return the ground within reach of points and lines, without holes."""
    ground = unary_union(shapely.buffer(parts, _AROUND, quad_segs=6))
    return unary_union([Polygon(piece.exterior) for piece in getattr(ground, "geoms", [ground])])


def _page(rooms: Sequence[NamedRoom], scene: Scene | None, here: Sequence[bool]) -> tuple[Canvas, XY]:
    """Return a canvas around what is to be drawn, and the size of the drawing in metres."""
    low_x, low_y, high_x, high_y = _bounds(rooms, scene, here)
    canvas = Canvas(low_x - _MARGIN, high_y + _MARGIN + _HEAD)
    return canvas, (high_x - low_x + 2 * _MARGIN, high_y - low_y + 2 * _MARGIN + _HEAD + _FOOT)


def _bounds(rooms: Sequence[NamedRoom], scene: Scene | None, here: Sequence[bool]) -> Box:
    """Return the box around what is to be drawn, in metres."""
    boxes = [room.shape.bounds for room in rooms]
    if scene is not None and any(here):
        points = scene.graph.positions[np.asarray(here), :2]
        boxes.append((*points.min(axis=0).tolist(), *points.max(axis=0).tolist()))
    if not boxes:
        boxes = [(0.0, 0.0, 1.0, 1.0)]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _keep_clear(
    canvas: Canvas, scene: Scene, here: Sequence[bool], paths: Sequence[MapPath], taken: TakenPlaces
) -> None:
    """Mark viewpoints and paths as places where no name goes."""
    places = scene.graph.positions
    for path in paths:
        rows = [scene.graph.row(viewpoint) for viewpoint in path.viewpoints]
        for i, j in pairwise(rows):
            if here[i] and here[j]:
                count = int(np.linalg.norm(places[j] - places[i]) / 0.15) + 1
                for part in np.linspace(places[i], places[j], count):
                    taken.take(text_box(canvas.at(part), 7.0, 7.0))
    for i, position in enumerate(scene.graph.positions):
        if here[i]:
            taken.take(text_box(canvas.at(position), 6.0, 6.0))


def _signs(openings: Sequence[Opening], graph: bool) -> list[str]:
    kinds = {"closed door" if o.kind == "door" and o.closed else o.kind for o in openings}
    known: list[str] = [kind for kind in ("door", "closed door", "passage", "window") if kind in kinds]
    return [*known, "viewpoint"] if graph else known


def _finish(
    canvas: Canvas,
    size: XY,
    heading: str,
    rooms: Sequence[NamedRoom],
    signs: Sequence[str],
    paths: Sequence[MapPath],
) -> str:
    width, height = (side * SCALE for side in size)
    canvas.page_text((_MARGIN * SCALE, 22.0), heading, 16.0, font_weight="bold", fill=INK)
    counts = Counter(room.label for room in rooms)
    ordered = dict(
        sorted(counts.items(), key=lambda pair: usual_name(pair[0]) if pair[0] in ROOM_NAMES else pair[0])
    )
    end = draw_legend(canvas, (width, (_HEAD + _MARGIN) * SCALE), ordered, signs, paths)
    height = max(height, end + 1.4 * SCALE)
    width += _LEGEND * SCALE
    draw_scale(canvas, (_MARGIN * SCALE, height - 30.0))
    draw_north(canvas, (width - 40.0, height - 24.0))
    body = "\n".join(canvas.elements)
    printed = (
        f'width="{number(width / SCALE * MILLIMETRES)}mm" height="{number(height / SCALE * MILLIMETRES)}mm"'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {printed} '
        f'viewBox="0 0 {number(width)} {number(height)}" font-family="Helvetica, Arial, sans-serif">\n'
        f"<title>{escape(heading)}</title>\n"
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n'
    )
