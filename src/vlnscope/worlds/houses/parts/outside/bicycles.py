"""Bicycles."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import paint
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_Pair = tuple[float, float]


def _wheel(k: Kit, at: _Pair, radius: float, tyre: float) -> None:
    """A tyre, a rim and spokes."""
    x, z = at
    k.add(shapes.facing_front(shapes.ring(radius - tyre, tyre, 18, 4)), BLACK, (x, 0, z))
    k.add(shapes.facing_front(shapes.ring(radius - 2.1 * tyre, 0.009, 16, 3)), CHROME, (x, 0, z))
    for i in range(8):
        a = math.tau * i / 8
        reach = radius - 2 * tyre
        k.tube((x, 0, z), (x + reach * math.cos(a), 0, z + reach * math.sin(a)), 0.004, STEEL, 3)
    k.add(shapes.facing_front(shapes.cylinder(0.03, -0.04, 0.04, 8)), STEEL, (x, 0, z))


def _tubes(k: Kit, pairs: tuple[tuple[_Pair, _Pair], ...], thick: float) -> None:
    for (a, b), (c, d) in pairs:
        k.tube((a, 0, b), (c, 0, d), thick, looking(k.main, "gloss"), 6)


def _cranks(k: Kit, at: _Pair, back: _Pair) -> None:
    """A chain wheel, a chain to the back wheel, and pedals."""
    x, z = at
    k.add(shapes.facing_front(shapes.ring(0.08, 0.012, 12, 4)), STEEL, (x, -0.03, z))
    for side in (-1, 1):
        k.tube((x, -0.03, z + 0.07 * side), (back[0], -0.03, back[1] + 0.035 * side), 0.005, DARK, 3)
        pedal, low = x + side * 0.14, z - side * 0.07
        k.tube((x, side * 0.05, z), (pedal, side * 0.05, low), 0.011, STEEL, 4)
        sole = (side * 0.1 - 0.04, side * 0.1 + 0.04)
        k.box(pedal - 0.05, pedal + 0.05, *sole, low - 0.014, low + 0.014, DARK)


def _saddle(k: Kit, at: float, level: float) -> None:
    y = k.y
    k.pillow(
        at - 0.14 * k.x,
        at + 0.17 * k.x,
        -0.34 * y,
        0.34 * y,
        level - 0.03 * k.z,
        level + 0.02 * k.z,
        BLACK,
        10,
        4,
        0.9,
        0.7,
    )


def _axles(k: Kit, share: float) -> tuple[float, _Pair, _Pair]:
    r = min(share * k.z, 0.5 * k.x)
    return r, (k.x - r, r), (-k.x + r, r)


@part("bicycle")
def touring_bicycle(k: Kit) -> None:
    """A diamond frame, straight handlebar, saddle, pedals; it rides along its longer side."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    r, back, front = _axles(k, 0.34)
    crank, seat, head = (0.1 * x, 0.85 * r), (0.32 * x, 0.82 * z), (-0.5 * x, 0.76 * z)
    _wheel(k, back, r, 0.022)
    _wheel(k, front, r, 0.022)
    _tubes(
        k,
        (
            (crank, seat),
            (crank, head),
            ((0.3 * x, 0.74 * z), (-0.49 * x, 0.72 * z)),
            (back, crank),
            (back, (0.3 * x, 0.74 * z)),
            ((-0.46 * x, 0.93 * z), (-0.54 * x, 0.6 * z)),
        ),
        0.02,
    )
    k.tube((-0.54 * x, 0, 0.62 * z), (front[0], 0, front[1]), 0.018, CHROME, 6)
    k.path(
        [
            (-0.36 * x, -y, 0.95 * z),
            (-0.5 * x, -0.7 * y, 0.97 * z),
            (-0.46 * x, 0, 0.93 * z),
            (-0.5 * x, 0.7 * y, 0.97 * z),
            (-0.36 * x, y, 0.95 * z),
        ],
        0.016,
        DARK,
        5,
    )
    k.tube((seat[0], 0, seat[1]), (0.34 * x, 0, 0.88 * z), 0.014, CHROME, 6)
    _saddle(k, 0.34 * x, 0.9 * z)
    _cranks(k, crank, back)


@part("bicycle")
def city_bicycle(k: Kit) -> None:
    """A low curved frame to step through, mudguards, a basket in front, a carrier behind, a lamp."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    r, back, front = _axles(k, 0.32)
    crank, seat = (0.08 * x, 0.85 * r), (0.32 * x, 0.78 * z)
    _wheel(k, back, r, 0.024)
    _wheel(k, front, r, 0.024)
    _tubes(
        k,
        (
            (crank, seat),
            (back, crank),
            (back, (0.28 * x, 0.6 * z)),
            ((-0.44 * x, 0.92 * z), (-0.52 * x, 0.56 * z)),
        ),
        0.02,
    )
    k.path(
        [(crank[0], 0, crank[1]), (-0.2 * x, 0, 0.4 * z), (-0.5 * x, 0, 0.64 * z)],
        0.024,
        looking(k.main, "gloss"),
        6,
    )
    k.tube((-0.52 * x, 0, 0.58 * z), (front[0], 0, front[1]), 0.016, CHROME, 6)
    for at in (back, front):
        guard = [
            (at[0] + (r + 0.012) * math.cos(a), 0, at[1] + (r + 0.012) * math.sin(a))
            for a in (math.pi * (0.05 + 0.85 * i / 7) for i in range(8))
        ]
        k.path(guard, 0.02, looking(k.main, "gloss"), 4)
    k.path(
        [
            (-0.2 * x, -y, 0.97 * z),
            (-0.4 * x, -0.8 * y, 0.99 * z),
            (-0.44 * x, 0, 0.95 * z),
            (-0.4 * x, 0.8 * y, 0.99 * z),
            (-0.2 * x, y, 0.97 * z),
        ],
        0.015,
        CHROME,
        5,
    )
    k.frustum(
        (-0.86 * x, -0.58 * x, -0.45 * y, 0.45 * y),
        (-0.92 * x, -0.54 * x, -0.6 * y, 0.6 * y),
        0.72 * z,
        0.92 * z,
        looking(paint("tan"), "thatch"),
    )
    k.box(0.4 * x, 0.88 * x, -0.25 * y, 0.25 * y, 0.7 * z, 0.72 * z, DARK)
    k.tube((0.7 * x, 0, 0.7 * z), (back[0], 0, back[1]), 0.01, DARK, 4)
    k.tube((seat[0], 0, seat[1]), (0.34 * x, 0, 0.86 * z), 0.014, CHROME, 6)
    _saddle(k, 0.34 * x, 0.88 * z)
    _cranks(k, crank, back)


@part("bicycle")
def racing_bicycle(k: Kit) -> None:
    """Large thin wheels, a high diamond frame, a handlebar with drops, a slim saddle and a bottle."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    r, back, front = _axles(k, 0.35)
    crank, seat = (0.08 * x, 0.8 * r), (0.3 * x, 0.86 * z)
    _wheel(k, back, r, 0.014)
    _wheel(k, front, r, 0.014)
    _tubes(
        k,
        (
            (crank, (0.29 * x, 0.8 * z)),
            (crank, (-0.5 * x, 0.68 * z)),
            ((0.28 * x, 0.78 * z), (-0.48 * x, 0.8 * z)),
            (back, crank),
            (back, (0.28 * x, 0.78 * z)),
            ((-0.46 * x, 0.88 * z), (-0.53 * x, 0.62 * z)),
        ),
        0.019,
    )
    k.tube((-0.53 * x, 0, 0.64 * z), (front[0], 0, front[1]), 0.016, DARK, 6)
    for side in (-1, 1):
        k.path(
            [
                (-0.5 * x, 0, 0.9 * z),
                (-0.52 * x, side * y, 0.91 * z),
                (-0.66 * x, side * y, 0.88 * z),
                (-0.68 * x, side * y, 0.78 * z),
                (-0.56 * x, side * y, 0.74 * z),
            ],
            0.015,
            BLACK,
            5,
        )
    k.tube((0.29 * x, 0, 0.8 * z), (seat[0] + 0.03 * x, 0, 0.95 * z), 0.013, CHROME, 6)
    k.pillow(0.16 * x, 0.46 * x, -0.24 * y, 0.24 * y, 0.94 * z, z, BLACK, 10, 4, 0.9, 0.7)
    k.tube((-0.12 * x, 0, 0.46 * z), (-0.24 * x, 0, 0.58 * z), 0.035, paint("white"), 8)
    k.ball((-0.25 * x, 0, 0.6 * z), 0.02, WOOD, 5)
    _cranks(k, crank, back)
