"""Baskets, bins and toolboxes."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _woven(k: Kit) -> Paint:
    return looking(k.main, "thatch")


def _hoops(k: Kit, rows: int, low: float, high: float, rim: float) -> None:
    """A woven tub of bulging rows from radius `low` at the floor to `high` at the rim."""
    profile: list[tuple[float, float]] = [(0, 0)]
    for i in range(rows):
        r = low + (high - low) * i / rows
        profile += [
            (r, i * rim / rows),
            (r + 0.05, (i + 0.5) * rim / rows),
            (r + 0.01, (i + 1) * rim / rows - 0.01),
        ]
    k.round([*profile, (high + 0.05, rim), (high - 0.08, rim), (low - 0.04, 0.1), (0, 0.1)], _woven(k), 14)


@part("basket")
def handled_basket(k: Kit) -> None:
    """A woven tub of hoops with a handle at each side."""
    z, radius = k.z, min(k.x, k.y)
    _hoops(k, 4, 0.74, 0.92, 0.86)
    for side in (-1, 1):
        arc = shapes.turned(shapes.ring(0.3 * radius, 0.06 * radius, 8, 5, 180), 0, 90)
        k.add(shapes.turned(arc, 2, 90), k.dark, (side * 0.9 * k.x, 0, 0.86 * z))


@part("basket")
def picnic_basket(k: Kit) -> None:
    """A square woven box with two lids and a high handle over its middle."""
    x, y, z = k.x, k.y, k.z
    body = 0.62 * z
    k.frustum(
        (-0.86 * x, 0.86 * x, -0.86 * y, 0.86 * y),
        (-0.97 * x, 0.97 * x, -0.97 * y, 0.97 * y),
        0,
        body,
        _woven(k),
    )
    for level in (0.0, 0.5, 0.94):
        grow = 0.87 + 0.11 * level
        k.soft(
            -grow * x - 0.008,
            grow * x + 0.008,
            -grow * y - 0.008,
            grow * y + 0.008,
            level * body,
            level * body + 0.035,
            0.008,
            k.dark,
        )
    for _, a, b in both_sides(x, 0.02):
        k.soft(a, b, -y, y, body, body + 0.03, 0.008, _woven(k))
    k.path(
        [
            (0, -0.98 * y, 0.4 * body),
            (0, -y, 0.8 * z),
            (0, -0.5 * y, z - 0.02),
            (0, 0.5 * y, z - 0.02),
            (0, y, 0.8 * z),
            (0, 0.98 * y, 0.4 * body),
        ],
        0.022,
        k.dark,
        6,
    )


@part("basket")
def belly_basket(k: Kit) -> None:
    """A round-bellied soft basket with a pale upper half, folded rim and two loops."""
    z = k.z
    pale = shade(_woven(k), 1.5) if sum(k.main[:3]) < 520 else shade(_woven(k), 0.7)
    k.round([(0, 0), (0.72, 0), (0.95, 0.2), (1, 0.4), (0.93, 0.55)], _woven(k), 18)
    k.round(
        [
            (0.93, 0.55),
            (0.84, 0.78),
            (0.8, 0.82),
            (0.86, 0.86),
            (0.8, 0.9),
            (0.72, 0.86),
            (0.74, 0.5),
            (0, 0.3),
        ],
        pale,
        18,
    )
    for side in (-1, 1):
        k.path(
            [
                (side * 0.78 * k.x, -0.2 * k.y, 0.84 * z),
                (side * 0.88 * k.x, -0.12 * k.y, z - 0.012),
                (side * 0.88 * k.x, 0.12 * k.y, z - 0.012),
                (side * 0.78 * k.x, 0.2 * k.y, 0.84 * z),
            ],
            0.014,
            k.dark,
            5,
        )


@part("trash can")
def pedal_bin(k: Kit) -> None:
    """A pedal bin: a slightly conical drum, a domed lid with a gap, a pedal."""
    z, look = k.z, looking(k.main, "metal" if k.item.material == "metal" else "gloss")
    k.round([(0, 0), (0.8, 0), (0.8, 0.04), (0.78, 0.05), (0.92, 0.8), (0, 0.8)], look, sides=18)
    k.round([(0, 0.8), (0.86, 0.8), (0.86, 0.825), (0, 0.825)], DARK, sides=18)
    k.round([(0, 0.825), (0.97, 0.825), (0.97, 0.88), (0.75, 0.96), (0, 1)], k.dark, sides=18)
    k.soft(-0.2 * k.x, 0.2 * k.x, -k.y, -0.75 * k.y, 0.02 * z, 0.06 * z, 0.006, DARK)


@part("trash can")
def swing_bin(k: Kit) -> None:
    """A square bin with a pitched top and a swinging flap, a bag that shows at its rim."""
    x, y, z = k.x, k.y, k.z
    k.frustum((-0.8 * x, 0.8 * x, -0.8 * y, 0.8 * y), (-0.95 * x, 0.95 * x, -0.95 * y, 0.95 * y), 0, 0.7 * z)
    k.box(-0.97 * x, 0.97 * x, -0.97 * y, 0.97 * y, 0.68 * z, 0.71 * z, Paint(240, 240, 236))
    k.frustum((-x, x, -y, y), (-0.85 * x, 0.85 * x, -0.2 * y, 0.2 * y), 0.71 * z, z, k.dark)
    flap = shapes.quad(
        (-0.7 * x, -0.86 * y, 0.765 * z),
        (0.7 * x, -0.86 * y, 0.765 * z),
        (0.62 * x, -0.34 * y, 0.95 * z),
        (-0.62 * x, -0.34 * y, 0.95 * z),
    )
    k.add(flap, k.light, (0, -0.006, 0.004))
    k.box(-0.25 * x, 0.25 * x, -0.93 * y, -0.84 * y, 0.3 * z, 0.45 * z, Paint(240, 240, 236))


@part("trash can")
def open_bin(k: Kit) -> None:
    """A wire-ribbed open paper bin with crumpled paper and a bottle in it."""
    x, y, z = k.x, k.y, k.z
    rim = 0.86 * z
    k.round(
        [(0, 0), (0.74, 0), (0.96, 0.86), (1, 0.86), (1, 0.9), (0.92, 0.9), (0.88, 0.7), (0, 0.6)],
        looking(k.main, "metal"),
        sides=18,
    )
    for i in range(12):
        a = math.tau * i / 12
        k.tube(
            (0.75 * x * math.cos(a), 0.75 * y * math.sin(a), 0.02 * z),
            (0.965 * x * math.cos(a), 0.965 * y * math.sin(a), rim),
            0.005,
            k.dark,
            3,
        )
    for i in range(6):
        a = i * 2.399
        r = 0.52 * math.sqrt((i + 0.3) / 6)
        k.ball(
            (r * x * math.cos(a), r * y * math.sin(a), 0.86 * z),
            (0.3 * x, 0.3 * y, 0.1 * z),
            Paint(244, 243, 238) if i % 2 else Paint(226, 222, 206),
            5,
        )
    k.tube((0.2 * x, 0.2 * y, 0.8 * z), (0.35 * x, 0.3 * y, z), 0.1 * x, Paint(60, 120, 80), 7, 0.06 * x)


def _latches(k: Kit, level: float) -> None:
    for side in (-0.6, 0.6):
        k.box(
            side * k.x - 0.03, side * k.x + 0.03, -k.y - 0.012, -k.y + 0.02, 0.78 * level, 1.2 * level, STEEL
        )


def _grip(k: Kit, low: float, top: float, look: Paint) -> None:
    line = [(-0.45 * k.x, 0, low), (-0.38 * k.x, 0, top), (0.38 * k.x, 0, top), (0.45 * k.x, 0, low)]
    k.path(line, 0.05 * k.z, look, 6)


@part("toolbox")
def metal_toolbox(k: Kit) -> None:
    """A metal box with a sloped lid, a handle, latches and a drawer line."""
    x, y, z = k.x, k.y, k.z
    body = 0.5 * z
    k.box(-x, x, -y, y, 0, body)
    k.box(-x, x, -y - 0.004, y, 0.48 * body, 0.54 * body, DARK)
    k.frustum((-x, x, -y, y), (-x, x, -0.4 * y, 0.4 * y), body + 0.012, 0.76 * z)
    k.box(-0.98 * x, 0.98 * x, -0.98 * y, 0.98 * y, body, body + 0.012, DARK)
    _grip(k, 0.74 * z, 0.94 * z, DARK)
    _latches(k, body)
    k.box(-0.16 * x, 0.16 * x, -y - 0.008, -y, 0.14 * body, 0.3 * body, paint("yellow"))


@part("toolbox")
def open_toolbox(k: Kit) -> None:
    """An open tray of boards with a round bar as handle and a hammer, a saw and a wrench in it."""
    x, y, z = k.x, k.y, k.z
    side = 0.52 * z
    for _, a, b in both_sides(y, y - 0.02):
        k.box(-x, x, a, b, 0, side)
    for _, a, b in both_sides(x, x - 0.025):
        end = [(-y, 0), (y, 0), (y, side), (0.3 * y, z), (-0.3 * y, z), (-y, side)]
        k.add(shapes.facing_side(shapes.prism(end, a, b)), k.dark)
    k.box(-x, x, -y, y, 0, 0.06 * z, k.dark)
    k.tube((-x, 0, 0.9 * z), (x, 0, 0.9 * z), 0.06 * z, WOOD, 8)
    k.tube((-0.7 * x, -0.5 * y, 0.2 * z), (-0.2 * x, -0.6 * y, 0.72 * z), 0.04 * z, WOOD, 6)
    k.soft(-0.32 * x, -0.06 * x, -0.8 * y, -0.4 * y, 0.66 * z, 0.8 * z, 0.008, STEEL)
    k.plate(
        [(0.0, 0.3 * z), (0.75 * x, 0.5 * z), (0.75 * x, 0.72 * z), (0.0, 0.6 * z)], 0.4 * y, 0.44 * y, STEEL
    )
    k.soft(0.7 * x, 0.9 * x, 0.34 * y, 0.5 * y, 0.48 * z, 0.76 * z, 0.01, paint("orange"))
    k.tube((0.2 * x, -0.4 * y, 0.2 * z), (0.55 * x, -0.55 * y, 0.66 * z), 0.03 * z, CHROME, 5)


@part("toolbox")
def chest_toolbox(k: Kit) -> None:
    """A mechanic's chest with three drawers, a flat lid and a handle."""
    x, y, z = k.x, k.y, k.z
    body = 0.8 * z
    k.soft(-x, x, -y + 0.01, y, 0, 0.66 * z, 0.01)
    k.soft(-x, x, -y, y, 0.68 * z, body, 0.012, k.dark)
    for i in range(3):
        low = (0.05 + 0.2 * i) * z
        k.box(-0.92 * x, 0.92 * x, -y + 0.002, -y + 0.012, low, low + 0.17 * z, k.light)
        k.box(-0.85 * x, 0.85 * x, -y - 0.006, -y + 0.004, low + 0.12 * z, low + 0.15 * z, CHROME)
    _grip(k, body - 0.02 * z, z - 0.05 * z, BLACK)
    _latches(k, 0.62 * z)
