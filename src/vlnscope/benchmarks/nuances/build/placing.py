"""Places and sizes of objects that a source only has in pictures: lines of sight that cross, and angles.

REVERIE has boxes in pictures and neither places nor sizes. An object that is listed at two viewpoints or
more is placed where the lines of sight cross; from there the angles that it takes up give where it begins
above the floor and how tall it is; its width stays unknown. The median over the viewpoints counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

import numpy as np

from vlnscope.language.describe.scene_index import object_names
from vlnscope.language.lexicon import object_entry
from vlnscope.types import Floats, Point, SeenObject
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.scene import Scene

WIDEST, CROSSING = 0.75, math.radians(25)
"""Most metres that a line of sight may miss the place by, and least angle between two lines."""
FARTHEST = 4.0
"""REVERIE lists what is within 3 m of a viewpoint; an object's middle may be a little farther, metres."""
_BELOW = 0.7


LEAST = 0.5
"""Least length or height of a landmark, metres."""
LOW = 0.4
"""A landmark stands on the floor: its box begins at most so high, metres."""


class MeasuredBox(NamedTuple):
    """What angles tell of an object that has a place, in metres above the floor it is seen from."""

    bottom: float
    top: float

    @property
    def height(self) -> float:
        """How tall it is; what the angles put below the floor is the near edge of what stands on it."""
        return max(self.top - max(self.bottom, 0.0), 0.0)


def stands(box: MeasuredBox) -> bool:
    """Return whether an object stands on the floor and is tall enough for a landmark."""
    return box.bottom <= LOW and box.height >= LEAST


def lexicon_name(name: str) -> str:
    """Return the entry of the lexicon for an object, by the last words of its name; else the name itself.

    Example:
        >>> lexicon_name("wooden chair"), lexicon_name("qwertz")
        ('chair', 'qwertz')
    """
    return object_names().get(name) or object_entry(name) or name


def with_placed_objects(scene: Scene, *, sized: bool = True) -> Scene:
    """Return a scene whose objects have a place where it can be told; the same scene if all have one.

    Args:
        scene: the scene.
        sized: give objects boxes too, where angles tell their sizes, and names of the lexicon.
    """
    if not scene.has("objects") or all(
        thing.centre for seen in scene.objects.seen.values() for thing in seen
    ):
        return scene
    placed = placed_objects(scene, sized=sized)
    return Scene(scene.id, scene.graph, {**scene.loaders, "objects": lambda: placed})


def placed_objects(scene: Scene, *, sized: bool = True) -> Objects:
    """Return the objects of a scene that have a place of their own or one that lines of sight tell."""
    places = _places(scene)
    boxes = measured_boxes(scene, places) if sized and scene.has("heights") else {}
    seen = {
        node: tuple(_placed(scene, node, thing, places, boxes) for thing in things)
        for node, things in scene.objects.seen.items()
    }
    if sized:
        seen = {
            node: tuple(thing._replace(name=lexicon_name(thing.name)) for thing in things)
            for node, things in seen.items()
        }
    return Objects(scene.objects.source, seen, scene.objects.spans)


def measured_boxes(scene: Scene, places: Mapping[str, Point | None] | None = None) -> dict[str, MeasuredBox]:
    """Return what angles tell of the objects that lines of sight place, by object id.

    Args:
        scene: a scene whose objects have spans.
        places: where they are; found anew if left out.
    """
    places = _places(scene) if places is None else places
    sights: dict[str, list[MeasuredBox]] = {}
    for (node, name), span in scene.objects.spans.items():
        place = places.get(name)
        if place is None or node not in scene.graph.index:
            continue
        row = scene.graph.row(node)
        apart = math.hypot(*(place[k] - float(scene.graph.positions[row, k]) for k in (0, 1)))
        eye = float(scene.heights[row])
        sights.setdefault(name, []).append(
            MeasuredBox(eye + apart * math.tan(span.bottom), eye + apart * math.tan(span.top))
        )
    return {name: MeasuredBox(*map(median, zip(*found, strict=True))) for name, found in sights.items()}


def _places(scene: Scene) -> dict[str, Point | None]:
    """Return where lines of sight cross, by object id; None where they do not tell."""
    lines: dict[str, list[tuple[str, float]]] = {}
    for viewpoint, seen in scene.objects.seen.items():
        for thing in seen:
            if thing.centre is None and thing.object_id is not None and viewpoint in scene.graph.index:
                lines.setdefault(thing.object_id, []).append((viewpoint, thing.heading))
    return {key: _crossing(scene, sights) for key, sights in lines.items()}


def _placed(
    scene: Scene,
    node: str,
    thing: SeenObject,
    places: Mapping[str, Point | None],
    boxes: Mapping[str, MeasuredBox],
) -> SeenObject:
    key = thing.object_id or ""
    centre = thing.centre or places.get(key)
    if centre is None or node not in scene.graph.index:
        return thing
    row = scene.graph.row(node)
    x, y, z = scene.graph.positions[row].tolist()
    box = thing.box
    if key in boxes and box is None:
        bottom, height = max(boxes[key].bottom, 0.0), boxes[key].height
        centre = (*centre[:2], z - float(scene.heights[row]) + bottom + height / 2)
        box = (0.0, 0.0, height)
    apart = math.hypot(centre[0] - x, centre[1] - y)
    distance = apart if thing.distance is None else thing.distance
    return thing._replace(centre=centre, distance=distance, box=box)


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
