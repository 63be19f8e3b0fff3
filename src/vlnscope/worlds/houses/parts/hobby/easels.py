"""Telescopes and easels."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    DARK_WOOD,
    STEEL,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.rendering.pictures.gallery import PAINTINGS, picture


def _tripod(k: Kit, top: float, look: Paint, thick: float = 0.02) -> None:
    x, y = k.x, k.y
    for i in range(3):
        a = math.tau * (i / 3 + 1 / 12)
        foot = (0.9 * x * math.cos(a), 0.9 * y * math.sin(a), 0.0)
        k.path([(0.06 * math.cos(a), 0.06 * math.sin(a), top), foot], [thick, 0.7 * thick], look, 5)
        k.tube((0, 0, 0.45 * top), (0.5 * x * math.cos(a), 0.5 * y * math.sin(a), 0.45 * top), 0.008, look, 4)
    k.lathe([(0, top - 0.03), (0.06, top - 0.03), (0.05, top + 0.03), (0, top + 0.04)], DARK, sides=10)


def _barrel(k: Kit, level: float, wide: float, look: Paint, trim: Paint) -> None:
    """A tube that points up to the front, with a rim, an eyepiece at its back and a finder on its top."""
    y, z = k.y, k.z
    low, high = (0.0, 0.85 * y, level - 0.1 * z), (0.0, -0.9 * y, z - 1.1 * wide)
    k.path([low, high], [0.8 * wide, wide], look, 12)
    tip = tuple(high[i] + 0.06 * (high[i] - low[i]) for i in range(3))
    k.path([high, (tip[0], tip[1], tip[2])], 1.18 * wide, trim, 12)
    k.path([low, (0, 0.95 * y, level - 0.13 * z)], 0.45 * wide, trim, 8)
    k.path([(0, 0.95 * y, level - 0.13 * z), (0, y, level - 0.06 * z)], 0.35 * wide, BLACK, 8)
    up = 1.25 * wide
    k.path(
        [(0.3 * wide, 0.55 * y, level - 0.02 * z + up), (0.3 * wide, 0.05 * y, level + 0.14 * z + up)],
        0.3 * wide,
        trim,
        7,
    )


@part("telescope")
def refractor_telescope(k: Kit) -> None:
    """A long slim tube on a tripod that points to the sky."""
    level = 0.72 * k.z
    _tripod(k, level, looking(DARK, "metal"))
    _barrel(k, level + 0.06, 0.05 * k.z, looking(k.main, "gloss"), BLACK)


@part("telescope")
def brass_telescope(k: Kit) -> None:
    """A telescope of brass rings and wood on wooden legs."""
    level = 0.72 * k.z
    _tripod(k, level, looking(DARK_WOOD, "wood"), 0.028)
    _barrel(k, level + 0.06, 0.045 * k.z, looking(k.main, "metal"), BRASS)
    k.ball((0, 0, level + 0.05), 0.05, BRASS, 8)


@part("telescope")
def reflector_telescope(k: Kit) -> None:
    """A short thick tube on a tripod with a counterweight."""
    x, z = k.x, k.z
    level = 0.66 * z
    _tripod(k, level, STEEL)
    _barrel(k, level + 0.1, 0.085 * z, looking(k.main, "gloss"), DARK)
    k.path([(0, 0, level + 0.03), (0.6 * x, 0, level - 0.16)], 0.012, CHROME, 5)
    k.ball((0.62 * x, 0, level - 0.17), 0.055, DARK, 8)


def _canvas(k: Kit, low: float, high: float, half: float, lean: float, foot: float) -> None:
    """A painting on a canvas that leans back."""
    tall = high - low

    def put(shape: shapes.Shape, look: Paint) -> None:
        k.add(shapes.turned(shape, 0, -lean), look, (0, foot, low))

    put(shapes.box(-half, half, 0, 0.02, 0, tall), Paint(244, 240, 230))
    kind = PAINTINGS[int(k.rng.integers(len(PAINTINGS)))]
    sheet = shapes.box(-0.98 * half, 0.98 * half, -0.002, 0, 0.02 * tall, 0.98 * tall)
    drawn = picture(kind, k.item.id, round(2 * half, 2), round(tall, 2))
    k.printed(shapes.moved(shapes.turned(sheet, 0, -lean), 0, foot, low), drawn, Paint(160, 150, 140))


@part("easel")
def tripod_easel(k: Kit) -> None:
    """Three wooden legs that meet at the top and carry a half-painted canvas on a ledge."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path([(side * 0.92 * x, -0.8 * y, 0), (side * 0.12 * x, 0.05 * y, z)], 0.02, None, 4)
    k.path([(0, y, 0), (0, 0.05 * y, 0.94 * z)], 0.02, None, 4)
    k.box(-0.8 * x, 0.8 * x, -0.84 * y, -0.45 * y, 0.36 * z, 0.385 * z)
    k.box(-0.6 * x, 0.6 * x, -0.55 * y, -0.45 * y, 0.36 * z, 0.4 * z, k.dark)
    _canvas(k, 0.385 * z, 0.86 * z, 0.86 * x, 9, -0.72 * y)
    _brushes(k, 0.385 * z, -0.82 * y)


def _brushes(k: Kit, level: float, front: float) -> None:
    for i, tint in enumerate(("red", "blue", "yellow")):
        k.tube(
            (-0.6 * k.x, front + 0.012 * i, level + 0.008),
            (-0.2 * k.x, front + 0.012 * i, level + 0.008),
            0.006,
            paint(tint),
            5,
        )


@part("easel")
def studio_easel(k: Kit) -> None:
    """A heavy H-shaped stand on a base with a canvas between two clamps."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.box(side * 0.7 * x - 0.025, side * 0.7 * x + 0.025, -y, y, 0, 0.06)
        k.box(side * 0.55 * x - 0.02, side * 0.55 * x + 0.02, -0.02, 0.03, 0.06, 0.5 * z)
        k.path([(side * 0.55 * x, 0.8 * y, 0.05), (side * 0.55 * x, 0.02, 0.45 * z)], 0.018, None, 4)
    k.box(-0.72 * x, 0.72 * x, -0.03, 0.03, 0.12, 0.18)
    k.box(-0.035, 0.035, 0.0, 0.05, 0.1, z)
    k.box(-x, x, -0.12, 0.03, 0.36 * z, 0.385 * z)
    k.box(-0.14 * x, 0.14 * x, -0.06, 0.05, 0.86 * z, 0.9 * z, k.dark)
    _canvas(k, 0.385 * z, 0.87 * z, 0.8 * x, 4, -0.05)
    _brushes(k, 0.385 * z, -0.1)


@part("easel")
def a_frame_easel(k: Kit) -> None:
    """A double board easel like an A, with a canvas, a tray and a paper clip."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path([(side * 0.95 * x, -0.9 * y, 0), (side * 0.75 * x, -0.02 * y, 0.98 * z)], 0.022, None, 4)
        k.path([(side * 0.95 * x, 0.9 * y, 0), (side * 0.75 * x, 0.02 * y, 0.98 * z)], 0.022, None, 4)
    k.soft(-0.8 * x, 0.8 * x, -0.06, 0.06, 0.95 * z, z, 0.01, k.dark)
    k.box(-0.95 * x, 0.95 * x, -0.82 * y, -0.5 * y, 0.34 * z, 0.37 * z)
    lean = math.degrees(math.atan2(0.6 * y, 0.6 * z))
    _canvas(k, 0.37 * z, 0.93 * z, 0.84 * x, lean, -0.64 * y)
    _brushes(k, 0.37 * z, -0.75 * y)
