"""Photographs in frames that stand."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.parts.kit import (
    BRASS,
    DARK,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.rendering.pictures.gallery import picture


@part("photo frame")
def photo_frame(k: Kit) -> None:
    """A leaning frame with a photograph of people, held by a stay behind."""
    _standing_photo(k, k.main, False)


@part("photo frame")
def oval_photo_frame(k: Kit) -> None:
    """A leaning frame with an oval photograph."""
    _standing_photo(k, BRASS if k.item.material == "metal" else k.main, True)


@part("photo frame")
def double_photo_frame(k: Kit) -> None:
    """Two frames hinged like a book, each with a photograph."""
    x = k.x
    for side in (-1, 1):
        _leaning(k, side * 0.5 * x, 0.48 * x, k.main, False, side * 14)


def _standing_photo(k: Kit, look: Paint, oval: bool) -> None:
    _leaning(k, 0.0, k.x, look, oval, 0.0)
    k.path([(0, 0.2 * k.y, 0.62 * k.z), (0, k.y, 0)], 0.012, DARK, 4)


def _leaning(k: Kit, at: float, half: float, look: Paint, oval: bool, turn: float) -> None:
    tall, lean = 1.02 * k.z, math.degrees(math.atan2(0.8 * k.y, k.z))
    edge = 0.16 * half

    def put(shape: shapes.Shape, paint_: Paint) -> None:
        k.add(shapes.turned(shapes.turned(shape, 0, -lean), 2, turn), paint_, (at, -0.9 * k.y, 0))

    put(shapes.soft(-half, half, 0, 0.014, 0, tall, 0.005), look)
    if oval:
        disc = shapes.facing_front(shapes.cylinder(1, 0, 0.002, 16))
        pane = shapes.moved(shapes.stretched(disc, half - edge, 1, tall / 2 - edge), 0, 0, tall / 2)
    else:
        pane = shapes.box(-half + edge, half - edge, -0.002, 0, edge, tall - edge)
    kind = ("photograph", "portrait", "photograph", "seascape")[int(k.rng.integers(4))]
    shown = picture(kind, f"{k.item.id} {turn}", round(2 * half, 2), round(tall, 2))
    pane = shapes.moved(shapes.turned(shapes.turned(pane, 0, -lean), 2, turn), at, -0.9 * k.y, 0)
    k.printed(pane, shown, looking(Paint(150, 160, 170), "gloss"))
