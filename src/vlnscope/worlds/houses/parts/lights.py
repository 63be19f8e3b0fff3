"""Lamps that stand and hang."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, CHROME, DARK, LIGHT, WHITE, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_CRYSTAL = looking(Paint(226, 238, 244), "gloss")


def _lampshade(
    k: Kit,
    low: float,
    high: float,
    top: float = 0.62,
    at: tuple[float, float] = (0.0, 0.0),
    wide: float = 1.0,
) -> None:
    """A shade in the main colour: a cone stump that is bright within, above and below."""
    radius = min(k.x, k.y) * wide
    look = k.main if sum(k.main[:3]) > 330 else shade(k.main, 1.15)
    oval = k.oval if at == (0.0, 0.0) else (1.0, 1.0)
    k.lathe([(radius, low), (top * radius, high)], look, at, 16, oval)
    k.lathe([(top * radius, high), (0, high - 0.15 * (high - low))], LIGHT, at, 16, oval)
    k.lathe([(0, low + 0.3 * (high - low)), (0.88 * radius, low + 0.02 * (high - low))], LIGHT, at, 16, oval)


def _metal(k: Kit) -> Paint:
    return looking(DARK, "metal") if sum(k.main[:3]) > 200 else BRASS


def _foot(k: Kit, look: Paint, wide: float = 0.75) -> None:
    r = wide * min(k.x, k.y)
    k.lathe([(0, 0), (r, 0), (0.96 * r, 0.02), (0.14 * r, 0.035), (0, 0.04)], look, sides=16)


@part("floor lamp")
def pole_lamp(k: Kit) -> None:
    """A heavy foot, a thin pole, a conical shade at the top."""
    z, pole = k.z, _metal(k)
    _foot(k, pole)
    k.tube((0, 0, 0.03), (0, 0, 0.85 * z), 0.014, pole, 8)
    _lampshade(k, 0.78 * z, z)


@part("floor lamp")
def tripod_lamp(k: Kit) -> None:
    """Three slanting wooden legs and a drum-shaped shade."""
    z = k.z
    wood = looking(WOOD, "wood") if k.item.material == "wood" or sum(k.main[:3]) > 560 else DARK
    for i in range(3):
        a = math.tau * (i / 3 + 1 / 12)
        k.path(
            [
                (0.97 * k.x * math.cos(a), 0.97 * k.y * math.sin(a), 0),
                (0.08 * k.x * math.cos(a), 0.08 * k.y * math.sin(a), 0.8 * z),
            ],
            [0.012, 0.02],
            wood,
            6,
        )
        k.tube(
            (0, 0, 0.36 * z), (0.5 * k.x * math.cos(a), 0.5 * k.y * math.sin(a), 0.36 * z), 0.007, CHROME, 4
        )
    k.lathe([(0, 0.77 * z), (0.05, 0.78 * z), (0.03, 0.82 * z), (0, 0.82 * z)], CHROME, sides=10)
    _lampshade(k, 0.78 * z, z, 0.94)


@part("floor lamp")
def arc_lamp(k: Kit) -> None:
    """A foot, a pole that bends over in an arc, a metal bowl with a bulb that hangs from its end."""
    x, y, z = k.x, k.y, k.z
    pole = _metal(k)
    k.lathe([(0, 0), (0.5 * y, 0), (0.48 * y, 0.04), (0, 0.05)], pole, (0.5 * x, 0), 16)
    line = [(0.5 * x, 0, 0.03)] + [
        (0.0 + 0.5 * x * math.cos(a), 0, 0.72 * z + 0.27 * z * math.sin(a))
        for a in (math.pi * i / 8 for i in range(7))
    ]
    k.path(line, 0.014, pole, 6)
    end = line[-1]
    k.tube(end, (end[0], 0, 0.8 * z), 0.006, pole, 4)
    r = 0.5 * x
    at = (end[0], 0.0)
    k.lathe(
        [(r, 0.66 * z), (0.9 * r, 0.74 * z), (0.3 * r, 0.81 * z), (0, 0.82 * z)], k.main, at, 16, (1, y / x)
    )
    k.lathe([(0, 0.74 * z), (0.9 * r, 0.665 * z)], LIGHT, at, 16, (1, y / x))
    k.ball((end[0], 0, 0.68 * z), 0.045, LIGHT, 7)


@part("floor lamp")
def lantern_lamp(k: Kit) -> None:
    """A tall paper column in a wooden frame that glows all over."""
    x, y, z = k.x, k.y, k.z
    r = 0.62
    paper = Paint(*shade(LIGHT, 0.98)[:3], LIGHT.texture)
    for sx in (-1, 1):
        for sy in (-1, 1):
            k.box(
                sx * 0.66 * x - 0.014,
                sx * 0.66 * x + 0.014,
                sy * 0.66 * y - 0.014,
                sy * 0.66 * y + 0.014,
                0,
                z,
                k.main,
            )
    k.box(-r * x, r * x, -r * y, r * y, 0.08 * z, 0.94 * z, paper)
    for i in range(5):
        level = (0.08 + 0.86 * i / 4) * z
        for side in (-1, 1):
            k.box(
                -0.68 * x,
                0.68 * x,
                side * 0.66 * y - 0.01,
                side * 0.66 * y + 0.01,
                level - 0.008,
                level + 0.008,
                k.main,
            )
            k.box(
                side * 0.66 * x - 0.01,
                side * 0.66 * x + 0.01,
                -0.68 * y,
                0.68 * y,
                level - 0.008,
                level + 0.008,
                k.main,
            )
    k.soft(-x, x, -y, y, 0, 0.03, 0.006, k.dark)


@part("table lamp")
def bellied_lamp(k: Kit) -> None:
    """A bellied ceramic foot and a wide shade."""
    radius, z = min(k.x, k.y), k.z
    foot = BRASS if sum(k.main[:3]) > 330 else looking(k.dark, "gloss")
    profile = [
        (0, 0),
        (0.5, 0),
        (0.5, 0.04),
        (0.2, 0.08),
        (0.46, 0.26),
        (0.34, 0.4),
        (0.08, 0.46),
        (0.06, 0.6),
        (0, 0.6),
    ]
    k.lathe(profile, foot, scale=(radius, z))
    _lampshade(k, 0.5 * z, z)


@part("table lamp")
def column_lamp(k: Kit) -> None:
    """A square foot, a turned column, a drum shade with bands."""
    x, y, z = k.x, k.y, k.z
    wood = looking(WOOD, "wood")
    k.soft(-0.5 * x, 0.5 * x, -0.5 * y, 0.5 * y, 0, 0.06 * z, 0.008, wood)
    k.lathe(
        [(0.3, 0.06), (0.14, 0.1), (0.2, 0.2), (0.12, 0.3), (0.18, 0.4), (0.08, 0.46), (0.05, 0.6)],
        wood,
        (0, 0),
        10,
        (x, x),
        (1, z),
    )
    _lampshade(k, 0.54 * z, z, 0.96)
    for level in (0.55, 0.975):
        k.round([(0.99, level), (1.0, level + 0.01), (0.98, level + 0.025)], k.dark, 16)


@part("table lamp")
def desk_lamp(k: Kit) -> None:
    """A round foot, two jointed arms and a metal cone with a bulb that looks down."""
    x, y, z = k.x, k.y, k.z
    r = 0.55 * min(x, y)
    k.lathe([(0, 0), (r, 0), (0.95 * r, 0.04 * z), (0, 0.06 * z)], k.dark, (0.3 * x, 0.1 * y), 16)
    joint = (0.75 * x, 0.3 * y, 0.5 * z)
    k.path([(0.3 * x, 0.1 * y, 0.05 * z), joint], 0.01, CHROME, 6)
    k.path([joint, (-0.2 * x, -0.1 * y, 0.9 * z)], 0.01, CHROME, 6)
    k.ball(joint, 0.022, DARK, 6)
    cone = shapes.lathe([(0.46, 0), (0.34, 0.16), (0.14, 0.3), (0.1, 0.38), (0, 0.38)], 14)
    glow = shapes.lathe([(0, 0.12), (0.42, 0.01)], 14)
    for shape, look in ((cone, looking(k.main, "gloss")), (glow, LIGHT)):
        size = shapes.stretched(shape, x, x, z)
        k.add(shapes.turned(size, 1, 28), look, (-0.46 * x, -0.1 * y, 0.58 * z))


@part("table lamp")
def globe_lamp(k: Kit) -> None:
    """A glowing ball on a small metal foot."""
    radius, z = min(k.x, k.y), k.z
    k.lathe(
        [
            (0, 0),
            (0.6 * radius, 0),
            (0.55 * radius, 0.05 * z),
            (0.2 * radius, 0.1 * z),
            (0.2 * radius, 0.3 * z),
            (0, 0.3 * z),
        ],
        looking(k.main, "gloss"),
        sides=14,
    )
    k.ball((0, 0, 0.62 * z), (k.x, k.y, 0.38 * z), LIGHT, 14)
    k.lathe(
        [(0.36 * radius, 0.26 * z), (0.44 * radius, 0.3 * z), (0.36 * radius, 0.33 * z)], k.dark, sides=14
    )


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
