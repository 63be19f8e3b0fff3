"""Shoe racks and coat racks."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import DARK, STEEL, Kit, both_sides, part
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
