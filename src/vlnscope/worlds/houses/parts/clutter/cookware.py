"""Pots, knife blocks and fruit bowls."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, DARK_WOOD, LEAF, STEEL, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


@part("pot")
def stock_pot(k: Kit) -> None:
    """A high pot with a lid and a knob, a handle on each side."""
    x, y, z = k.x, k.y, k.z
    r, look = min(0.78 * x, y), looking(k.main, "metal" if k.item.material == "metal" else "gloss")
    oval = (r, min(y, r))
    k.lathe([(0, 0), (0.95, 0), (1, 0.04), (1, 0.72), (1.04, 0.74)], look, (0, 0), 18, oval, (1, z))
    k.lathe([(1.04, 0.75), (1.0, 0.79), (0.5, 0.86), (0, 0.88)], k.light, (0, 0), 18, oval, (1, z))
    k.lathe([(0, 0.87), (0.08, 0.87), (0.14, 0.95), (0.12, 1), (0, 1)], BLACK, (0, 0), 8, oval, (1, z))
    for side in (-1, 1):
        k.path(
            [
                (side * 0.98 * r, -0.3 * y, 0.6 * z),
                (side * x, -0.25 * y, 0.62 * z),
                (side * x, 0.25 * y, 0.62 * z),
                (side * 0.98 * r, 0.3 * y, 0.6 * z),
            ],
            0.02 * (1 + r),
            BLACK,
            6,
        )


@part("pot")
def sauce_pan(k: Kit) -> None:
    """An open pan with soup in it, a spoon and one long handle."""
    x, y, z = k.x, k.y, k.z
    look = looking(k.main, "metal" if k.item.material == "metal" else "gloss")
    r = min(0.6 * x, y)
    at = -x + r
    k.lathe(
        [(0, 0), (0.92, 0), (1, 0.06), (1, 0.7), (1.04, 0.74), (0.94, 0.74)],
        look,
        (at, 0),
        18,
        (r, y),
        (1, z),
    )
    k.lathe([(0.94, 0.74), (0.92, 0.55), (0, 0.55)], Paint(206, 96, 44), (at, 0), 18, (r, y), (1, z))
    k.path([(at + 0.95 * r, 0, 0.6 * z), (at + 1.3 * r, 0, 0.66 * z), (x, 0, 0.7 * z)], 0.022, BLACK, 6)
    k.tube((at - 0.3 * r, 0.2 * y, 0.5 * z), (at + 0.35 * r, 0.7 * y, z), 0.012, paint("oak", "wood"), 5)


@part("pot")
def casserole(k: Kit) -> None:
    """A heavy low pot with a domed lid, a round knob and loops as handles."""
    x, y, z = k.x, k.y, k.z
    look, r = looking(k.main, "gloss"), min(0.8 * x, y)
    oval = (r, min(y, r))
    k.lathe([(0, 0), (0.85, 0), (0.97, 0.1), (1, 0.56), (1.05, 0.58)], look, (0, 0), 18, oval, (1, z))
    k.lathe([(1.05, 0.6), (1, 0.66), (0.7, 0.8), (0.2, 0.87), (0, 0.87)], k.dark, (0, 0), 18, oval, (1, z))
    k.ball((0, 0, 0.93 * z), (0.16 * r, 0.16 * r, 0.07 * z), CHROME, 8)
    for side in (-1, 1):
        k.path(
            [
                (side * 0.95 * r, -0.4 * y, 0.48 * z),
                (side * x, -0.25 * y, 0.5 * z),
                (side * x, 0.25 * y, 0.5 * z),
                (side * 0.95 * r, 0.4 * y, 0.48 * z),
            ],
            0.03 * (1 + r),
            look,
            6,
        )


@part("knife block")
def slanted_knife_block(k: Kit) -> None:
    """A slanting block of wood with the handles of knives sticking out of it."""
    x, y, z = k.x, k.y, k.z
    side = [(-y, 0), (0.9 * y, 0), (y, 0.12 * z), (-0.1 * y, 0.78 * z), (-y, 0.45 * z)]
    k.add(shapes.facing_side(shapes.prism(side, -x, x)), looking(k.main, "wood"))
    _knives(k, 2, 3)


def _knives(k: Kit, rows: int, columns: int) -> None:
    """Handles that lean to the front out of the upper slope."""
    x, y, z = k.x, k.y, k.z
    for i in range(rows):
        for j in range(columns):
            share = (i + 0.5) / rows
            foot = (-0.85 * y + 0.7 * y * share, (0.47 + 0.26 * share) * z)
            at = (j - (columns - 1) / 2) * 1.5 * x / columns
            long = (0.3 if i else 0.22) * z
            tip = (foot[0] - 0.55 * long * y / z * 2, foot[1] + 0.8 * long)
            k.tube((at, foot[0], foot[1]), (at, tip[0], tip[1]), 0.11 * x, BLACK, 6)
            k.tube(
                (at, foot[0] + 0.04 * y, foot[1] - 0.02 * z),
                (at, foot[0] - 0.05 * y, foot[1] + 0.05 * z),
                0.13 * x,
                STEEL,
                6,
            )


@part("knife block")
def upright_knife_block(k: Kit) -> None:
    """A tall block with knives standing straight in it and scissors at the side."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, 0, 0.6 * z, 0.015, looking(k.main, "wood"))
    for i in range(3):
        for j in range(2):
            at = ((i - 1) * 0.6 * x, (j - 0.5) * 0.9 * y)
            k.box(at[0] - 0.12 * x, at[0] + 0.12 * x, at[1] - 0.03, at[1] + 0.03, 0.6 * z, 0.63 * z, STEEL)
            top = (1.0, 0.92, 0.86)[(i + j) % 3]
            k.soft(
                at[0] - 0.13 * x,
                at[0] + 0.13 * x,
                at[1] - 0.16 * y,
                at[1] + 0.16 * y,
                0.63 * z,
                top * z,
                0.008,
                BLACK,
            )


@part("knife block")
def knife_stand(k: Kit) -> None:
    """A board on a foot that holds knives with steel blades by a magnet."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.7 * y, y, 0, 0.07 * z, 0.01, looking(k.dark, "wood"))
    k.soft(-x, x, 0, 0.3 * y, 0.07 * z, 0.72 * z, 0.01, looking(k.main, "wood"))
    for i in range(4):
        at, low = (i - 1.5) * 0.48 * x, (0.14, 0.2, 0.26, 0.32)[i] * z
        outline = [
            (at - 0.14 * x, 0.62 * z),
            (at - 0.14 * x, low + 0.08 * z),
            (at + 0.1 * x, low),
            (at + 0.14 * x, 0.62 * z),
        ]
        k.plate(outline, -0.1 * y, -0.02 * y, STEEL)
        k.soft(
            at - 0.13 * x,
            at + 0.13 * x,
            -0.2 * y,
            0.04 * y,
            0.62 * z,
            (1 - 0.03 * i) * z,
            0.008,
            DARK_WOOD if i % 2 else BLACK,
        )


def _fruits(k: Kit, base: float, reach: float) -> None:
    """A heap of apples, oranges, a pear and bananas within a radius, up to the top of the item."""
    x, y, z = k.x, k.y, k.z
    size = 0.3 * min(x, y)
    tints = [
        paint("red"),
        Paint(236, 140, 36),
        Paint(150, 190, 60),
        paint("red"),
        Paint(236, 140, 36),
        Paint(204, 60, 50),
    ]
    for i, tint in enumerate(tints):
        a = math.tau * i / 6
        r = size * (1.0, 1.08, 0.95)[i % 3]
        at = (reach * x * math.cos(a), reach * y * math.sin(a), base + 0.5 * r)
        k.ball(at, (r, r, 0.92 * r), tint, 9)
        k.tube(
            (at[0], at[1], at[2] + 0.8 * r),
            (at[0] + 0.1 * r, at[1], at[2] + 1.15 * r),
            0.05 * r,
            DARK_WOOD,
            4,
        )
    k.ball((0.1 * x, -0.05 * y, base + 1.3 * size), (size, size, 0.9 * size), Paint(120, 170, 60), 9)
    for i in range(3):
        line = []
        for j in range(6):
            t = j / 5
            a = math.pi * (0.15 + 0.7 * t)
            line.append(
                (
                    (-0.1 - 0.2 * i) * x * 0.6 + 0.1 * x,
                    0.85 * reach * 1.3 * y * math.cos(a),
                    base + 1.1 * size + (z - base - 1.35 * size) * math.sin(a),
                )
            )
        k.path(
            line,
            [0.08 * size, 0.24 * size, 0.28 * size, 0.28 * size, 0.24 * size, 0.06 * size],
            Paint(240, 208, 70),
            6,
        )


@part("fruit bowl")
def bowl_of_fruit(k: Kit) -> None:
    """A wide bowl heaped with apples, oranges and bananas."""
    look, z = k.main, k.z
    k.round(
        [(0, 0), (0.45, 0), (0.4, 0.06), (0.8, 0.26), (1, 0.5), (0.94, 0.5), (0.74, 0.3), (0, 0.14)], look, 18
    )
    _fruits(k, 0.3 * z, 0.48)


@part("fruit bowl")
def footed_fruit_bowl(k: Kit) -> None:
    """A dish on a stem with fruit."""
    k.round(
        [
            (0, 0),
            (0.5, 0),
            (0.46, 0.05),
            (0.12, 0.1),
            (0.12, 0.34),
            (0.7, 0.44),
            (1, 0.6),
            (0.95, 0.6),
            (0.7, 0.5),
            (0, 0.44),
        ],
        None,
        18,
    )
    _fruits(k, 0.52 * k.z, 0.48)


@part("fruit bowl")
def wire_fruit_bowl(k: Kit) -> None:
    """A basket of bent wires with fruit."""
    x, y, z = k.x, k.y, k.z
    for r, level in ((1.0, 0.5), (0.78, 0.22), (0.45, 0.05)):
        k.add(shapes.stretched(shapes.ring(r, 0.02, 14, 3), x, y, min(x, y)), DARK, (0, 0, level * z))
    for i in range(10):
        a = math.tau * i / 10
        c, s = math.cos(a), math.sin(a)
        k.path(
            [
                (0.45 * x * c, 0.45 * y * s, 0.05 * z),
                (0.78 * x * c, 0.78 * y * s, 0.22 * z),
                (x * c, y * s, 0.5 * z),
            ],
            0.006,
            DARK,
            4,
        )
    k.lathe([(0, 0.04 * z), (0.45, 0.04 * z), (0.45, 0.06 * z), (0, 0.06 * z)], DARK, (0, 0), 12, (x, y))
    _fruits(k, 0.26 * z, 0.46)
    k.add(shapes.blade([(0, 0, 0.7 * z), (0.1 * x, 0.1 * y, 0.8 * z)], [0.02, 0.0], (1, 0, 0)), LEAF)
