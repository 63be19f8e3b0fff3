"""Which objects can be seen from a viewpoint: those that rays in all directions meet.

From each camera a fixed fan of rays goes out, one for every 2.25° of heading and of elevation between 63°
down and 47° up. An object is in sight if at least `LEAST` rays meet it first, that is, if it covers roughly
a thousand pixels of the 36 views of 640 × 480. Stairs are found in the same way, by their steps; doors,
doorways and windows as `openings_in_sight` says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats, Point, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.houses.graph.openings_in_sight import seen_openings
from vlnscope.worlds.houses.mesh.stairs import run_area
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem, Stair
from vlnscope.worlds.objects import Objects, circular_means
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene

LEAST = 3
"""Least number of rays that meet an object in sight."""

_STEP = math.radians(2.25)
_AROUND = 160
_LOWEST, _ROWS = math.radians(-63.0), 49
_BATCH = 32


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
    found: tuple[list[SeenObject], list[SeenObject]] = ([], [])
    place = camera.tolist()
    for number, heading, count in zip(numbers.tolist(), means.tolist(), counts.tolist(), strict=True):
        if count >= LEAST:
            thing = things[number]
            away = round(math.dist(thing.centre or place, place), 3)
            found[number >= items].append(thing._replace(heading=wrap_heading(heading), distance=away))
    return found
