"""Placing the objects of Matterport scenes, whose sources say in which direction an object is, not where.

REVERIE lists an object, by its id, at every viewpoint within 3 m, with the headings of its boxes. Two or more
lines of sight that cross at a wide angle give its place on the floor plan; its height is not known, and the
official checks do not ask for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vlnscope.types import Floats, Point, SeenObject
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.scene import Scene

WIDEST, CROSSING = 0.75, math.radians(25)
"""Most metres that a line of sight may miss the place by, and least angle between two lines."""
FARTHEST = 4.0
"""REVERIE lists what is within 3 m of a viewpoint; an object's middle may be a little farther, metres."""
_BELOW = 0.7


def with_placed_objects(scene: Scene) -> Scene:
    """Return a scene whose objects have a place where it can be told; the same scene if all have one."""
    if not scene.has("objects") or all(
        thing.centre for seen in scene.objects.seen.values() for thing in seen
    ):
        return scene
    placed = placed_objects(scene)
    return Scene(scene.id, scene.graph, {**scene.loaders, "objects": lambda: placed})


def placed_objects(scene: Scene) -> Objects:
    """Return the objects of a scene that have a place of their own or one that lines of sight tell."""
    lines: dict[str, list[tuple[str, float]]] = {}
    for viewpoint, seen in scene.objects.seen.items():
        for thing in seen:
            if thing.centre is None and thing.object_id is not None and viewpoint in scene.graph.index:
                lines.setdefault(thing.object_id, []).append((viewpoint, thing.heading))
    places = {key: _crossing(scene, sights) for key, sights in lines.items()}
    return Objects(
        scene.objects.source,
        {node: _placed(scene, node, things, places) for node, things in scene.objects.seen.items()},
    )


def _placed(
    scene: Scene, node: str, things: tuple[SeenObject, ...], places: Mapping[str, Point | None]
) -> tuple[SeenObject, ...]:
    placed = []
    for thing in things:
        centre = thing.centre or places.get(thing.object_id or "")
        if centre is not None and node in scene.graph.index:
            x, y, _ = scene.graph.positions[scene.graph.row(node)].tolist()
            apart = math.hypot(centre[0] - x, centre[1] - y)
            placed.append(
                thing._replace(centre=centre, distance=apart if thing.distance is None else thing.distance)
            )
        else:
            placed.append(thing)
    return tuple(placed)


def _crossing(scene: Scene, sights: list[tuple[str, float]]) -> Point | None:
    """Return the point that lies nearest to all lines of sight, None if they do not tell it well."""
    if len(sights) < 2:
        return None
    points = np.array([scene.graph.positions[scene.graph.row(node)] for node, _ in sights])
    headings = np.array([heading for _, heading in sights])
    if not _spread(headings):
        return None
    along = np.stack([np.sin(headings), np.cos(headings)], axis=1)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    level = points[:, :2]
    crossing: Floats = np.linalg.lstsq(across, (across * level).sum(axis=1), rcond=None)[0]
    offset = crossing - level
    misses = np.abs((across * offset).sum(axis=1))
    ahead = (along * offset).sum(axis=1)
    if misses.max() > WIDEST or ahead.min() <= 0 or ahead.max() > FARTHEST:
        return None
    return float(crossing[0]), float(crossing[1]), float(points[:, 2].mean() - _BELOW)


def _spread(headings: Floats) -> bool:
    """Return whether two of the lines cross at a wide angle."""
    apart = np.abs((headings[:, None] - headings[None, :] + math.pi / 2) % math.pi - math.pi / 2)
    return bool(apart.max() >= CROSSING)
