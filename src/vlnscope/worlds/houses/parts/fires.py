"""Candles and fireplaces."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, BRASS, DARK, DARK_WOOD, GLASS, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_FLAME = Paint(255, 190, 60, 13)
_CORE = Paint(255, 244, 190, 13)
_BRICK = Paint(140, 78, 62, 6)


def _flame(k: Kit, at: tuple[float, float], low: float, high: float, wide: float) -> None:
    """A wick and a flame of two tones."""
    tall = high - low
    k.tube((*at, low - 0.1 * tall), (*at, low + 0.25 * tall), 0.05 * wide + 0.0015, BLACK, 4)
    k.lathe([(0, low), (wide, low + 0.3 * tall), (0.6 * wide, low + 0.6 * tall), (0, high)], _FLAME, at, 8)
    k.lathe([(0, low), (0.55 * wide, low + 0.2 * tall), (0, low + 0.5 * tall)], _CORE, at, 6)


@part("candle")
def pillar_candle(k: Kit) -> None:
    """A thick wax cylinder on a dish with drips, a wick and a flame."""
    radius, z = min(k.x, k.y), k.z
    k.lathe([(0, 0), (0.9, 0), (1, 0.05), (0.85, 0.05), (0, 0.03)], BRASS, sides=10, scale=(radius, z))
    k.lathe(
        [(0, 0.03), (0.55, 0.03), (0.55, 0.66), (0.5, 0.68), (0, 0.65)], k.main, sides=10, scale=(radius, z)
    )
    for i in range(3):
        a = math.tau * (i / 3 + 0.2)
        at = (0.55 * radius * math.cos(a), 0.55 * radius * math.sin(a))
        k.path([(*at, 0.66 * z), (*at, (0.5 - 0.08 * i) * z)], [0.08 * radius, 0.1 * radius], k.light, 5)
    _flame(k, (0.0, 0.0), 0.7 * z, z, 0.24 * radius)


@part("candle")
def stick_candle(k: Kit) -> None:
    """A thin candle in a turned stick with a foot."""
    radius, z = min(k.x, k.y), k.z
    stick = [
        (0, 0),
        (1, 0),
        (0.9, 0.05),
        (0.2, 0.1),
        (0.3, 0.16),
        (0.16, 0.22),
        (0.24, 0.34),
        (0.5, 0.38),
        (0.5, 0.4),
        (0, 0.4),
    ]
    k.lathe(stick, BRASS, sides=10, scale=(radius, z))
    k.lathe([(0.24, 0.4), (0.2, 0.82), (0, 0.82)], k.main, sides=10, scale=(radius, z))
    _flame(k, (0.0, 0.0), 0.83 * z, z, 0.16 * radius)


@part("candle")
def jar_candle(k: Kit) -> None:
    """A candle in a glass with a label, a flame above the wax."""
    radius, z = min(k.x, k.y), k.z
    k.lathe([(0, 0), (0.96, 0), (0.96, 0.5), (0, 0.52)], k.main, sides=12, scale=(radius, z))
    k.lathe([(0.97, 0), (1, 0.02), (1, 0.72), (0.97, 0.74)], GLASS, sides=12, scale=(radius, z))
    k.lathe(
        [(1.01, 0.14), (1.02, 0.15), (1.02, 0.4), (1.01, 0.41)],
        Paint(240, 232, 210),
        sides=12,
        scale=(radius, z),
    )
    _flame(k, (0.0, 0.0), 0.58 * z, z, 0.26 * radius)


def _hearth(k: Kit, hole: float, low: float, top: float, deep: float) -> None:
    """A dark brick lining with a stack of logs and flames."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        a, b = sorted((side * hole, side * 0.84 * hole))
        k.box(a, b, -0.45 * y, y, low, top, _BRICK)
    k.box(-0.84 * hole, 0.84 * hole, -0.45 * y, y, top - 0.08 * z, top, _BRICK)
    k.box(-hole, hole, 0.8 * y, y, low, top, Paint(44, 36, 34, 6))
    for i, (shift, lift) in enumerate(((-0.16, 0.05), (0.14, 0.05), (0.0, 0.12))):
        end = 0.1 * y * (i - 1)
        k.tube(
            (-0.3 * x + shift * x, deep + end, low + lift * z),
            (0.3 * x + shift * x, deep - end, low + lift * z),
            0.045 * z,
            looking(DARK_WOOD, "bark"),
            7,
        )
    for i in range(5):
        at, tall = (i - 2) * 0.14 * x, (0.2, 0.3, 0.38, 0.28, 0.18)[i] * (top - low) * 1.4
        base = low + 0.08 * z
        k.lathe(
            [(0, base), (0.08 * x, base + 0.2 * tall), (0.05 * x, base + 0.6 * tall), (0, base + tall)],
            Paint(240, 130, 30, 13),
            (at, deep),
            6,
            (1, 0.4),
        )
        k.lathe(
            [(0, base), (0.05 * x, base + 0.15 * tall), (0, base + 0.6 * tall)],
            Paint(255, 214, 90, 13),
            (at, deep - 0.03),
            6,
            (1, 0.4),
        )


@part("fireplace")
def mantel_fireplace(k: Kit) -> None:
    """A surround with pilasters and a mantel, a brick hearth with logs and flames."""
    x, y, z = k.x, k.y, k.z
    hole, top = 0.58 * x, 0.68 * z
    for _, a, b in both_sides(0.95 * x, hole):
        k.box(a, b, -0.6 * y, y, 0.05 * z, 0.9 * z)
        middle = (a + b) / 2
        k.soft(middle - 0.09 * x, middle + 0.09 * x, -0.7 * y, -0.55 * y, 0.1 * z, 0.8 * z, 0.015, k.light)
    k.box(-hole, hole, -0.6 * y, y, top, 0.9 * z)
    k.soft(-0.4 * x, 0.4 * x, -0.68 * y, -0.55 * y, 0.73 * z, 0.85 * z, 0.015, k.light)
    k.box(-x, x, -y, y, 0, 0.05 * z, Paint(96, 92, 90, 7))
    k.soft(-x, x, -0.9 * y, y, 0.9 * z, z, 0.02)
    k.soft(-0.97 * x, 0.97 * x, -0.78 * y, y, 0.86 * z, 0.91 * z, 0.012, k.light)
    _hearth(k, hole, 0.05 * z, top, 0.15 * y)


@part("fireplace")
def brick_fireplace(k: Kit) -> None:
    """A breast of bricks with an arched opening, a thick wooden beam as mantel, a raised hearth."""
    x, y, z = k.x, k.y, k.z
    hole, top = 0.52 * x, 0.58 * z
    stone = k.main if k.main.texture in (6, 7, 9) else k.main._replace(texture=6)
    for _, a, b in both_sides(0.94 * x, hole):
        k.box(a, b, -0.62 * y, y, 0.1 * z, z, stone)
    k.box(-hole, hole, -0.62 * y, y, 0.72 * z, z, stone)
    steps = 8
    for i in range(steps):
        a, b = -hole + 2 * hole * i / steps, -hole + 2 * hole * (i + 1) / steps
        rise = top + 0.13 * z * (1 - ((a + b) / 2 / hole) ** 2)
        k.box(a, b, -0.62 * y, 0.6 * y, rise, 0.73 * z, stone)
    k.soft(-x, x, -0.95 * y, -0.4 * y, 0.78 * z, 0.88 * z, 0.02, looking(DARK_WOOD, "wood"))
    k.soft(-x, x, -y, y, 0, 0.1 * z, 0.015, shade(stone, 0.8))
    _hearth(k, hole, 0.1 * z, top + 0.1 * z, 0.15 * y)


@part("fireplace")
def modern_fireplace(k: Kit) -> None:
    """A plain block with a long low opening, a steel frame, a row of flames and a floating shelf."""
    x, y, z = k.x, k.y, k.z
    hole, low, top = 0.78 * x, 0.2 * z, 0.62 * z
    for _, a, b in both_sides(0.96 * x, hole):
        k.box(a, b, -0.6 * y, y, 0.04 * z, 0.9 * z)
    k.box(-hole, hole, -0.6 * y, y, 0.04 * z, low)
    k.box(-hole, hole, -0.6 * y, y, top, 0.9 * z)
    k.frame(
        (-hole - 0.02, hole + 0.02),
        (-0.66 * y, -0.58 * y),
        (low - 0.02, top + 0.02),
        0.04,
        looking(DARK, "metal"),
    )
    k.soft(-x, x, -y, y, 0.9 * z, z, 0.012, looking(WOOD, "wood"))
    k.box(-0.9 * x, 0.9 * x, -0.5 * y, y, 0, 0.04 * z, DARK)
    _hearth(k, hole, low, top, 0.15 * y)
    for i in range(4):
        at = (i - 1.5) * 0.4 * x
        k.add(
            shapes.ball((at, -0.1 * y, low + 0.03 * z), (0.07 * x, 0.1 * y, 0.04 * z), 7, 4),
            Paint(120, 116, 112),
        )
