"""Toilet paper, bath mats and scales."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, SCREEN, STEEL, WHITE, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _roll(k: Kit, x0: float, x1: float, y: float, z: float, radius: float) -> None:
    """A paper roll that lies along x, with its core at both ends and a sheet that hangs down in front."""
    sheet = looking(k.main, "paper")
    k.add(shapes.facing_side(shapes.cylinder(radius, x0, x1, 16)), sheet, (0, y, z))
    k.add(
        shapes.facing_side(shapes.cylinder(0.32 * radius, x0 - 0.002, x1 + 0.002, 10)),
        Paint(186, 150, 110),
        (0, y, z),
    )
    k.box(x0, x1, y - radius - 0.001, y - radius + 0.001, 0, z, sheet)


@part("toilet paper")
def paper_on_an_arm(k: Kit) -> None:
    """A roll on a bent chrome arm that stands out from the wall."""
    x, y, z = k.x, k.y, k.z
    radius = min(0.8 * y, 0.42 * z)
    level = z - radius - 0.06 * z
    _roll(k, -0.7 * x, 0.75 * x, -y + radius, level, radius)
    k.path(
        [(-0.95 * x, y, level), (-0.95 * x, -y + radius, level), (x, -y + radius, level)], 0.07 * x, CHROME, 6
    )
    k.disc((-0.95 * x, y, level), 0.3 * radius, 0.1 * y, CHROME, 10)


@part("toilet paper")
def paper_under_a_lid(k: Kit) -> None:
    """A roll under a curved metal lid."""
    x, y, z = k.x, k.y, k.z
    radius = min(0.74 * y, 0.4 * z)
    level = z - radius - 0.1 * z
    _roll(k, -0.75 * x, 0.75 * x, -y + 1.1 * radius, level, radius)
    k.box(-0.6 * x, 0.6 * x, 0.9 * y, y, level - 0.3 * z, z, CHROME)
    lid = [
        (y, z - 0.02 * z),
        (y, z),
        (-0.4 * y, z),
        (-y, level + 0.2 * radius),
        (-0.94 * y, level + 0.2 * radius),
        (-0.38 * y, z - 0.03 * z),
    ]
    k.add(shapes.facing_side(shapes.prism(lid, -x, x)), CHROME)
    k.tube((-0.9 * x, -y + 1.1 * radius, level), (0.9 * x, -y + 1.1 * radius, level), 0.06 * x, CHROME, 6)


@part("toilet paper")
def paper_in_a_wooden_holder(k: Kit) -> None:
    """A roll between two wooden cheeks on a board."""
    x, y, z = k.x, k.y, k.z
    radius = min(0.74 * y, 0.42 * z)
    level = 0.96 * z - radius
    _roll(k, -0.72 * x, 0.72 * x, -0.75 * y + radius, level, radius)
    k.soft(-x, x, 0.7 * y, y, 0.25 * z, z, 0.01, WOOD)
    for side in (-1, 1):
        k.soft(
            side * 0.88 * x - 0.1 * x,
            side * 0.88 * x + 0.1 * x,
            -y,
            0.75 * y,
            level - 0.25 * radius,
            level + 0.35 * radius,
            0.01,
            WOOD,
        )


@part("bath mat")
def shaggy_bath_mat(k: Kit) -> None:
    """A fluffy mat with round corners, in ridges."""
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=4)
    k.slab(shapes.rounded(-x, x, -y, y, 0.12), 0, 0.5 * z, look)
    rows = 7
    for i in range(rows):
        low = -0.92 * y + i * 1.84 * y / rows
        k.pillow(
            -0.95 * x,
            0.95 * x,
            low,
            low + 1.84 * y / rows,
            0.2 * z,
            z,
            look if i % 2 else shade(look, 1.12),
            8,
            4,
            0.3,
            0.8,
        )


@part("bath mat")
def footed_bath_mat(k: Kit) -> None:
    """A mat with a border and two bare footprints on it."""
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=4)
    pale = shade(look, 1.5) if sum(look[:3]) < 520 else shade(look, 0.7)
    k.slab(shapes.rounded(-x, x, -y, y, 0.06), 0, 0.7 * z, look)
    k.slab(shapes.rounded(-0.9 * x, 0.9 * x, -0.86 * y, 0.86 * y, 0.05), 0.7 * z, 0.8 * z, pale)
    k.slab(shapes.rounded(-0.86 * x, 0.86 * x, -0.8 * y, 0.8 * y, 0.05), 0.8 * z, 0.9 * z, look)
    for side in (-1, 1):
        at = side * 0.18 * x
        k.add(
            shapes.stretched(shapes.cylinder(1, 0.9 * z, z, 10), 0.09 * x, 0.26 * y), pale, (at, 0.18 * y, 0)
        )
        k.add(
            shapes.stretched(shapes.cylinder(1, 0.9 * z, z, 10), 0.12 * x, 0.2 * y), pale, (at, -0.18 * y, 0)
        )
        for i in range(5):
            toe = (at + (i - 2) * 0.055 * x, -0.46 * y + abs(i - 2 + side * 1.2) * 0.03 * y)
            k.add(shapes.stretched(shapes.cylinder(1, 0.9 * z, z, 7), 0.03 * x, 0.06 * y), pale, (*toe, 0))


@part("bath mat")
def slatted_bath_mat(k: Kit) -> None:
    """Wooden slats side by side on two bars."""
    x, y, z = k.x, k.y, k.z
    wood = looking(WOOD, "wood")
    for side in (-0.7, 0.7):
        k.box(side * x - 0.03, side * x + 0.03, -0.95 * y, 0.95 * y, 0, 0.4 * z, shade(wood, 0.7))
    rows = 8
    for i in range(rows):
        low = -y + i * 2 * y / rows
        k.soft(
            -x,
            x,
            low + 0.008,
            low + 2 * y / rows - 0.008,
            0.4 * z,
            z,
            0.004,
            wood if i % 2 else shade(k.main, 0.9),
        )


def _dial(k: Kit, at: float, radius: float) -> None:
    """A round window with marks and a needle, lying in the top."""
    z = k.z
    k.lathe([(radius, 0.96 * z), (radius, z), (0, z)], CHROME, (0, at), 16)
    k.lathe([(0.9 * radius, z), (0, 1.01 * z)], WHITE, (0, at), 16)
    for i in range(8):
        a = math.tau * i / 8
        k.add(
            shapes.turned(
                shapes.box(0.6 * radius, 0.85 * radius, -0.04 * radius, 0.04 * radius, 0, 0.01 * z),
                2,
                math.degrees(a),
            ),
            BLACK,
            (0, at, 1.01 * z),
        )
    k.add(
        shapes.turned(shapes.box(0, 0.8 * radius, -0.05 * radius, 0.05 * radius, 0, 0.02 * z), 2, 70),
        paint("red"),
        (0, at, 1.01 * z),
    )


@part("scale")
def glass_scale(k: Kit) -> None:
    """A flat square plate with four electrodes and a display."""
    x, y, z = k.x, k.y, k.z
    look = looking(k.main, "gloss")
    k.slab(shapes.rounded(-x, x, -y, y, 0.2 * x), 0.5 * z, z, look)
    for sx in (-0.6, 0.6):
        for sy in (-0.55, 0.35):
            k.lathe([(0, 0), (0.1 * x, 0), (0.1 * x, 0.5 * z)], DARK, (sx * x, sy * y), 8)
            k.lathe([(0.16 * x, z), (0.15 * x, 1.02 * z), (0, 1.02 * z)], CHROME, (sx * x, sy * y), 12)
    k.box(-0.32 * x, 0.32 * x, 0.55 * y, 0.85 * y, z, 1.02 * z, SCREEN)
    _digits(k, 0.7 * y, 1.03 * z)


def _digits(k: Kit, at: float, level: float) -> None:
    """Three lit numerals of bars."""
    for i in range(3):
        left = (-0.2 + 0.16 * i) * k.x
        for low in (-0.08, 0.0, 0.08):
            k.box(
                left,
                left + 0.1 * k.x,
                at + low * k.y - 0.004,
                at + low * k.y + 0.004,
                level - 0.01 * k.z,
                level,
                Paint(150, 230, 240),
            )
        k.box(
            left + 0.08 * k.x,
            left + 0.1 * k.x,
            at - 0.08 * k.y,
            at + 0.08 * k.y,
            level - 0.01 * k.z,
            level,
            Paint(150, 230, 240),
        )


@part("scale")
def dial_scale(k: Kit) -> None:
    """A bathroom scale with a rubber tread and a round dial."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, 0.1 * z, 0.95 * z, 0.012)
    k.box(-0.9 * x, 0.9 * x, -0.9 * y, 0.9 * y, 0, 0.1 * z, DARK)
    k.slab(shapes.rounded(-0.85 * x, 0.85 * x, -0.85 * y, 0.3 * y, 0.05), 0.95 * z, 0.99 * z, DARK)
    for i in range(7):
        at = (-0.75 + 0.25 * i) * x
        k.box(at - 0.03 * x, at + 0.03 * x, -0.8 * y, 0.25 * y, 0.99 * z, 1.0 * z, STEEL)
    _dial(k, 0.62 * y, 0.3 * min(x, y))


@part("scale")
def round_scale(k: Kit) -> None:
    """A round bathroom scale with two tread pads and a dial in front."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (0.9, 0), (1, 0.3), (1, 0.8), (0.96, 0.95), (0, 0.96)], None, 20)
    for side in (-1, 1):
        pad = shapes.rounded(side * 0.42 * x - 0.24 * x, side * 0.42 * x + 0.24 * x, -0.65 * y, 0.2 * y, 0.1)
        k.slab(pad, 0.96 * z, 0.99 * z, DARK)
        for i in range(4):
            k.box(
                side * 0.42 * x - 0.18 * x,
                side * 0.42 * x + 0.18 * x,
                (-0.55 + 0.18 * i) * y,
                (-0.5 + 0.18 * i) * y,
                0.99 * z,
                z,
                STEEL,
            )
    _dial(k, 0.58 * y, 0.26 * min(x, y))
