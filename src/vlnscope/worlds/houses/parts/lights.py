"""Lamps that stand."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, CHROME, DARK, LIGHT, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


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
