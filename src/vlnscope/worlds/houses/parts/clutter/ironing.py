"""Laundry baskets and ironing boards."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, STEEL, WHITE, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _laundry(k: Kit, level: float, reach: float) -> None:
    """A heap of clothes over the rim."""
    tints = ("white", "sky blue", "red", "cream", "navy")
    for i, tint in enumerate(tints):
        a = math.tau * i / len(tints)
        at = (0.4 * reach * k.x * math.cos(a), 0.4 * reach * k.y * math.sin(a))
        top = level + (0.1 + 0.06 * (i % 3)) * k.z
        look = paint(tint, "fabric")
        k.pillow(
            at[0] - 0.5 * reach * k.x,
            at[0] + 0.5 * reach * k.x,
            at[1] - 0.5 * reach * k.y,
            at[1] + 0.5 * reach * k.y,
            level - 0.1 * k.z,
            top,
            look,
            10,
            4,
            0.9,
            0.8,
        )
    sleeve = [
        (0.5 * reach * k.x, -0.6 * k.y, level + 0.05 * k.z),
        (0.45 * k.x, -0.97 * k.y, level + 0.02 * k.z),
        (0.4 * k.x, -1.0 * k.y, level - 0.25 * k.z),
    ]
    k.path(sleeve, [0.1 * k.x, 0.12 * k.x, 0.14 * k.x], paint("sky blue", "fabric"), 6)


@part("laundry basket")
def woven_laundry_basket(k: Kit) -> None:
    """A high woven basket full of clothes, a sleeve over its rim."""
    z = k.z
    look = looking(k.main, "thatch")
    k.round(
        [(0, 0), (0.78, 0), (0.86, 0.4), (0.93, 0.8), (0.97, 0.8), (0.97, 0.86), (0.88, 0.86), (0.84, 0.7)],
        look,
        18,
    )
    for level in (0.25, 0.5):
        k.round(
            [
                (0.82 + 0.14 * level, level),
                (0.88 + 0.14 * level, level + 0.02),
                (0.82 + 0.14 * level, level + 0.05),
            ],
            k.dark,
            18,
        )
    for side in (-1, 1):
        arc = shapes.turned(shapes.turned(shapes.ring(0.08, 0.014, 8, 5, 180), 0, 90), 2, 90)
        k.add(arc, k.dark, (side * 0.93 * k.x, 0, 0.84 * z))
    _laundry(k, 0.82 * z, 0.95)


@part("laundry basket")
def plastic_laundry_basket(k: Kit) -> None:
    """A tub with rows of slots and two grips, full of clothes."""
    x, y, z = k.x, k.y, k.z
    top = 0.82 * z
    k.frustum((-0.78 * x, 0.78 * x, -0.78 * y, 0.78 * y), (-0.94 * x, 0.94 * x, -0.94 * y, 0.94 * y), 0, top)
    for i in range(3):
        low = (0.14 + 0.2 * i) * z
        out = 0.81 + 0.16 * (low / top)
        for j in range(6):
            at = (j - 2.5) * 0.26 * x
            k.box(at - 0.08 * x, at + 0.08 * x, -out * y - 0.012, -out * y + 0.012, low, low + 0.12 * z, DARK)
        for j in range(4):
            at = (j - 1.5) * 0.36 * y
            k.box(out * x - 0.012, out * x + 0.012, at - 0.1 * y, at + 0.1 * y, low, low + 0.12 * z, DARK)
    for a, b, c, d in (
        (-x, x, -y, -0.88 * y),
        (-x, x, 0.88 * y, y),
        (-x, -0.88 * x, -y, y),
        (0.88 * x, x, -y, y),
    ):
        k.soft(a, b, c, d, top - 0.04 * z, top + 0.02 * z, 0.01)
    _laundry(k, top, 0.85)


@part("laundry basket")
def laundry_bag(k: Kit) -> None:
    """A cloth bag that hangs in a frame of crossed legs, full of clothes."""
    x, y, z = k.x, k.y, k.z
    cloth, top = k.main._replace(texture=5), 0.84 * z
    for side in (-1, 1):
        k.tube((-0.96 * x, side * 0.9 * y, 0.01), (0.96 * x, side * 0.9 * y, top), 0.016, WOOD, 6)
        k.tube((0.96 * x, side * 0.9 * y, 0.01), (-0.96 * x, side * 0.9 * y, top), 0.016, WOOD, 6)
        k.tube((side * 0.96 * x, -0.95 * y, top), (side * 0.96 * x, 0.95 * y, top), 0.018, WOOD, 6)
    k.frustum(
        (-0.6 * x, 0.6 * x, -0.8 * y, 0.8 * y),
        (-0.93 * x, 0.93 * x, -0.86 * y, 0.86 * y),
        0.16 * z,
        top,
        cloth,
    )
    for side in (-1, 1):
        k.box(
            -0.35 * x,
            0.35 * x,
            side * 0.85 * y - 0.006,
            side * 0.85 * y + 0.006,
            0.5 * z,
            0.62 * z,
            shade(cloth, 0.6),
        )
    _laundry(k, top, 0.85)


def _ironing_top(k: Kit, top: float) -> None:
    """A padded board with a round nose."""
    x, y = k.x, k.y
    nose = [
        (x * (-0.55 - 0.45 * math.sin(a)), 0.75 * y * math.cos(a) if abs(math.cos(a)) > 1e-9 else 0.0)
        for a in (math.pi * i / 10 for i in range(11))
    ]
    outline = [(0.98 * x, -y), (x, -0.9 * y), (x, 0.9 * y), (0.98 * x, y), (0.1 * x, y), *nose, (0.1 * x, -y)]
    spots = k.main._replace(texture=5)
    k.slab(outline, top - 0.035, top, spots)
    k.slab([(0.99 * a, 0.97 * b) for a, b in outline], top - 0.05, top - 0.035, STEEL)


def _iron(k: Kit, at: float, level: float) -> None:
    """A flat iron that stands on the board."""
    sole = [(at - 0.13, 0.0), (at - 0.05, -0.05), (at + 0.11, -0.055), (at + 0.11, 0.055), (at - 0.05, 0.05)]
    k.slab(sole, level, level + 0.015, CHROME)
    k.slab([(at + (a - at) * 0.86, 0.86 * b) for a, b in sole], level + 0.015, level + 0.06, paint("teal"))
    k.path(
        [
            (at + 0.08, 0, level + 0.05),
            (at + 0.07, 0, level + 0.12),
            (at - 0.05, 0, level + 0.115),
            (at - 0.07, 0, level + 0.06),
        ],
        0.014,
        WHITE,
        6,
    )


@part("ironing board")
def ironing_board(k: Kit) -> None:
    """A long padded board with a round nose on crossed legs, an iron on it."""
    k.lengthwise()
    x, y = k.x, k.y
    top = k.z - 0.135
    _ironing_top(k, top)
    for side in (-1, 1):
        k.tube(
            (side * 0.62 * x, side * 0.1 * y, 0.02),
            (-side * 0.45 * x, side * 0.1 * y, top - 0.04),
            0.016,
            STEEL,
            6,
        )
        k.tube((side * 0.62 * x, -0.85 * y, 0.015), (side * 0.62 * x, 0.85 * y, 0.015), 0.015, DARK, 6)
    _iron(k, 0.6 * x, top)


@part("ironing board")
def ironing_board_with_rack(k: Kit) -> None:
    """An ironing board with doubled legs, a rest for the iron and a shirt that hangs over it."""
    k.lengthwise()
    x, y = k.x, k.y
    top = k.z - 0.135
    _ironing_top(k, top)
    for side in (-1, 1):
        for deep in (-0.5, 0.5):
            k.path(
                [(side * 0.7 * x, deep * y, 0.015), (-side * 0.4 * x, 0.5 * deep * y, top - 0.04)],
                0.013,
                WHITE,
                5,
            )
        k.tube((side * 0.7 * x, -0.6 * y, 0.015), (side * 0.7 * x, 0.6 * y, 0.015), 0.014, DARK, 5)
    shirt = paint("sky blue", "fabric")
    k.soft(-0.3 * x, 0.2 * x, -1.03 * y, 1.03 * y, top - 0.01, top + 0.012, 0.006, shirt)
    k.soft(-0.3 * x, 0.2 * x, -1.04 * y, -1.01 * y, top - 0.3, top, 0.006, shirt)
    _iron(k, 0.62 * x, top)


@part("ironing board")
def wooden_ironing_board(k: Kit) -> None:
    """An old ironing board on wooden crossed legs, an iron on it."""
    k.lengthwise()
    x, y = k.x, k.y
    top = k.z - 0.135
    _ironing_top(k, top)
    for side in (-1, 1):
        k.path(
            [(side * 0.66 * x, side * 0.5 * y, 0.0), (-side * 0.5 * x, side * 0.3 * y, top - 0.04)],
            0.026,
            WOOD,
            4,
        )
        k.path(
            [(side * 0.66 * x, -side * 0.8 * y, 0.0), (-side * 0.5 * x, -side * 0.4 * y, top - 0.04)],
            0.026,
            WOOD,
            4,
        )
        k.box(
            side * 0.3 * x - 0.02, side * 0.3 * x + 0.02, -0.7 * y, 0.7 * y, 0.3 * top, 0.3 * top + 0.04, WOOD
        )
    _iron(k, 0.45 * x, top)
