"""Which objects, doors, doorways and windows can be seen from a viewpoint: those that rays reach.

From each camera a fixed fan of rays goes out, one for every 2.25° of heading and of elevation between 63°
down and 47° up. An object is in sight if at least `LEAST` rays meet it first, that is, if it covers roughly
a thousand pixels of the 36 views of 640 × 480. Stairs are found in the same way, by their steps; doors,
doorways and windows by rays to points of their holes (see `seen_openings`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Flags, Floats, Point, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.houses.mesh.stairs import run_area
from vlnscope.worlds.houses.plan.plan import WALL, FloorPlan, Opening, PlanItem, Stair
from vlnscope.worlds.objects import Objects, circular_means
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene

WIDEST = 2.2
"""Wider passages join two parts of an open plan; nobody calls them doorways."""
NARROWEST = math.radians(2.0)
"""Least angle between the two sides of a hole in sight; less is seen edge-on."""
ENOUGH = 3
"""Least number of points of a hole that sight lines reach, of `ACROSS` times `UP`."""

ACROSS = (0.1, 0.3, 0.5, 0.7, 0.9)
UP = (0.25, 0.55, 0.85)
_NEAR = WALL / 2 + 0.02
_CAMERAS = 64
LEAST = 3
"""Least number of rays that meet an object in sight."""
_STEP = math.radians(2.25)
_AROUND = 160
_LOWEST, _ROWS = math.radians(-63.0), 49
_BATCH = 32


def named_openings(plan: FloorPlan) -> tuple[Opening, ...]:
    """Return the openings that people have a word for, in the order of the plan."""
    return tuple(
        way for way in plan.openings if way.kind != "passage" or (way.width <= WIDEST and not way.sill)
    )


def seen_openings(plan: FloorPlan, graph: NavGraph, rays: RayScene) -> list[tuple[SeenObject, ...]]:
    """Return the openings in sight of every viewpoint, in the order of the graph and of the plan.

    A door is called ``door``, open or ``closed``; a passage ``doorway`` and a window ``window``. Heading and
    distance are those of the middle of the hole; from a viewpoint in the hole itself the heading is that of
    the way through it, into the first of its rooms or out of it, whichever is less than π.
    """
    ways = named_openings(plan)
    if not ways:
        return [()] * len(graph.nodes)
    bases = {floor.level: floor.elevation for floor in plan.floors}
    centres = np.array([_centre(way, bases[way.floor]) for way in ways])
    points = np.stack([_points(way, bases[way.floor]) for way in ways])
    openings = []
    for start in range(0, len(graph.nodes), _CAMERAS):
        cameras = graph.positions[start : start + _CAMERAS]
        seen = _wide(cameras, ways) & (_reached(cameras, points, rays) >= ENOUGH)
        openings += [_things(ways, centres, camera, row) for camera, row in zip(cameras, seen, strict=True)]
    return openings


def _centre(way: Opening, base: float) -> Point:
    return (*way.centre, base + (way.sill + way.head) / 2)


def _points(way: Opening, base: float) -> Floats:
    along, up = (grid.ravel() for grid in np.meshgrid(ACROSS, UP))
    shift = (along - 0.5) * way.width
    dx, dy = (shift, 0.0 * shift) if way.axis == "x" else (0.0 * shift, shift)
    z = base + way.sill + up * (way.head - way.sill)
    return np.stack([way.centre[0] + dx, way.centre[1] + dy, z], axis=1)


def _wide(cameras: Floats, ways: Sequence[Opening]) -> Flags:
    """Whether the sides of each opening are far enough apart, seen from each camera."""
    centres = np.array([way.centre for way in ways])
    across = np.array([[1.0, 0.0] if way.axis == "x" else [0.0, 1.0] for way in ways])
    half = across * np.array([way.width / 2 for way in ways])[:, None]
    left, right = (centres + side * half - cameras[:, None, :2] for side in (-1, 1))
    sine = left[..., 0] * right[..., 1] - left[..., 1] * right[..., 0]
    cosine = (left * right).sum(axis=-1)
    return np.asarray(np.abs(np.arctan2(sine, cosine)) >= NARROWEST)


def _reached(cameras: Floats, points: Floats, rays: RayScene) -> Floats:
    """Return how many points of each opening each camera sees."""
    lines = points[None] - cameras[:, None, None]
    lengths = np.linalg.norm(lines, axis=-1)
    starts = np.broadcast_to(cameras[:, None, None], lines.shape)
    free = rays.distances(starts.reshape(-1, 3), lines.reshape(-1, 3)).reshape(lengths.shape)
    return np.asarray((free * lengths >= lengths - _NEAR).sum(axis=-1))


def _things(ways: Sequence[Opening], centres: Floats, camera: Floats, seen: Flags) -> tuple[SeenObject, ...]:
    return tuple(_thing(ways[i], centres[i], camera) for i in np.flatnonzero(seen).tolist())


def _thing(way: Opening, centre: Floats, camera: Floats) -> SeenObject:
    dx, dy = (centre[:2] - camera[:2]).tolist()
    if math.hypot(dx, dy) < WALL / 2:
        dx, dy = (0.0, 1.0) if way.axis == "x" else (1.0, 0.0)
    height = way.head - way.sill
    return SeenObject(
        {"door": "door", "passage": "doorway", "window": "window"}[way.kind],
        math.atan2(dx, dy) % math.tau,
        round(math.dist(centre.tolist(), camera.tolist()), 3),
        ("closed" if way.closed else "open",) if way.kind == "door" else (),
        way.id,
        (float(centre[0]), float(centre[1]), float(centre[2])),
        (way.width, WALL, height) if way.axis == "x" else (WALL, way.width, height),
    )


def ray_fan() -> tuple[NDArray[np.float32], Floats]:
    """Return the directions of the rays of one camera (rows x, y, z) and their headings."""
    headings = (np.arange(_AROUND) + 0.5) * _STEP
    elevations = _LOWEST + (np.arange(_ROWS) + 0.5) * _STEP
    h, e = (grid.ravel() for grid in np.meshgrid(headings, elevations))
    level = np.cos(e)
    return np.stack([np.sin(h) * level, np.cos(h) * level, np.sin(e)], axis=1).astype(np.float32), h


def visible_objects(plan: FloorPlan, graph: NavGraph, mesh: Mesh) -> Objects:
    """Return what can be seen from every viewpoint of a house: items, openings, stairs, as the plan has them.

    The heading of an item or a stair is the mean of the rays that meet it, its distance that of its middle
    from the camera.
    """
    fan, headings = ray_fan()
    scene = RayScene(mesh)
    things = [*map(_item, plan.items), *map(_stair, plan.stairs)]
    thing_of = _thing_numbers(plan, mesh)
    openings = seen_openings(plan, graph, scene)
    seen: dict[str, tuple[SeenObject, ...]] = {}
    for start in range(0, len(graph.nodes), _BATCH):
        part = graph.positions[start : start + _BATCH]
        faces = scene.first_hits(np.repeat(part, len(fan), axis=0), np.tile(fan, (len(part), 1)))
        hit = np.where(faces >= 0, thing_of[faces], -1).reshape(len(part), -1)
        for row, camera, numbers in zip(range(start, len(graph.nodes)), part, hit, strict=False):
            items, stairs = _seen(things, len(plan.items), camera, numbers, headings)
            seen[graph.nodes[row]] = (*items, *openings[row], *stairs)
    return Objects("houses", seen)


def _thing_numbers(plan: FloorPlan, mesh: Mesh) -> NDArray[np.int64]:
    """Return per face the number of its item, or of its stair (counted on from the items); -1 if neither."""
    names = (*(item.id for item in plan.items), *(stair.id for stair in plan.stairs))
    number = {name: i for i, name in enumerate(names)}
    of_object = np.array([number.get(name, -1) for name in mesh.objects], dtype=np.int64)
    rail = np.array([name == "railing" for name in mesh.classes], dtype=np.bool_)
    return np.where(rail[mesh.semantic], -1, of_object[mesh.instance])


def _item(item: PlanItem) -> SeenObject:
    centre, box = _extent(item)
    return SeenObject(item.name, 0.0, None, (item.colour, item.material), item.id, centre, box)


def _stair(stair: Stair) -> SeenObject:
    """Return a stair with the box around its runs; landings may reach beyond it."""
    areas = np.array([run_area(run, stair.width) for run in stair.runs])
    ends = np.array(stair.runs).reshape(-1, 3)
    low = np.array([*areas[:, :2].min(axis=0), ends[:, 2].min()])
    high = np.array([*areas[:, 2:].max(axis=0), ends[:, 2].max()])
    centre, box = ((low + high) / 2).tolist(), (high - low).tolist()
    return SeenObject("stairs", 0.0, None, (), stair.id, tuple(centre), tuple(box))


def _extent(item: PlanItem) -> tuple[Point, Point]:
    """Return the middle of an object's box, and how far the box reaches along x, y and z."""
    x, y, z = item.position
    width, depth, height = item.size
    c, s = abs(math.cos(math.radians(item.yaw))), abs(math.sin(math.radians(item.yaw)))
    return (x, y, z + height / 2), (width * c + depth * s, width * s + depth * c, height)


def _seen(
    things: Sequence[SeenObject], items: int, camera: Floats, hit: NDArray[np.int64], headings: Floats
) -> tuple[list[SeenObject], list[SeenObject]]:
    """Return the items in sight and the stairs in sight."""
    met = hit >= 0
    numbers, groups, counts = np.unique(hit[met], return_inverse=True, return_counts=True)
    means = circular_means(headings[met], groups, len(numbers))
    seen_objects: tuple[list[SeenObject], list[SeenObject]] = ([], [])
    position = camera.tolist()
    for number, heading, count in zip(numbers.tolist(), means.tolist(), counts.tolist(), strict=True):
        if count >= LEAST:
            thing = things[number]
            away = round(math.dist(thing.centre or position, position), 3)
            seen_objects[number >= items].append(thing._replace(heading=wrap_heading(heading), distance=away))
    return seen_objects
