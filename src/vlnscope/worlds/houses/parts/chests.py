"""Chests, wall shelves and wine racks."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, BRASS, DARK, DARK_WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_IRON = looking(Paint(64, 62, 62), "metal")


def _lock(k: Kit, level: float, look: Paint) -> None:
    k.soft(-0.05, 0.05, -k.y - 0.012, -k.y + 0.02, level - 0.07, level + 0.05, 0.006, look)
    k.disc((0, -k.y - 0.012, level - 0.02), 0.015, 0.004, BLACK, 8)


@part("chest")
def treasure_chest(k: Kit) -> None:
    """A chest of boards with a flat-topped round lid, iron bands, a lock and ring handles."""
    x, y, z = k.x, k.y, k.z
    body = 0.62 * z
    k.box(-0.97 * x, 0.97 * x, -0.97 * y, 0.97 * y, 0, body)
    arc = [
        (y * math.cos(a), body + 0.02 + (z - body - 0.02) * min(1.0, 1.12 * math.sin(a)))
        for a in (math.pi * i / 10 for i in range(11))
    ]
    k.add(shapes.facing_side(shapes.prism(arc, -0.98 * x, 0.98 * x)), shade(k.main, 0.85))
    k.box(-x, x, -y, y, body - 0.03, body + 0.03, _IRON)
    for at in (-0.92, -0.35, 0.35, 0.92):
        k.box(at * x - 0.03, at * x + 0.03, -y, y, 0, body, _IRON)
        k.add(
            shapes.facing_side(
                shapes.prism(
                    [(1.01 * a, body + (b - body) * 1.01) for a, b in arc], at * x - 0.03, at * x + 0.03
                )
            ),
            _IRON,
        )
    _lock(k, body, BRASS)
    for side in (-1, 1):
        ring = shapes.turned(shapes.turned(shapes.ring(0.07, 0.012, 10, 5, 180), 0, 90), 2, 90)
        k.add(shapes.turned(ring, 0, 180), _IRON, (side * x, 0, 0.45 * z))


@part("chest")
def blanket_chest(k: Kit) -> None:
    """A panelled chest with a flat lid that overhangs, on bracket feet."""
    x, y, z = k.x, k.y, k.z
    foot = 0.12 * z
    for sx in (-1, 1):
        for _, a, b in both_sides(0.95 * y, 0.7 * y):
            c, d = sorted((sx * 0.97 * x, sx * 0.8 * x))
            k.box(c, d, a, b, 0, foot, k.dark)
    k.box(-0.96 * x, 0.96 * x, -0.93 * y, 0.93 * y, foot, 0.9 * z, k.dark)
    panels = 3
    wide = 1.92 * x / panels
    for i in range(panels):
        left = -0.96 * x + i * wide
        k.frame((left, left + wide), (-0.98 * y, -0.93 * y), (foot, 0.88 * z), 0.05)
        k.soft(
            left + 0.08, left + wide - 0.08, -0.97 * y, -0.9 * y, foot + 0.08, 0.88 * z - 0.08, 0.01, k.light
        )
    k.soft(-x, x, -y, y, 0.9 * z, z, 0.02)
    _lock(k, 0.86 * z, BRASS)


@part("chest")
def strapped_chest(k: Kit) -> None:
    """A travel chest with leather straps, brass corners and studs."""
    x, y, z = k.x, k.y, k.z
    body, leather = 0.7 * z, looking(Paint(104, 62, 36), "leather")
    k.soft(-0.98 * x, 0.98 * x, -0.97 * y, 0.97 * y, 0, body, 0.015)
    k.soft(-x, x, -y, y, body + 0.01, z, 0.025, shade(k.main, 0.9))
    for at in (-0.5, 0.5):
        k.soft(at * x - 0.035, at * x + 0.035, -1.02 * y, 1.02 * y, 0.02 * z, z + 0.006, 0.006, leather)
        k.frame((at * x - 0.05, at * x + 0.05), (-1.06 * y, -1.02 * y), (0.5 * z, 0.64 * z), 0.012, BRASS)
    for sx in (-1, 1):
        for low in (0.0, 0.86):
            a, b = sorted((sx * 1.005 * x, sx * 0.86 * x))
            k.soft(a, b, -1.01 * y, 1.01 * y, low * z, (low + 0.14) * z, 0.01, BRASS)
        k.path(
            [
                (sx * x, -0.3 * y, 0.5 * z),
                (sx * (x + 0.02), -0.2 * y, 0.46 * z),
                (sx * (x + 0.02), 0.2 * y, 0.46 * z),
                (sx * x, 0.3 * y, 0.5 * z),
            ],
            0.014,
            leather,
        )
    _lock(k, body, BRASS)


def _bracket(k: Kit, at: float, look: Paint, curved: bool) -> None:
    """A bracket below a board, against the wall."""
    y, z = k.y, k.z
    k.box(at - 0.012, at + 0.012, y - 0.015, y, 0, z - 0.03, look)
    k.box(at - 0.012, at + 0.012, -0.8 * y, y, z - 0.045, z - 0.03, look)
    if curved:
        line = [
            (at, y - 0.01 - 1.6 * y * math.sin(a), 0.08 * z + (0.88 * z - 0.05) * (1 - math.cos(a)))
            for a in (math.pi / 2 * i / 5 for i in range(6))
        ]
        k.path(line, 0.009, look, 5)
    else:
        k.path([(at, y - 0.01, 0.1 * z), (at, -0.6 * y, z - 0.04)], 0.01, look, 4)


@part("wall shelf")
def bracket_shelf(k: Kit) -> None:
    """A board on two slanting brackets."""
    k.soft(-k.x, k.x, -k.y, k.y, k.z - 0.03, k.z, 0.006)
    for side in (-0.7, 0.7):
        _bracket(k, side * k.x, _IRON, False)


@part("wall shelf")
def scroll_shelf(k: Kit) -> None:
    """A moulded board on two curved brackets, hooks below it."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.025, z, 0.006)
    k.soft(-0.97 * x, 0.97 * x, -0.9 * y, y, z - 0.045, z - 0.025, 0.006, k.dark)
    for side in (-0.75, 0.75):
        _bracket(k, side * x, BRASS if k.item.material == "metal" else k.dark, True)
    k.box(-0.7 * x, 0.7 * x, y - 0.015, y, 0.2 * z, 0.5 * z, k.dark)
    for i in range(4):
        at = (i - 1.5) * 0.36 * x
        k.path(
            [(at, y - 0.015, 0.34 * z), (at, y - 0.05, 0.26 * z), (at, y - 0.06, 0.36 * z)], 0.007, _IRON, 5
        )


@part("wall shelf")
def box_shelf(k: Kit) -> None:
    """An open box on the wall: two boards joined at their ends, with books and a jar within."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y, y, z - 0.02, z)
    k.box(-x, x, -y, y, 0, 0.02)
    for _, a, b in both_sides(x, x - 0.02):
        k.box(a, b, -y, y, 0.02, z - 0.02)
    k.box(-x, x, y - 0.01, y, 0, z, k.dark)
    at = -0.9 * x
    for i, tint in enumerate(("red", "navy", "cream", "teal", "gold", "maroon")):
        wide = (0.028, 0.04, 0.03)[i % 3]
        k.box(
            at,
            at + wide - 0.002,
            -0.6 * y,
            0.8 * y,
            0.02,
            0.02 + (0.8, 0.68, 0.74)[i % 3] * (z - 0.04),
            paint(tint),
        )
        at += wide
    k.lathe(
        [(0, 0.02), (0.05, 0.02), (0.06, 0.3 * z), (0.03, 0.6 * z), (0, 0.6 * z)],
        paint("teal"),
        (0.6 * x, 0),
        10,
    )


def _bottle_end(k: Kit, x: float, z: float, radius: float, look: Paint) -> None:
    """A bottle that lies with its neck to the front."""
    y = k.y
    k.add(
        shapes.facing_front(
            shapes.lathe(
                [
                    (radius, -0.9 * y),
                    (radius, 0.2 * y),
                    (0.4 * radius, 0.5 * y),
                    (0.36 * radius, 0.92 * y),
                    (0, 0.92 * y),
                ],
                6,
            )
        ),
        look,
        (x, 0, z),
    )
    k.add(
        shapes.facing_front(
            shapes.lathe([(0.42 * radius, 0.74 * y), (0.42 * radius, 0.94 * y), (0, 0.94 * y)], 6)
        ),
        paint("maroon"),
        (x, 0, z),
    )


_WINES = (Paint(34, 66, 44, 0), Paint(70, 24, 30, 0), Paint(104, 84, 30, 0))


@part("wine rack")
def lattice_wine_rack(k: Kit) -> None:
    """Crossed boards in a frame, bottles lying in the diamonds with their necks to the front."""
    x, y, z = k.x, k.y, k.z
    edge = 0.03
    for _, a, b in both_sides(x, x - edge):
        k.box(a, b, -0.8 * y, y, 0, z)
    k.box(-x, x, -0.8 * y, y, 0, edge)
    k.box(-x, x, -0.8 * y, y, z - edge, z)
    k.box(-x, x, 0.94 * y, y, 0, z, k.dark)
    rows = max(3, min(5, round(z / 0.2)))
    columns = max(2, min(4, round(2 * x / 0.2)))
    wide, tall = 2 * (x - edge) / columns, (z - 2 * edge) / rows
    for i in range(columns):
        for j in range(rows):
            left, low = -x + edge + i * wide, edge + j * tall
            for p, q in (((left, low), (left + wide, low + tall)), ((left + wide, low), (left, low + tall))):
                k.frustum(
                    (p[0] - 0.006, p[0] + 0.006, -0.75 * y, 0.9 * y),
                    (q[0] - 0.006, q[0] + 0.006, -0.75 * y, 0.9 * y),
                    p[1],
                    q[1],
                )
            if (i * 7 + j * 3) % 4 != 3:
                _bottle_end(
                    k,
                    left + wide / 2,
                    low + 0.74 * tall,
                    0.2 * min(wide, tall),
                    looking(_WINES[(i + j) % 3], "gloss"),
                )


@part("wine rack")
def cubby_wine_rack(k: Kit) -> None:
    """Square pigeonholes, a bottle in most, under a top."""
    x, y, z = k.x, k.y, k.z
    columns, rows = max(2, min(4, round(2 * x / 0.13))), max(3, min(5, round(z / 0.2)))
    wide, tall = 2 * x / columns, z / rows
    for i in range(columns + 1):
        at = -x + i * wide
        k.box(at - 0.008, at + 0.008, -0.8 * y, y, 0, z)
    for j in range(rows + 1):
        k.box(-x, x, -0.8 * y, y, j * tall - 0.008, j * tall + 0.008)
    k.box(-x, x, 0.94 * y, y, 0, z, k.dark)
    for i in range(columns):
        for j in range(rows):
            if (i * 5 + j * 2) % 3 != 2:
                _bottle_end(
                    k,
                    -x + (i + 0.5) * wide,
                    (j + 0.4) * tall,
                    0.34 * min(wide, tall),
                    looking(_WINES[(i + 2 * j) % 3], "gloss"),
                )


@part("wine rack")
def waved_wine_rack(k: Kit) -> None:
    """Two uprights with rods between them that carry bottles lying side by side on each level."""
    x, y, z = k.x, k.y, k.z
    for sx in (-1, 1):
        for sy in (-0.7, 0.8):
            k.box(
                sx * (x - 0.02) - 0.02,
                sx * (x - 0.02) + 0.02,
                sy * y - 0.02,
                sy * y + 0.02,
                0,
                z,
                DARK if k.item.material == "metal" else DARK_WOOD,
            )
    rows = max(3, min(5, round(z / 0.2)))
    count = max(2, min(4, round(2 * x / 0.13)))
    for j in range(rows):
        level = (j + 0.35) * z / rows
        for sy in (-0.7, 0.8):
            k.box(-x, x, sy * y - 0.012, sy * y + 0.012, level - 0.02, level)
        for i in range(count):
            if (i + j) % 5 != 4:
                radius = min(0.42 * 2 * x / count, 0.3 * z / rows)
                _bottle_end(
                    k,
                    -x + (i + 0.5) * 2 * x / count,
                    level + radius,
                    radius,
                    looking(_WINES[(i + j) % 3], "gloss"),
                )
    k.soft(-x, x, -0.8 * y, y, z - 0.02, z, 0.005)
