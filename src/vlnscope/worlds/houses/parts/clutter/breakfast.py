"""Toasters and coffee machines."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, both_sides, part


@part("toaster")
def slot_toaster(k: Kit) -> None:
    """A rounded body with two slots and bread in them, a lever and a dial at one end."""
    x, y, z = k.x, k.y, k.z
    body = 0.8 * z
    k.soft(-0.92 * x, 0.92 * x, -y, y, 0.04 * z, body, 0.3 * y)
    k.box(-0.8 * x, 0.8 * x, -0.8 * y, 0.8 * y, 0, 0.06 * z, BLACK)
    _slots_and_bread(k, body)
    k.box(0.92 * x, x, -0.3 * y, 0.3 * y, 0.62 * z, 0.7 * z, BLACK)
    k.box(0.92 * x, 0.94 * x, -0.06 * y, 0.06 * y, 0.2 * z, 0.7 * z, BLACK)
    k.add(
        shapes.facing_side(shapes.cylinder(0.1 * z, 0, 0.05 * x, 10)), CHROME, (0.92 * x, 0.4 * y, 0.25 * z)
    )


def _slots_and_bread(k: Kit, body: float) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-0.4, 0.4):
        k.box(-0.72 * x, 0.72 * x, (side - 0.2) * y, (side + 0.2) * y, body, body + 0.004, BLACK)
        crust = shapes.rounded(-0.6 * x, 0.6 * x, body - 0.2 * z, z, 0.2 * x)
        k.plate(crust, (side - 0.12) * y, (side + 0.12) * y, Paint(168, 108, 54))
        crumb = shapes.rounded(-0.52 * x, 0.52 * x, body - 0.2 * z, z - 0.03 * z, 0.18 * x)
        k.plate(crumb, (side - 0.13) * y, (side + 0.13) * y, Paint(228, 190, 132))


@part("toaster")
def retro_toaster(k: Kit) -> None:
    """A domed body with a bright band along its foot, two slots with bread, a lever."""
    x, y, z = k.x, k.y, k.z
    body = 0.82 * z
    k.pillow(-0.94 * x, 0.94 * x, -y, y, 0.05 * z, body + 0.03 * z, None, 16, 6, 0.4, 0.5)
    k.soft(-0.95 * x, 0.95 * x, -0.98 * y, 0.98 * y, 0, 0.18 * z, 0.02, CHROME)
    k.soft(-0.8 * x, 0.8 * x, -0.7 * y, 0.7 * y, body - 0.06 * z, body + 0.035 * z, 0.01, CHROME)
    _slots_and_bread(k, body + 0.035 * z)
    k.box(0.9 * x, x, -0.2 * y, 0.2 * y, 0.5 * z, 0.58 * z, BLACK)


@part("toaster")
def long_toaster(k: Kit) -> None:
    """A square metal box with dark ends, slots with bread, buttons at the front."""
    x, y, z = k.x, k.y, k.z
    body = 0.8 * z
    k.soft(-0.8 * x, 0.8 * x, -y, y, 0.05 * z, body, 0.012)
    for _, a, b in both_sides(0.95 * x, 0.78 * x):
        k.soft(a, b, -y, y, 0.0, body + 0.01, 0.012, DARK)
    _slots_and_bread(k, body)
    for i in range(3):
        k.disc(((i - 1) * 0.3 * x, -y, 0.25 * z), 0.05 * z, 0.012, STEEL, 8)
    k.box(0.95 * x, x, -0.3 * y, 0.3 * y, 0.55 * z, 0.62 * z, CHROME)


@part("coffee machine")
def filter_coffee_machine(k: Kit) -> None:
    """A tower with a tank, a filter that hangs over, a glass jug of coffee on a plate."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, 0, 0.1 * z, 0.015)
    k.soft(-0.9 * x, 0.9 * x, 0.25 * y, y, 0.08 * z, z, 0.02)
    k.soft(-0.9 * x, 0.9 * x, -0.9 * y, 0.3 * y, 0.66 * z, 0.96 * z, 0.03)
    k.lathe([(0, 0.56 * z), (0.3, 0.56 * z), (0.55, 0.68 * z)], DARK, (0, -0.35 * y), 12, (x, x))
    _jug(k, (0, -0.35 * y), 0.6 * x, 0.11 * z, 0.42 * z)
    k.box(0.3 * x, 0.7 * x, -y - 0.003, -y, 0.03 * z, 0.07 * z, Paint(220, 50, 40))


def _jug(k: Kit, at: tuple[float, float], radius: float, low: float, tall: float) -> None:
    """A glass jug two thirds full of coffee, with a handle."""
    profile = [
        (0, low),
        (0.85, low),
        (1.0, low + 0.25 * tall),
        (0.95, low + 0.6 * tall),
        (0, low + 0.6 * tall),
    ]
    k.lathe(profile, Paint(62, 34, 20, 0), at, 12, (radius, radius))
    k.lathe(
        [(0.97, low + 0.6 * tall), (0.7, low + 0.9 * tall), (0.75, low + tall)],
        Paint(178, 212, 226, 11),
        at,
        12,
        (radius, radius),
    )
    k.lathe([(0.78, low + 0.9 * tall), (0.8, low + tall), (0, low + tall)], BLACK, at, 12, (radius, radius))
    x, y = at
    k.path(
        [
            (x + 0.75 * radius, y, low + 0.95 * tall),
            (x + 1.35 * radius, y, low + 0.85 * tall),
            (x + 1.3 * radius, y, low + 0.3 * tall),
            (x + 0.95 * radius, y, low + 0.2 * tall),
        ],
        0.012,
        BLACK,
    )


@part("coffee machine")
def espresso_machine(k: Kit) -> None:
    """A steel block with two handles under brew heads, a steam pipe, cups on top and a drip grid."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.2 * y, y, 0, 0.82 * z, 0.02)
    k.soft(-x, x, -0.85 * y, 0, 0.52 * z, 0.82 * z, 0.02)
    k.soft(-x, x, -y, 0, 0, 0.12 * z, 0.012, STEEL)
    for i in range(6):
        at = (-0.8 + 0.32 * i) * x
        k.box(at - 0.01, at + 0.01, -0.95 * y, -0.1 * y, 0.12 * z, 0.125 * z, BLACK)
    for side in (-0.4, 0.35):
        k.lathe([(0, 0.42 * z), (0.2 * x, 0.44 * z), (0.2 * x, 0.53 * z)], CHROME, (side * x, -0.45 * y), 10)
        k.tube((side * x, -0.5 * y, 0.46 * z), (side * x, -1.05 * y, 0.42 * z), 0.016, BLACK, 6)
        k.lathe(
            [(0, 0.13 * z), (0.08 * x, 0.13 * z), (0.13 * x, 0.25 * z), (0.1 * x, 0.25 * z), (0, 0.2 * z)],
            Paint(240, 238, 232),
            (side * x, -0.45 * y),
            8,
        )
    k.path(
        [(0.85 * x, -0.6 * y, 0.55 * z), (0.9 * x, -0.8 * y, 0.4 * z), (0.88 * x, -0.85 * y, 0.2 * z)],
        0.01,
        CHROME,
    )
    k.disc((0, -0.86 * y, 0.68 * z), 0.08 * z, 0.01, Paint(245, 244, 240), 12)
    for side in (-0.5, 0.0, 0.5):
        k.lathe(
            [(0, 0.82 * z), (0.12 * x, 0.82 * z), (0.18 * x, z), (0.14 * x, z), (0, 0.88 * z)],
            Paint(240, 238, 232),
            (side * x, 0.35 * y),
            9,
        )


@part("coffee machine")
def capsule_coffee_machine(k: Kit) -> None:
    """A slim curved body with a head over a cup on a grid, a lever on top, a water tank behind."""
    x, y, z = k.x, k.y, k.z
    k.lathe([(0, 0), (1, 0), (1, 0.08 * z), (0, 0.08 * z)], DARK, (0, -0.45 * y), 14, (0.9 * x, 0.5 * y))
    k.soft(-0.7 * x, 0.7 * x, -0.1 * y, 0.7 * y, 0, 0.9 * z, 0.03)
    k.pillow(-0.75 * x, 0.75 * x, -0.95 * y, 0.6 * y, 0.6 * z, 0.95 * z, None, 12, 6, 0.6, 0.6)
    k.tube((0, -0.6 * y, 0.62 * z), (0, -0.6 * y, 0.52 * z), 0.12 * x, CHROME, 8)
    k.lathe(
        [(0, 0.08 * z), (0.26, 0.08 * z), (0.4, 0.32 * z), (0.34, 0.32 * z), (0, 0.27 * z)],
        Paint(240, 238, 232),
        (0, -0.55 * y),
        10,
        (x, x),
    )
    k.path(
        [
            (-0.4 * x, 0.2 * y, 0.9 * z),
            (-0.4 * x, -0.2 * y, z),
            (0.4 * x, -0.2 * y, z),
            (0.4 * x, 0.2 * y, 0.9 * z),
        ],
        0.012,
        CHROME,
    )
    k.soft(-0.6 * x, 0.6 * x, 0.7 * y, y, 0.1 * z, 0.85 * z, 0.02, Paint(120, 150, 170, 0))
    k.box(-x, -0.98 * x, -0.5 * y, -0.4 * y, 0, 0.04 * z, DARK)
    k.box(0.98 * x, x, -0.5 * y, -0.4 * y, 0, 0.04 * z, shade(WOOD, math.sqrt(0.5)))
