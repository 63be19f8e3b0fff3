"""Lamps and fires."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    DARK,
    DARK_WOOD,
    LIGHT,
    WHITE,
    Kit,
    both_sides,
    part,
)


def _shade_of_lamp(k: Kit, radius: float, low: float, high: float, sides: int = 16) -> None:
    """A lampshade: a cone stump in the main colour with a bright inside."""
    pale = sum(k.main[:3]) > 330
    k.lathe(
        [(radius, low), (0.62 * radius, high)],
        k.main if pale else shade(k.main, 1.15),
        sides=sides,
        oval=k.oval,
    )
    k.lathe([(0.62 * radius, high), (0, high)], LIGHT, sides=sides, oval=k.oval)
    k.lathe(
        [(0, low + 0.3 * (high - low)), (0.85 * radius, low + 0.02 * (high - low))],
        LIGHT,
        sides=sides,
        oval=k.oval,
    )


@part("floor lamp")
def floor_lamp(k: Kit) -> None:
    """A heavy foot, a thin pole, a shade at the top."""
    radius, z = min(k.x, k.y), k.z
    pole = DARK if sum(k.main[:3]) > 200 else BRASS
    k.lathe([(0, 0), (0.75 * radius, 0), (0.72 * radius, 0.02), (0.1 * radius, 0.035), (0, 0.035)], pole)
    k.tube((0, 0, 0.03), (0, 0, 0.85 * z), 0.014, pole)
    _shade_of_lamp(k, radius, 0.78 * z, z)


@part("table lamp")
def table_lamp(k: Kit) -> None:
    """A bellied foot and a wide shade."""
    radius, z = min(k.x, k.y), k.z
    foot = BRASS if sum(k.main[:3]) > 330 else k.dark
    k.lathe(
        [
            (0, 0),
            (0.5, 0),
            (0.5, 0.04),
            (0.2, 0.08),
            (0.46, 0.26),
            (0.34, 0.4),
            (0.08, 0.46),
            (0.06, 0.6),
            (0, 0.6),
        ],
        foot,
        scale=(radius, z),
    )
    _shade_of_lamp(k, radius, 0.5 * z, z)


@part("chandelier")
def chandelier(k: Kit) -> None:
    """Curved arms around a stem that hangs from the ceiling, a candle light on each, beads below."""
    radius, z = min(k.x, k.y), k.z
    metal = k.main
    k.lathe([(0, z - 0.04), (0.06, z - 0.04), (0.03, z), (0, z)], metal, sides=10)
    k.tube((0, 0, 0.12 * z), (0, 0, z), 0.012, metal)
    k.ball((0, 0, 0.2 * z), (0.16 * radius, 0.16 * radius, 0.1 * z), metal, 8)
    k.ball((0, 0, 0.06 * z), (0.07 * radius, 0.07 * radius, 0.06 * z), Paint(226, 238, 244), 6)
    ox, oy = k.oval
    for i in range(6):
        angle = math.tau * i / 6
        cos, sin = math.cos(angle) * ox, math.sin(angle) * oy
        points = [
            (cos * r * radius, sin * r * radius, h * z)
            for r, h in ((0, 0.2), (0.4, 0.06), (0.72, 0.08), (0.88, 0.26))
        ]
        k.path(points, 0.011, metal)
        at = (cos * 0.88 * radius, sin * 0.88 * radius)
        k.lathe([(0, 0.26 * z), (0.12 * radius, 0.3 * z), (0, 0.3 * z)], metal, at, 8)
        k.lathe([(0, 0.3), (0.05, 0.3), (0.05, 0.44), (0, 0.44)], WHITE, at, 6, scale=(radius, z))
        k.ball((at[0], at[1], 0.5 * z), (0.06 * radius, 0.06 * radius, 0.08 * z), LIGHT, 6)
        k.tube((cos * 0.8 * radius, sin * 0.8 * radius, 0.28 * z), (0, 0, 0.62 * z), 0.005, metal, 4)
        k.ball((cos * 0.56 * radius, sin * 0.56 * radius, 0.02 * z + 0.015), 0.022, Paint(226, 238, 244), 5)


@part("candle")
def candle(k: Kit) -> None:
    """A wax cylinder on a dish, a wick and a flame."""
    radius, z = min(k.x, k.y), k.z
    k.lathe([(0, 0), (0.9, 0), (1, 0.05), (0.85, 0.05), (0, 0.03)], BRASS, sides=14, scale=(radius, z))
    k.lathe(
        [(0, 0.03), (0.55, 0.03), (0.55, 0.66), (0.5, 0.68), (0, 0.65)], k.main, sides=14, scale=(radius, z)
    )
    k.lathe(
        [(0.55 * radius, 0.52 * z), (0.62 * radius, 0.55 * z), (0.55 * radius, 0.66 * z)], k.light, sides=7
    )
    k.tube((0, 0, 0.65 * z), (0, 0, 0.75 * z), 0.05 * radius + 0.002, BLACK, 4)
    k.lathe([(0, 0.72), (0.24, 0.79), (0.16, 0.88), (0, 1)], Paint(255, 190, 60), sides=8, scale=(radius, z))
    k.lathe([(0, 0.73 * z), (0.12 * radius + 0.001, 0.77 * z), (0, 0.84 * z)], Paint(255, 244, 190), sides=6)


@part("fireplace")
def fireplace(k: Kit) -> None:
    """A surround with a mantel, a dark hearth with logs and flames, a brick lining."""
    x, y, z = k.x, k.y, k.z
    hole, top = 0.58 * x, 0.68 * z
    brick = Paint(140, 78, 62, 6)
    for side, a, b in both_sides(0.95 * x, hole):
        k.box(a, b, -0.6 * y, y, 0.05 * z, 0.9 * z)
        middle = (a + b) / 2
        k.box(middle - 0.07 * x, middle + 0.07 * x, -0.68 * y, -0.6 * y, 0.1 * z, 0.8 * z, k.light)
        a, b = sorted((side * hole, side * 0.48 * x))
        k.box(a, b, -0.45 * y, y, 0.05 * z, top, brick)
    k.box(-hole, hole, -0.6 * y, y, top, 0.9 * z)
    k.box(-0.4 * x, 0.4 * x, -0.68 * y, -0.6 * y, 0.74 * z, 0.84 * z, k.light)
    k.box(-0.48 * x, 0.48 * x, -0.45 * y, y, 0.6 * z, top, brick)
    k.box(-hole, hole, 0.8 * y, y, 0.05 * z, top, Paint(44, 36, 34, 6))
    k.box(-x, x, -y, y, 0, 0.05 * z, Paint(96, 92, 90, 7))
    k.soft(-x, x, -0.9 * y, y, 0.9 * z, z, 0.02)
    deep = 0.15 * y
    for i, (shift, lift) in enumerate(((-0.16, 0.1), (0.14, 0.1), (0.0, 0.17))):
        k.tube(
            (-0.3 * x + shift * x, deep + 0.1 * y * (i - 1), lift * z),
            (0.3 * x + shift * x, deep - 0.1 * y * (i - 1), lift * z),
            0.045 * z,
            DARK_WOOD,
            7,
        )
    for i in range(5):
        at, tall = (i - 2) * 0.14 * x, (0.2, 0.3, 0.38, 0.28, 0.18)[i] * z
        k.lathe(
            [(0, 0.12 * z), (0.08 * x, 0.2 * z), (0.05 * x, 0.14 * z + 0.6 * tall), (0, 0.14 * z + tall)],
            Paint(240, 130, 30),
            (at, deep),
            6,
            (1, 0.4),
        )
        k.lathe(
            [(0, 0.12 * z), (0.05 * x, 0.18 * z), (0, 0.14 * z + 0.6 * tall)],
            Paint(255, 214, 90),
            (at, deep - 0.03),
            6,
            (1, 0.4),
        )
