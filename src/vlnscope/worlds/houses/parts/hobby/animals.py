"""Fish tanks and bird cages."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, plain, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    CHROME,
    GLASS,
    WOOD,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking


def _fish(k: Kit, at: shapes.Point, size: float, look: Paint, side: int) -> None:
    k.ball(at, (size, 0.35 * size, 0.5 * size), look, 8)
    tail = [
        (at[0] - side * 0.85 * size, at[2]),
        (at[0] - side * 1.5 * size, at[2] + 0.45 * size),
        (at[0] - side * 1.5 * size, at[2] - 0.45 * size),
    ]
    k.add(shapes.quad(*((a, at[1], b) for a, b in (tail[0], tail[1], tail[2], tail[0]))), look)


def _tank(k: Kit, low: float, high: float, water: Paint) -> None:
    """Water, gravel, weeds, stones and fish behind glass, under a hood."""
    x, y, tall = k.x, k.y, high - low
    k.box(-0.96 * x, 0.96 * x, 0.85 * y, 0.9 * y, low, high - 0.04 * tall, water)
    k.box(-0.96 * x, 0.96 * x, -0.9 * y, 0.88 * y, low, low + 0.12 * tall, Paint(196, 176, 136, 0))
    for i in range(5):
        at = (-0.75 + 0.36 * i) * x
        for j in range(3):
            base = (at + 0.04 * j * x, (0.2 + 0.15 * j) * y, low + 0.1 * tall)
            height = (0.35 + 0.12 * ((i + j) % 3)) * tall
            line = [
                base,
                (base[0] + 0.03 * x, base[1], base[2] + 0.5 * height),
                (base[0] - 0.02 * x, base[1], base[2] + height),
            ]
            k.add(shapes.blade(line, [0.025, 0.03, 0.0], (1, 0, 0)), Paint(60, 140 - 14 * j, 70))
    k.ball((0.35 * x, 0.1 * y, low + 0.16 * tall), (0.2 * x, 0.3 * y, 0.14 * tall), paint("grey", "stone"), 7)
    fish = ((-0.5, -0.2, 0.6, 1), (0.1, 0.1, 0.75, -1), (0.6, -0.3, 0.5, 1), (-0.1, -0.4, 0.4, -1))
    for i, (a, b, c, side) in enumerate(fish):
        _fish(
            k,
            (a * x, b * y, low + c * tall),
            0.07 * tall + 0.02,
            (Paint(240, 130, 30), Paint(246, 200, 60))[i % 2],
            side,
        )
    k.box(-0.97 * x, 0.97 * x, -0.95 * y, -0.93 * y, low, high - 0.03 * tall, GLASS)
    for _, a, b in both_sides(0.98 * x, 0.965 * x):
        k.box(a, b, -0.95 * y, 0.9 * y, low, high - 0.03 * tall, GLASS)


@part("aquarium")
def aquarium_on_a_cabinet(k: Kit) -> None:
    """A fish tank with a dark hood on a cabinet with two doors."""
    x, y, z = k.x, k.y, k.z
    low = 0.5 * z if z > 0.8 else 0.06 * z
    wood, trim = plain(k.main), shade(plain(k.main), 0.6)
    k.box(-x, x, -y, y, 0, low, shade(wood, 0.8))
    if z > 0.8:
        for _, a, b in both_sides(0.97 * x, 0.01):
            k.soft(a, b, -1.03 * y, -0.98 * y, 0.04 * z, low - 0.03, 0.006, wood)
        for side in (-1, 1):
            k.ball((side * 0.08 * x, -1.07 * y, 0.3 * z), 0.015, CHROME, 6)
    _tank(k, low, 0.95 * z, Paint(96, 178, 206))
    k.soft(-x, x, -y, y, 0.94 * z, z, 0.015, trim)
    k.soft(-x, x, -y, y, low - 0.012, low + 0.03, 0.006, trim)


@part("aquarium")
def aquarium_on_a_frame(k: Kit) -> None:
    """A fish tank on an open iron stand with a shelf."""
    x, y, z = k.x, k.y, k.z
    low = 0.5 * z if z > 0.8 else 0.1 * z
    for sx in (-1, 1):
        for sy in (-1, 1):
            k.box(
                sx * 0.95 * x - 0.02,
                sx * 0.95 * x + 0.02,
                sy * 0.93 * y - 0.02,
                sy * 0.93 * y + 0.02,
                0,
                low,
                plain(k.main),
            )
    k.box(-x, x, -y, y, low - 0.03, low, plain(k.main))
    k.box(-0.93 * x, 0.93 * x, -0.9 * y, 0.9 * y, 0.15 * low, 0.15 * low + 0.02, looking(WOOD, "wood"))
    _tank(k, low, 0.97 * z, Paint(70, 150, 180))
    k.frame((-x, x), (-y, -0.92 * y), (0.94 * z, z), 0.03, plain(k.main))
    k.box(-x, x, -y, y, 0.97 * z, z, plain(k.main))


@part("aquarium")
def bow_aquarium(k: Kit) -> None:
    """A fish tank with a bright hood and a rounded base on a closed cabinet with a plinth."""
    x, y, z = k.x, k.y, k.z
    low = 0.46 * z if z > 0.8 else 0.06 * z
    k.soft(-0.96 * x, 0.96 * x, -0.9 * y, y, 0.04 * z, low, 0.03, shade(plain(k.main), 0.7))
    k.box(-0.9 * x, 0.9 * x, -0.8 * y, y, 0, 0.05 * z, BLACK)
    for i in range(3):
        at = (i - 1) * 0.62 * x
        k.soft(
            at - 0.28 * x,
            at + 0.28 * x,
            -0.97 * y,
            -0.88 * y,
            0.08 * z,
            low - 0.05 * z,
            0.01,
            looking(WOOD, "wood"),
        )
    k.slab(shapes.rounded(-x, x, -y, y, 0.1), low - 0.02, low + 0.02, plain(k.main))
    _tank(k, low, 0.9 * z, Paint(80, 170, 190))
    k.frustum((-x, x, -y, y), (-0.8 * x, 0.8 * x, -0.6 * y, 0.9 * y), 0.9 * z, z, plain(k.main))


def _bars(k: Kit, profile: list[tuple[float, float]], count: int, look: Paint) -> None:
    """Wires all around along a profile of shares of the width and heights."""
    for i in range(count):
        a = math.tau * i / count
        k.path(
            [(r * k.x * math.cos(a), r * k.y * math.sin(a), level) for r, level in profile], 0.006, look, 3
        )


def _bird(k: Kit, at: shapes.Point, size: float, look: Paint) -> None:
    x, y, z = at
    k.ball((x, y, z + size), (0.5 * size, 0.55 * size, 0.8 * size), look, 8)
    k.ball((x, y - 0.1 * size, z + 1.9 * size), 0.42 * size, look, 8)
    k.path(
        [(x, y - 0.45 * size, z + 1.9 * size), (x, y - 0.85 * size, z + 1.78 * size)],
        [0.14 * size, 0.01],
        paint("orange"),
        5,
    )
    k.path(
        [(x, y + 0.4 * size, z + 0.7 * size), (x, y + 0.9 * size, z - 0.5 * size)],
        [0.2 * size, 0.12 * size],
        shade(look, 0.7),
        5,
    )


def _stand(k: Kit, low: float, look: Paint) -> None:
    if low > 0:
        k.tube((0, 0, 0.02), (0, 0, low), 0.022, look, 8)
        for i in range(4):
            a = math.tau * (i + 0.5) / 4
            k.path(
                [
                    (0, 0, 0.2 * low),
                    (0.5 * k.x * math.cos(a), 0.5 * k.y * math.sin(a), 0.1 * low),
                    (0.85 * k.x * math.cos(a), 0.85 * k.y * math.sin(a), 0),
                ],
                0.016,
                look,
                5,
            )


def _cage_floor(k: Kit, low: float, tall: float, look: Paint) -> None:
    k.lathe(
        [(0, low), (0.97, low), (1, low + 0.08 * tall), (0.95, low + 0.08 * tall), (0, low + 0.03 * tall)],
        look,
        (0, 0),
        16,
        (k.x, k.y),
    )
    perch = low + 0.4 * tall
    k.tube((-0.9 * k.x, 0, perch), (0.9 * k.x, 0, perch), 0.01, WOOD, 5)
    _bird(k, (-0.15 * k.x, 0, perch), 0.07 * tall + 0.01, Paint(240, 206, 60))
    _bird(k, (0.4 * k.x, 0, perch), 0.06 * tall + 0.01, Paint(90, 170, 220))


@part("bird cage")
def domed_bird_cage(k: Kit) -> None:
    """A round cage with a dome and a ring on top, two birds on a perch, on a stand if it is high."""
    x, y, z = k.x, k.y, k.z
    low = 0.48 * z if z > 1.0 else 0.0
    tall = z - low
    _stand(k, low, k.main)
    dome = [
        (0.96, low + 0.06 * tall),
        (0.96, low + 0.6 * tall),
        (0.8, low + 0.78 * tall),
        (0.45, low + 0.9 * tall),
        (0.0, low + 0.94 * tall),
    ]
    _bars(k, dome, 16, k.main)
    for level in (0.32, 0.6):
        k.add(
            shapes.stretched(shapes.ring(0.96, 0.02, 16, 4), x, y, min(x, y)),
            None,
            (0, 0, low + level * tall),
        )
    _cage_floor(k, low, tall, k.dark)
    k.add(shapes.facing_front(shapes.ring(0.03 * tall, 0.006, 10, 4)), None, (0, 0, z - 0.034 * tall))


@part("bird cage")
def house_bird_cage(k: Kit) -> None:
    """A square cage with a pitched roof of bars, birds on a perch."""
    x, y, z = k.x, k.y, k.z
    low = 0.45 * z if z > 1.0 else 0.0
    tall, wall = z - low, low + 0.68 * (z - low)
    _stand(k, low, k.main)
    k.soft(-x, x, -y, y, low, low + 0.08 * tall, 0.01, k.dark)
    for i in range(7):
        at = -0.96 + 1.92 * i / 6
        for side in (-1, 1):
            k.path(
                [(at * x, side * 0.96 * y, low), (at * x, side * 0.96 * y, wall), (at * x, 0, z - 0.02)],
                0.006,
                None,
                3,
            )
            k.tube(
                (side * 0.96 * x, at * y, low),
                (side * 0.96 * x, at * y, wall + (z - wall) * (1 - abs(at))),
                0.006,
                None,
                3,
            )
    k.tube((-x, 0, z - 0.02), (x, 0, z - 0.02), 0.014, None, 5)
    for side in (-1, 1):
        k.tube((-x, side * 0.96 * y, wall), (x, side * 0.96 * y, wall), 0.01, None, 4)
    k.tube((-0.9 * x, 0, low + 0.4 * tall), (0.9 * x, 0, low + 0.4 * tall), 0.01, WOOD, 5)
    _bird(k, (-0.2 * x, 0, low + 0.4 * tall), 0.07 * tall + 0.01, Paint(90, 190, 110))
    _bird(k, (0.35 * x, 0, low + 0.4 * tall), 0.07 * tall + 0.01, Paint(240, 206, 60))


@part("bird cage")
def hanging_bird_cage(k: Kit) -> None:
    """A bell-shaped cage that hangs from a curved stand if it is high, birds on a perch."""
    x, y, z = k.x, k.y, k.z
    low = 0.4 * z if z > 1.0 else 0.0
    top = 0.93 * z if low else z
    tall = top - low
    if low:
        k.path(
            [
                (0, 0.95 * y, 0),
                (0, 0.98 * y, 0.85 * z),
                (0, 0.7 * y, 0.98 * z),
                (0, 0.2 * y, z),
                (0, 0, 0.95 * z),
            ],
            0.018,
            None,
            6,
        )
        k.lathe([(0, 0), (0.7, 0), (0.7, 0.02), (0, 0.03)], None, (0, 0.2 * y), 14, (x, 0.8 * y))
    bell = [
        (0.86, low + 0.05 * tall),
        (0.74, low + 0.45 * tall),
        (0.66, low + 0.7 * tall),
        (0.4, low + 0.9 * tall),
        (0.0, top),
    ]
    _bars(k, bell, 14, k.main)
    k.add(shapes.stretched(shapes.ring(0.72, 0.02, 14, 4), x, y, min(x, y)), None, (0, 0, low + 0.5 * tall))
    k.lathe(
        [(0, low), (0.86, low), (0.9, low + 0.08 * tall), (0, low + 0.04 * tall)], k.dark, (0, 0), 14, (x, y)
    )
    k.tube((-0.7 * x, 0, low + 0.36 * tall), (0.7 * x, 0, low + 0.36 * tall), 0.01, WOOD, 5)
    _bird(k, (0.1 * x, 0, low + 0.36 * tall), 0.08 * tall + 0.01, Paint(240, 206, 60))
