"""Instruments."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    DARK_WOOD,
    WHITE,
    Kit,
    both_sides,
    part,
)


@part("piano")
def piano(k: Kit) -> None:
    """An upright piano: case, keyboard with white and black keys, music stand, pedals."""
    x, y, z = k.x, k.y, k.z
    keys = 0.57 * z
    k.box(-x, x, 0.1 * y, y, 0, z - 0.03)
    k.soft(-x - 0.01, x + 0.01, 0.05 * y, y, z - 0.035, z, 0.01)
    k.box(-x + 0.06, x - 0.06, 0.08 * y, 0.1 * y, keys + 0.16 * z, 0.92 * z, k.light)
    k.box(-x, x, -y, 0.1 * y, keys - 0.12 * z, keys - 0.02, k.main)
    for _, a, b in both_sides(x, x - 0.06):
        k.box(a, b, -y, 0.1 * y, keys - 0.02, keys + 0.06)
        k.box(a, b, -0.95 * y, -0.8 * y, 0.04, keys - 0.1 * z)
        k.box(a, b, -0.95 * y, 0.1 * y, 0, 0.06)
    inner, count = x - 0.07, 28
    wide = 2 * inner / count
    for i in range(count):
        left = -inner + i * wide
        k.box(
            left + 0.002, left + wide - 0.002, -0.92 * y, 0.0, keys - 0.02, keys + 0.01, Paint(246, 244, 236)
        )
        if i % 7 not in (2, 6):
            k.box(left + 0.7 * wide, left + 1.3 * wide, -0.5 * y, 0.0, keys + 0.01, keys + 0.028, BLACK)
    k.box(-inner, inner, 0.0, 0.1 * y, keys - 0.02, keys + 0.05, Paint(120, 30, 34))
    k.box(-0.4 * x, 0.4 * x, -0.05 * y, 0.02 * y, keys + 0.17 * z, keys + 0.175 * z, k.dark)
    for _, a, b in both_sides(0.01, 0.3 * x):
        k.frustum(
            (a, b, -0.02 * y, 0.0), (a, b, 0.05 * y, 0.07 * y), keys + 0.175 * z, keys + 0.36 * z, WHITE
        )
    for i in (-1, 0, 1):
        k.box(0.08 * i - 0.02, 0.08 * i + 0.02, -0.12 * y, 0.12 * y, 0.04, 0.06, BRASS)


@part("guitar")
def guitar(k: Kit) -> None:
    """A waisted body with a hole and a bridge, a neck, a head with pegs; it stands on its end."""
    x, y, z = k.x, k.y, k.z
    body = 0.46 * z
    outline = []
    for i in range(32):
        a = math.tau * i / 32
        v = -math.cos(a)
        half = (
            0.99
            * math.sin(a)
            * (
                1.0
                - 0.26 * math.exp(-((v - 0.16) ** 2) / 0.06)
                - (0.22 if v > 0.16 else 0.0) * min(1, (v - 0.16) / 0.4)
            )
        )
        outline.append((half * x, (v + 1) / 2 * body))
    front = shapes.facing_front(shapes.prism(outline, -0.6 * y, 0.35 * y))
    k.add(front, k.main._replace(texture=1))
    face = shapes.facing_front(
        shapes.prism(
            [(px * 0.94, 0.5 * body + (pz - 0.5 * body) * 0.95) for px, pz in outline], 0.35 * y, 0.38 * y
        )
    )
    k.add(face, shade(k.main._replace(texture=1), 1.35))
    hole = shapes.facing_front(shapes.cylinder(0.25 * x, 0.38 * y, 0.42 * y, 14))
    k.add(hole, BLACK, (0, 0, 0.64 * body))
    k.box(-0.34 * x, 0.34 * x, -0.5 * y, -0.38 * y, 0.27 * body, 0.32 * body, DARK_WOOD)
    k.box(-0.12 * x, 0.12 * x, -0.62 * y, -0.3 * y, 0.72 * body, 0.86 * z, DARK_WOOD)
    for i in range(9):
        at = 0.84 * z - (0.84 * z - body) * (i / 9) ** 0.9
        k.box(-0.12 * x, 0.12 * x, -0.65 * y, -0.62 * y, at, at + 0.004, CHROME)
    k.frustum(
        (-0.14 * x, 0.14 * x, -0.55 * y, -0.2 * y), (-0.2 * x, 0.2 * x, -0.4 * y, 0.0), 0.86 * z, z, k.dark
    )
    for side in (-1, 1):
        for i in range(3):
            k.ball((side * 0.24 * x, -0.3 * y, (0.885 + 0.04 * i) * z), (0.06 * x, 0.02, 0.012), CHROME, 5)
    for i in range(6):
        at = (i - 2.5) * 0.035 * x
        k.box(at - 0.0012, at + 0.0012, -0.68 * y, -0.66 * y, 0.3 * body, 0.86 * z, WHITE)
    for side in (-1, 1):
        k.tube((side * 0.3 * x, 0.3 * y, 0.25 * body), (side * 0.75 * x, y, 0), 0.012, DARK, 5)
    k.tube((-0.5 * x, -y, 0.02), (0.5 * x, -y, 0.02), 0.012, DARK, 5)
