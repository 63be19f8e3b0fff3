"""Racks, baskets and bins."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_LEATHERS = ("black", "brown", "white", "red", "navy", "tan")


def _row_of_shoes(k: Kit, low: float, pairs: int, half: float) -> None:
    x = k.x
    for j in range(pairs):
        look = paint(_LEATHERS[int(k.rng.integers(len(_LEATHERS)))])
        middle = -x + 0.04 + (j + 0.5) * (2 * x - 0.08) / pairs
        for foot in (-0.055, 0.055):
            _shoe(k, middle + foot, low, half, look)


def _shoe(k: Kit, at: float, low: float, half: float, look: Paint) -> None:
    sole = shade(look, 0.5) if sum(look[:3]) > 200 else paint("white")
    k.box(at - 0.043, at + 0.043, -half, half, low, low + 0.016, sole)
    wide, narrow = (at - 0.043, at + 0.043, -half, half), (at - 0.032, at + 0.032, -0.1 * half, 0.95 * half)
    k.frustum(wide, narrow, low + 0.016, low + 0.085, look)
    k.box(at - 0.02, at + 0.02, 0.15 * half, 0.8 * half, low + 0.085, low + 0.087, DARK)


def _pairs(k: Kit) -> int:
    return max(1, min(4, int((2 * k.x - 0.08) / 0.26)))


@part("shoe rack")
def slatted_shoe_rack(k: Kit) -> None:
    """Open slatted shelves with pairs of shoes."""
    x, y, z = k.x, k.y, k.z
    rows = max(2, min(3, round(z / 0.24)))
    for _, a, b in both_sides(x, x - 0.03):
        k.box(a, b, -y, -y + 0.03, 0, z)
        k.box(a, b, y - 0.03, y, 0, z)
        k.box(a, b, -y, y, z - 0.03, z)
    for i in range(rows):
        low = 0.06 + i * (z - 0.09) / rows
        for j in range(4):
            at = -y + (j + 0.5) * 2 * y / 4
            k.box(-x + 0.02, x - 0.02, at - 0.018, at + 0.018, low, low + 0.018, k.dark)
        _row_of_shoes(k, low + 0.018, _pairs(k), min(y - 0.01, 0.14))


@part("shoe rack")
def tube_shoe_rack(k: Kit) -> None:
    """Sloping tiers of round rods between two loops of tube, with pairs of shoes."""
    x, y, z = k.x, k.y, k.z
    metal = looking(k.main, "metal")
    for side in (-1, 1):
        at = side * (x - 0.015)
        k.path(
            [(at, -y + 0.02, 0), (at, -y + 0.02, 0.7 * z), (at, y - 0.02, z), (at, y - 0.02, 0)],
            0.013,
            metal,
            6,
        )
    rows = max(2, min(3, round(z / 0.24)))
    for i in range(rows):
        low = 0.08 + i * (0.72 * z) / rows
        for deep, lift in ((-0.7, 0.0), (-0.1, 0.012), (0.55, 0.02)):
            k.tube((-x + 0.01, deep * y, low + lift), (x - 0.01, deep * y, low + lift), 0.008, metal, 5)
        _row_of_shoes(k, low + 0.02, _pairs(k), min(y - 0.01, 0.14))


@part("shoe rack")
def bench_shoe_rack(k: Kit) -> None:
    """Pigeonholes with shoes under a padded seat."""
    x, y, z = k.x, k.y, k.z
    top = 0.84 * z
    k.pillow(-x, x, -y, y, top - 0.01, z, looking(shade(k.main, 0.6), "fabric"), 16, 4, 0.2, 0.5)
    k.box(-x, x, -y, y, top - 0.03, top)
    k.box(-x, x, y - 0.012, y, 0, top, k.dark)
    rows, columns = 2, _pairs(k)
    for i in range(columns + 1):
        at = -x + i * 2 * x / columns
        k.box(max(-x, at - 0.01), min(x, at + 0.01), -y, y, 0, top - 0.03)
    for j in range(rows):
        low = j * (top - 0.03) / rows
        k.box(-x, x, -y, y, low, low + 0.018)
        _row_of_shoes(k, low + 0.018, columns, min(y - 0.01, 0.14))


@part("coat rack")
def pole_coat_rack(k: Kit) -> None:
    """A pole on feet with hooks, a coat and a hat; on a wall, a board with hooks and coats."""
    if k.item.mounted:
        _hook_board(k)
        return
    x, y, z = k.x, k.y, k.z
    reach = min(x, y)
    k.tube((0, 0, 0.05), (0, 0, z - 0.03), 0.024, sides=8)
    k.ball((0, 0, z - 0.03), 0.035, None, 8)
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        k.tube((0, 0, 0.12), (0.9 * sx * x, 0.9 * sy * y, 0.02), 0.02)
        end = (sx * 0.62 * x, sy * 0.62 * y, 0.95 * z)
        k.path([(0, 0, 0.88 * z), (sx * 0.5 * x, sy * 0.5 * y, 0.87 * z), end], 0.013)
        k.ball(end, 0.022, None, 6)
    _coat(k, -0.45 * x, -0.4 * y, 0.9 * z, min(0.85, 0.45 * z), reach, paint("navy", "fabric"))
    _coat(k, 0.5 * x, 0.4 * y, 0.9 * z, min(0.7, 0.38 * z), reach, paint("tan", "fabric"))
    k.lathe(
        [(0, 0.95 * z), (0.13, 0.95 * z), (0.13, 0.957 * z), (0.075, 0.96 * z), (0.065, 0.995 * z), (0, z)],
        paint("brown", "fabric"),
        (0.3 * x, -0.45 * y),
    )


def _coat(k: Kit, x: float, y: float, top: float, length: float, reach: float, look: Paint) -> None:
    wide = min(0.2, 0.75 * reach)
    k.lathe(
        [
            (0, top - length),
            (wide, top - length),
            (0.72 * wide, top - 0.35 * length),
            (0.62 * wide, top - 0.1 * length),
            (0.15 * wide, top),
            (0, top),
        ],
        look,
        (x, y),
        8,
        (1.0, 0.62),
    )
    for side in (-1, 1):
        k.tube(
            (x + side * 0.5 * wide, y, top - 0.1 * length),
            (x + side * 0.95 * wide, y - 0.02, top - 0.72 * length),
            0.28 * wide,
            shade(look, 0.85),
            6,
            0.2 * wide,
        )


def _hook_board(k: Kit) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, y - 0.025, y, z - min(0.14, 0.4 * z), z, k.main)
    hooks = max(3, round(2 * x / 0.2))
    tints = ("navy", "tan", "red", "charcoal")
    for i in range(hooks):
        at = -x + (i + 0.5) * 2 * x / hooks
        k.path([(at, y - 0.02, z - 0.07), (at, -y * 0.6, z - 0.09), (at, -y, z - 0.04)], 0.01, STEEL)
        if z > 0.4 and i % 2 == 0:
            _coat(k, at, 0.1 * y, z - 0.08, z - 0.08, min(y, 0.18), paint(tints[i // 2 % 4], "fabric"))


@part("coat rack")
def tree_coat_rack(k: Kit) -> None:
    """A round iron foot, a pole with curled hooks at two heights, a coat, a scarf and a hat."""
    if k.item.mounted:
        _hook_board(k)
        return
    x, y, z = k.x, k.y, k.z
    k.lathe([(0, 0), (0.9, 0), (0.85, 0.02), (0.1, 0.05), (0, 0.05)], k.dark, (0, 0), 16, (x, y))
    k.tube((0, 0, 0.03), (0, 0, z - 0.02), 0.018, None, 8)
    k.ball((0, 0, z - 0.025), 0.028, None, 8)
    for level, count, reach in ((0.9, 4, 0.7), (0.72, 4, 0.5)):
        for i in range(count):
            a = math.tau * (i + 0.5 * (level < 0.8)) / count
            c, s = math.cos(a) * x * reach, math.sin(a) * y * reach
            k.path(
                [
                    (0, 0, level * z),
                    (0.7 * c, 0.7 * s, (level - 0.03) * z),
                    (c, s, level * z),
                    (0.9 * c, 0.9 * s, (level + 0.035) * z),
                ],
                0.01,
                None,
                5,
            )
    _coat(k, -0.35 * x, -0.3 * y, 0.88 * z, min(0.85, 0.45 * z), min(x, y), paint("maroon", "fabric"))
    scarf = [(0.3 * x, -0.3 * y, 0.74 * z), (0.42 * x, -0.42 * y, 0.7 * z), (0.44 * x, -0.44 * y, 0.4 * z)]
    k.path(scarf, 0.045, paint("gold", "fabric"), 6)
    _hat(k, (0.4 * x, 0.35 * y), 0.92 * z)


def _hat(k: Kit, at: tuple[float, float], level: float) -> None:
    z = k.z
    profile = [(0, 0.0), (0.13, 0.0), (0.13, 0.007), (0.075, 0.01), (0.065, 0.045), (0, 0.05)]
    k.lathe([(r, level + h * z) for r, h in profile], paint("brown", "fabric"), at)


@part("coat rack")
def ladder_coat_rack(k: Kit) -> None:
    """Two slanting wooden frames that cross at the top with pegs, coats and a bag on them."""
    if k.item.mounted:
        _hook_board(k)
        return
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        for end in (-1, 1):
            k.path(
                [(side * 0.95 * x, end * 0.9 * y, 0), (-side * 0.5 * x, end * 0.12 * y, z)], 0.018, None, 4
            )
    k.box(-0.6 * x, 0.6 * x, -0.02, 0.02, 0.84 * z, 0.87 * z, k.dark)
    for i in range(4):
        at = (i - 1.5) * 0.38 * x
        k.tube((at, -0.3 * y, 0.9 * z), (at, 0.3 * y, 0.9 * z), 0.012, k.dark, 6)
    _coat(k, -0.4 * x, -0.35 * y, 0.88 * z, min(0.85, 0.45 * z), min(x, y), paint("navy", "fabric"))
    _coat(k, 0.35 * x, 0.3 * y, 0.88 * z, min(0.7, 0.38 * z), min(x, y), paint("tan", "fabric"))
    k.pillow(
        0.1 * x, 0.6 * x, -0.6 * y, -0.3 * y, 0.5 * z, 0.62 * z, looking(Paint(120, 74, 40), "leather"), 10, 4
    )
    k.path(
        [(0.15 * x, -0.45 * y, 0.6 * z), (0.35 * x, -0.3 * y, 0.88 * z), (0.55 * x, -0.45 * y, 0.6 * z)],
        0.008,
        looking(Paint(120, 74, 40), "leather"),
        4,
    )


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
