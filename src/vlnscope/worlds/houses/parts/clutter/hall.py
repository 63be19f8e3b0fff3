"""Umbrella stands and shoes."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    DARK,
    DARK_WOOD,
    WHITE,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking


def _umbrella(k: Kit, at: tuple[float, float], lean: tuple[float, float], top: float, look: Paint) -> None:
    """A furled umbrella that leans in the stand, its crook up."""
    x, y = at
    end = (x + lean[0], y + lean[1], 0.86 * top)
    k.path(
        [
            (x, y, 0.03 * top),
            (x + 0.3 * lean[0], y + 0.3 * lean[1], 0.12 * top),
            (x + 0.75 * lean[0], y + 0.75 * lean[1], 0.62 * top),
            end,
        ],
        [0.006, 0.022, 0.03, 0.01],
        look,
        6,
    )
    crook = [
        (end[0], end[1], 0.86 * top),
        (end[0], end[1], 0.95 * top),
        (end[0] + 0.02, end[1], top),
        (end[0] + 0.055, end[1], 0.99 * top),
        (end[0] + 0.06, end[1], 0.93 * top),
    ]
    k.path(crook, 0.011, DARK_WOOD, 6)


def _umbrellas(k: Kit) -> None:
    x, y, z = 0.4 * k.x, 0.4 * k.y, k.z
    for i, tint in enumerate(("red", "navy", "black")):
        a = math.tau * (i / 3 + 0.1)
        lean = (0.5 * x * math.cos(a), 0.5 * y * math.sin(a))
        _umbrella(
            k,
            (0.4 * x * math.cos(a), 0.4 * y * math.sin(a)),
            lean,
            (1.0, 0.93, 0.88)[i] * z,
            paint(tint, "fabric"),
        )


@part("umbrella stand")
def tube_umbrella_stand(k: Kit) -> None:
    """A tall open vessel with three umbrellas."""
    k.round(
        [
            (0, 0),
            (0.85, 0),
            (0.9, 0.03),
            (0.8, 0.3),
            (0.97, 0.56),
            (1, 0.58),
            (0.92, 0.58),
            (0.7, 0.3),
            (0, 0.04),
        ],
        None,
        16,
    )
    _umbrellas(k)


@part("umbrella stand")
def ring_umbrella_stand(k: Kit) -> None:
    """A frame of rods between rings over a tray, with three umbrellas."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (1, 0), (1, 0.07), (0.93, 0.07), (0.93, 0.02), (0, 0.02)], None, 16)
    for level in (0.32, 0.6):
        k.add(shapes.stretched(shapes.ring(0.95, 0.06, 16, 5), x, y, min(x, y)), None, (0, 0, level * z))
    for i in range(8):
        a = math.tau * i / 8
        k.tube(
            (0.95 * x * math.cos(a), 0.95 * y * math.sin(a), 0.05 * z),
            (0.95 * x * math.cos(a), 0.95 * y * math.sin(a), 0.6 * z),
            0.008,
            None,
            5,
        )
    _umbrellas(k)


@part("umbrella stand")
def square_umbrella_stand(k: Kit) -> None:
    """A square box of panels with cut-outs, with three umbrellas."""
    x, y, z = k.x, k.y, k.z
    for _, a, b in both_sides(x, x - 0.012):
        k.box(a, b, -y, y, 0.02, 0.58 * z)
    for _, a, b in both_sides(y, y - 0.012):
        k.box(-x, x, a, b, 0.02, 0.58 * z)
        k.box(-0.5 * x, 0.5 * x, a - 0.002, b + 0.002, 0.2 * z, 0.4 * z, k.dark)
    k.soft(-x - 0.01, x + 0.01, -y - 0.01, y + 0.01, 0, 0.03, 0.005, k.dark)
    k.box(-x + 0.012, x - 0.012, -y + 0.012, y - 0.012, 0.02, 0.3 * z, BLACK)
    _umbrellas(k)


def shoe(k: Kit, at: float, half: float, tall: float, wide: float, look: Paint, kind: str) -> None:
    """A shoe whose toe looks to the front: a ``sneaker``, a ``boot`` or a ``pump``."""
    sole = WHITE if kind == "sneaker" else shade(look, 0.45)
    low = 0.16 * tall
    outline = [
        (at + wide * a, half * b)
        for a, b in (
            (-0.55, -0.85),
            (-0.2, -1.0),
            (0.25, -1.0),
            (0.6, -0.8),
            (0.65, -0.3),
            (0.45, 0.2),
            (0.5, 0.8),
            (0.2, 1.0),
            (-0.2, 1.0),
            (-0.5, 0.8),
            (-0.45, 0.1),
            (-0.6, -0.4),
        )
    ]
    if kind == "pump":
        k.slab(outline, 0.0, 0.04 * tall, sole)
        k.box(at - 0.12 * wide, at + 0.12 * wide, 0.72 * half, 0.92 * half, 0, 0.5 * tall, sole)
        side = [
            (-half, 0.04 * tall),
            (-0.2 * half, 0.06 * tall),
            (half, 0.45 * tall),
            (0.95 * half, tall),
            (0.5 * half, 0.62 * tall),
            (-0.3 * half, 0.32 * tall),
            (-0.95 * half, 0.2 * tall),
        ]
        k.add(shapes.facing_side(shapes.prism(side, at - 0.42 * wide, at + 0.42 * wide)), look)
        return
    k.slab(outline, 0.0, low, sole)
    top = tall if kind == "boot" else 0.94 * tall
    instep = 0.62 if kind == "sneaker" else 0.5
    k.pillow(
        at - 0.55 * wide,
        at + 0.58 * wide,
        -0.97 * half,
        0.4 * half,
        low * 0.6,
        instep * tall,
        look,
        12,
        4,
        0.7,
        0.7,
    )
    k.frustum(
        (at - 0.48 * wide, at + 0.5 * wide, -0.25 * half, 0.97 * half),
        (at - 0.36 * wide, at + 0.36 * wide, 0.1 * half, 0.95 * half),
        low,
        top,
        look,
    )
    k.box(at - 0.3 * wide, at + 0.3 * wide, 0.16 * half, 0.88 * half, top, top + 0.01 * tall, DARK)
    for i in range(3):
        share = i / 3
        level = (instep - 0.02 + 0.3 * share) * tall
        k.box(
            at - 0.28 * wide,
            at + 0.28 * wide,
            (-0.42 + 0.3 * share) * half,
            (-0.36 + 0.3 * share) * half,
            level,
            level + 0.03 * tall,
            WHITE if kind == "sneaker" else BLACK,
        )


@part("shoes")
def sneakers(k: Kit) -> None:
    """A pair of laced shoes with white soles, one a little ahead."""
    for side in (-1, 1):
        shoe(k, side * 0.5 * k.x, 0.92 * k.y, k.z, 0.44 * k.x * 1.6, k.main, "sneaker")


@part("shoes")
def boots(k: Kit) -> None:
    """A pair of laced boots."""
    for side in (-1, 1):
        shoe(k, side * 0.52 * k.x, k.y, k.z, 0.4 * k.x * 1.6, k.main, "boot")


@part("shoes")
def pumps(k: Kit) -> None:
    """A pair of shoes with heels."""
    for side in (-1, 1):
        shoe(k, side * 0.5 * k.x, k.y, k.z, 0.42 * k.x * 1.5, looking(k.main, "gloss"), "pump")
