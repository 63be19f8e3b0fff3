"""Which objects can be seen from a viewpoint: those that rays in all directions meet.

From each camera a fixed fan of rays goes out, one for every 2.25° of heading and of elevation between 63°
down and 47° up. An object is in sight if at least `LEAST` rays meet it first, that is, if it covers roughly
a thousand pixels of the 36 views of 640 × 480.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats, Point, SeenObject
from vlnscope.worlds.houses.plan import Item, Plan
from vlnscope.worlds.mesh import Mesh
from vlnscope.worlds.navgraph import NavGraph
from vlnscope.worlds.objects import Objects, circular_means
from vlnscope.worlds.rays import RayScene
from vlnscope.worlds.views import wrap_heading

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


def visible_objects(plan: Plan, graph: NavGraph, mesh: Mesh) -> Objects:
    """Return what can be seen from every viewpoint of a house, in the order of the plan.

    The heading of an object is the mean of the rays that meet it, its distance that of its middle from the
    camera.
    """
    fan, headings = ray_fan()
    scene = RayScene(mesh)
    item_of = _item_numbers(plan, mesh)
    seen: dict[str, tuple[SeenObject, ...]] = {}
    for start in range(0, len(graph.nodes), _BATCH):
        part = graph.positions[start : start + _BATCH]
        faces = scene.first_hits(np.repeat(part, len(fan), axis=0), np.tile(fan, (len(part), 1)))
        hit = np.where(faces >= 0, item_of[mesh.instance[faces]], -1).reshape(len(part), -1)
        for node, camera, items in zip(graph.nodes[start:], part, hit, strict=False):
            seen[node] = _seen(plan.items, camera, items, headings)
    return Objects("houses", seen)


def _item_numbers(plan: Plan, mesh: Mesh) -> NDArray[np.int64]:
    number = {item.id: i for i, item in enumerate(plan.items)}
    return np.array([number.get(name, -1) for name in mesh.objects], dtype=np.int64)


def _extent(item: Item) -> tuple[Point, Point]:
    """Return the middle of an object's box, and how far the box reaches along x, y and z."""
    x, y, z = item.position
    width, depth, height = item.size
    c, s = abs(math.cos(math.radians(item.yaw))), abs(math.sin(math.radians(item.yaw)))
    return (x, y, z + height / 2), (width * c + depth * s, width * s + depth * c, height)


def _seen(
    items: tuple[Item, ...], camera: Floats, hit: NDArray[np.int64], headings: Floats
) -> tuple[SeenObject, ...]:
    met = hit >= 0
    numbers, groups, counts = np.unique(hit[met], return_inverse=True, return_counts=True)
    means = circular_means(headings[met], groups, len(numbers))
    return tuple(
        SeenObject(
            items[number].name,
            wrap_heading(heading),
            _distance(items[number], camera),
            (items[number].colour, items[number].material),
            items[number].id,
            *_extent(items[number]),
        )
        for number, heading, count in zip(numbers.tolist(), means.tolist(), counts.tolist(), strict=True)
        if count >= LEAST
    )


def _distance(item: Item, camera: Floats) -> float:
    x, y, z = item.position
    return round(math.dist((x, y, z + item.size[2] / 2), camera.tolist()), 3)
