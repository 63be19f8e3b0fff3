"""Lamps that hang."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.parts.kit import DARK, LIGHT, WHITE, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_CRYSTAL = looking(Paint(226, 238, 244), "gloss")


def _rose(k: Kit, look: Paint) -> None:
    """The cap at the ceiling and the rod below it."""
    z = k.z
    k.lathe([(0, z - 0.04), (0.06, z - 0.04), (0.03, z), (0, z)], look, sides=10)
    k.tube((0, 0, 0.2 * z), (0, 0, z), 0.01, look, 6)


@part("chandelier")
def arm_chandelier(k: Kit) -> None:
    """Curved arms around a stem that hangs from the ceiling, a candle light on each, beads below."""
    radius, z = min(k.x, k.y), k.z
    metal = looking(k.main, "metal")
    _rose(k, metal)
    k.ball((0, 0, 0.2 * z), (0.16 * radius, 0.16 * radius, 0.1 * z), metal, 8)
    k.ball((0, 0, 0.06 * z), (0.07 * radius, 0.07 * radius, 0.06 * z), _CRYSTAL, 6)
    ox, oy = k.oval
    for i in range(6):
        angle = math.tau * i / 6
        cos, sin = math.cos(angle) * ox, math.sin(angle) * oy
        k.path(
            [
                (cos * r * radius, sin * r * radius, h * z)
                for r, h in ((0, 0.2), (0.4, 0.06), (0.72, 0.08), (0.88, 0.26))
            ],
            0.011,
            metal,
        )
        at = (cos * 0.88 * radius, sin * 0.88 * radius)
        k.lathe([(0, 0.26 * z), (0.12 * radius, 0.3 * z), (0, 0.3 * z)], metal, at, 8)
        k.lathe([(0, 0.3), (0.05, 0.3), (0.05, 0.44), (0, 0.44)], WHITE, at, 6, scale=(radius, z))
        k.ball((at[0], at[1], 0.5 * z), (0.06 * radius, 0.06 * radius, 0.08 * z), LIGHT, 6)
        k.tube((cos * 0.8 * radius, sin * 0.8 * radius, 0.28 * z), (0, 0, 0.62 * z), 0.005, metal, 3)
        k.ball((cos * 0.56 * radius, sin * 0.56 * radius, 0.02 * z + 0.015), 0.022, _CRYSTAL, 5)


@part("chandelier")
def crystal_chandelier(k: Kit) -> None:
    """Two rings hung with drops of crystal around lights, in tiers."""
    x, y, z = k.x, k.y, k.z
    metal = looking(k.main, "metal")
    _rose(k, metal)
    for r, level, count in ((0.95, 0.52, 12), (0.62, 0.3, 8), (0.3, 0.1, 6)):
        k.add(shapes.stretched(shapes.ring(r, 0.02, 16, 3), x, y, min(x, y)), metal, (0, 0, level * z))
        for i in range(count):
            a = math.tau * i / count
            at = (r * x * math.cos(a), r * y * math.sin(a))
            drop = 0.16 * z
            k.lathe(
                [(0, level * z - drop), (0.022, level * z - 0.7 * drop), (0.004, level * z)], _CRYSTAL, at, 5
            )
            if i % 4 == 0:
                k.tube((at[0], at[1], level * z), (0, 0, min(0.9, level + 0.34) * z), 0.004, metal, 3)
    for i in range(8):
        a = math.tau * i / 8
        k.ball((0.72 * x * math.cos(a), 0.72 * y * math.sin(a), 0.6 * z), (0.05, 0.05, 0.07 * z), LIGHT, 6)
    k.ball((0, 0, 0.3 * z), (0.3 * min(x, y), 0.3 * min(x, y), 0.16 * z), LIGHT, 8)


@part("chandelier")
def wheel_chandelier(k: Kit) -> None:
    """A wheel of wood or iron on chains with candle bulbs around it."""
    x, y, z = k.x, k.y, k.z
    metal = looking(k.main, "metal" if k.item.material != "wood" else "wood")
    k.lathe([(0, z - 0.04), (0.06, z - 0.04), (0.03, z), (0, z)], metal, sides=10)
    level = 0.24 * z
    k.lathe(
        [
            (0.86, level - 0.04),
            (0.98, level - 0.04),
            (0.98, level + 0.04),
            (0.86, level + 0.04),
            (0.86, level - 0.04),
        ],
        metal,
        (0, 0),
        20,
        (x, y),
    )
    for i in range(4):
        a = math.tau * i / 4
        c, s = math.cos(a), math.sin(a)
        k.tube((0.92 * x * c, 0.92 * y * s, level + 0.04), (0, 0, z - 0.04), 0.008, looking(DARK, "metal"), 4)
    k.box(-0.9 * x, 0.9 * x, -0.015, 0.015, level - 0.012, level + 0.012, metal)
    k.box(-0.015, 0.015, -0.9 * y, 0.9 * y, level - 0.012, level + 0.012, metal)
    for i in range(8):
        a = math.tau * (i + 0.5) / 8
        at = (0.92 * x * math.cos(a), 0.92 * y * math.sin(a))
        k.lathe([(0.024, level + 0.04), (0.024, level + 0.16 * z), (0, level + 0.16 * z)], WHITE, at, 6)
        k.lathe(
            [
                (0, level + 0.16 * z),
                (0.024, level + 0.22 * z),
                (0.012, level + 0.3 * z),
                (0, level + 0.34 * z),
            ],
            LIGHT,
            at,
            6,
        )
    k.ball((0, 0, 0.06 * z), 0.05, metal, 6)
    k.tube((0, 0, 0.0), (0, 0, level), 0.012, metal, 5)


@part("chandelier")
def globe_chandelier(k: Kit) -> None:
    """Glowing balls of unequal heights at the ends of straight arms."""
    x, y, z = k.x, k.y, k.z
    metal = looking(k.main, "metal")
    _rose(k, metal)
    for i in range(7):
        a = math.tau * i / 7
        c, s = math.cos(a), math.sin(a)
        r, level = 0.16 * min(x, y), (0.2, 0.42, 0.3)[i % 3] * z
        end = ((x - r) * c, (y - r) * s, level)
        k.path([(0, 0, (0.3 + 0.1 * (i % 3)) * z), end], 0.01, metal, 5)
        k.ball(end, r, LIGHT, 9)
        k.lathe(
            [(0.5 * r, level + 0.7 * r), (0.3 * r, level + 1.1 * r), (0, level + 1.1 * r)],
            metal,
            (end[0], end[1]),
            8,
        )
    k.ball((0, 0, 0.34 * z), 0.07, metal, 8)
    k.tube((0, 0, 0.0), (0, 0, 0.3 * z), 0.012, metal, 5)
