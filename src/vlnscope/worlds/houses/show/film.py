"""Films of a house: a walk through its rooms, and a turn around it while it is taken apart floor by floor.

They are animated WebP pictures, which browsers and Markdown show without anything else.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter1d

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.show.composition import liking
from vlnscope.worlds.houses.show.cutaway import RGB, Cutaway
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

PAPER: RGB = (250, 249, 246)
PACE = 70
"""Milliseconds that a picture of a film is shown."""
STRIDE = 0.14
"""Metres between the pictures of a walk."""
MOST_STEPS = 150
TURN = 80
"""Pictures of a turn around the house."""
_LENGTH = 18.0
_PAIRS = 300
_AHEAD = 1.3
_TILT = -0.08
_VFOV = 62.0
_FOLLOW = 0.7


class PictureSize(NamedTuple):
    """How large the pictures of a film are, in pixels."""

    width: int = 640
    height: int = 400


USUAL = PictureSize()


class CameraPath(NamedTuple):
    """Where a camera is and looks, picture by picture.

    Attributes:
        places: x, y, z, (n, 3).
        headings: radians clockwise from north, (n,).
        tilts: radians up from level, (n,).
    """

    places: Floats
    headings: Floats
    tilts: Floats


def walk_through(scene: Scene) -> CameraPath:
    """Return a walk through as many rooms as a path of about 18 m passes, at an even pace."""
    nodes = _tour(scene)
    corners = scene.graph.positions[[scene.graph.row(node) for node in nodes]]
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    count = int(min(max(lengths[-1] / STRIDE, 2), MOST_STEPS))
    at = np.linspace(0.0, float(lengths[-1]), count)
    ahead = np.minimum(at + _AHEAD, lengths[-1])
    places, aims = (
        np.stack([np.interp(way, lengths, corners[:, k]) for k in range(3)], axis=1) for way in (at, ahead)
    )
    places = gaussian_filter1d(places, 1.5, axis=0, mode="nearest")
    way = aims - places
    still = np.hypot(way[:, 0], way[:, 1]) < 0.3
    headings = np.unwrap(np.arctan2(way[:, 0], way[:, 1]))
    if still.any() and not still.all():
        headings[still] = headings[np.flatnonzero(~still)[-1]]
    tilts = _TILT + _FOLLOW * np.arctan2(way[:, 2], np.maximum(np.hypot(way[:, 0], way[:, 1]), 0.3))
    return CameraPath(places, *(gaussian_filter1d(turn, 4.0, mode="nearest") for turn in (headings, tilts)))


def _tour(scene: Scene) -> tuple[str, ...]:
    """Return the path among some random ones that passes most rooms and is about as long as wanted."""
    graph = scene.graph
    plan: FloorPlan = scene.layer("plan")
    rng = rng_for(0, "film", scene.id)
    best: tuple[float, tuple[str, ...]] = (-math.inf, graph.nodes[:1])
    for i, j in rng.integers(0, len(graph.nodes), (_PAIRS, 2)).tolist():
        path = graph.shortest_path(graph.nodes[i], graph.nodes[j]) if i != j else ()
        if len(path) < 2:
            continue
        rooms = {room for node in path if (room := scene.regions.region(node)) is not None}
        worth = (
            sum(liking(plan, room) for room in rooms) - abs(graph.distance(path[0], path[-1]) - _LENGTH) / 3.0
        )
        if worth > best[0]:
            best = worth, tuple(path)
    return best[1]


def walk_pictures(scene: Scene, path: CameraPath, size: PictureSize = USUAL) -> Iterator[Image.Image]:
    """Yield the pictures of a walk."""
    renderer: Renderer = scene.layer("renderer")
    for place, heading, tilt in zip(*path, strict=True):
        seen = renderer.render(
            place, heading, tilt, width=size.width, height=size.height, vfov=_VFOV, supersample=2
        )
        yield Image.fromarray(seen.rgb[0])


def turntable_pictures(scene: Scene, size: PictureSize = USUAL, count: int = TURN) -> Iterator[Image.Image]:
    """Yield the pictures of one turn around a house: first whole, then without roof, then floor by floor."""
    plan: FloorPlan = scene.layer("plan")
    levels: list[int | None] = [None]
    levels += [floor.level for floor in sorted(plan.floors, key=lambda floor: -floor.elevation)]
    stages = [Cutaway(scene, level) for level in levels]
    away = max(stage.farthest(width=size.width, height=size.height) for stage in stages)
    for k in range(count):
        stage = stages[k * len(stages) // count]
        heading = k * math.tau / count
        yield stage.picture_from(away, heading, width=size.width, height=size.height, paper=PAPER)


def webp_film(pictures: Iterable[Image.Image], *, pace: int = PACE, quality: int = 72) -> bytes:
    """Return pictures as an animated WebP file that plays for ever.

    Args:
        pictures: one or more, of one size.
        pace: milliseconds for each.
        quality: 0 to 100.
    """
    first, *rest = pictures
    buffer = io.BytesIO()
    how = {"duration": pace, "loop": 0, "quality": quality, "method": 4}
    first.save(buffer, "WEBP", save_all=True, append_images=rest, **how)
    return buffer.getvalue()
