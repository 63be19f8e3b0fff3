"""Vacuum cleaners, buckets and ladders."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking


@part("vacuum cleaner")
def upright_vacuum(k: Kit) -> None:
    """A broad head with wheels on the floor, a body with a clear drum, a handle with a grip."""
    x, y, z = k.x, k.y, k.z
    look = looking(k.main, "gloss")
    k.soft(-x, x, -y, 0.0, 0.02, 0.11 * z, 0.03, look)
    k.box(-0.9 * x, 0.9 * x, -1.0 * y, -0.94 * y, 0.0, 0.04 * z, BLACK)
    for side in (-1, 1):
        k.add(
            shapes.facing_side(shapes.cylinder(0.06 * z, -0.03, 0.03, 12)),
            DARK,
            (side * 0.75 * x, 0.1 * y, 0.06 * z),
        )
    k.pillow(-0.55 * x, 0.55 * x, -0.1 * y, 0.7 * y, 0.08 * z, 0.56 * z, look, 12, 6, 0.6, 0.4)
    k.lathe(
        [(0, 0.18 * z), (0.4, 0.18 * z), (0.4, 0.46 * z), (0, 0.48 * z)],
        Paint(150, 160, 168),
        (0, 0.0),
        12,
        (x, x),
    )
    k.tube((0, 0.35 * y, 0.5 * z), (0, 0.75 * y, 0.88 * z), 0.022, STEEL, 8)
    k.path(
        [
            (0, 0.75 * y, 0.88 * z),
            (0, 0.6 * y, 0.98 * z),
            (0, 0.85 * y, z),
            (0, y, 0.93 * z),
            (0, 0.8 * y, 0.87 * z),
        ],
        0.024,
        BLACK,
        6,
    )
    k.path(
        [
            (0.5 * x, 0.3 * y, 0.15 * z),
            (0.75 * x, 0.6 * y, 0.35 * z),
            (0.5 * x, 0.7 * y, 0.6 * z),
            (0.1 * x, 0.6 * y, 0.66 * z),
        ],
        0.026,
        DARK,
        6,
    )


@part("vacuum cleaner")
def canister_vacuum(k: Kit) -> None:
    """A low round body on wheels, a ribbed hose that arches up to a tube with a floor nozzle."""
    x, y, z = k.x, k.y, k.z
    look = looking(k.main, "gloss")
    k.pillow(-0.8 * x, 0.8 * x, -0.05 * y, y, 0.02 * z, 0.28 * z, look, 14, 6, 0.8, 0.6)
    k.pillow(-0.5 * x, 0.5 * x, 0.1 * y, 0.85 * y, 0.22 * z, 0.31 * z, DARK, 10, 4, 0.7, 0.7)
    for side in (-1, 1):
        k.add(
            shapes.facing_side(shapes.cylinder(0.1 * z, -0.03, 0.03, 14)),
            DARK,
            (side * 0.82 * x, 0.65 * y, 0.1 * z),
        )
    hose = [
        (0.0, -0.02, 0.18),
        (0.1, -0.3, 0.3),
        (0.45, -0.2, 0.6),
        (0.75, 0.2, 0.85),
        (0.8, 0.4, 0.97),
        (0.72, 0.3, 1.0),
        (0.6, 0.0, 0.94),
    ]
    k.path([(a * x, b * y, c * z) for a, b, c in hose], 0.024, DARK, 6)
    k.tube((0.6 * x, 0.0, 0.95 * z), (0.1 * x, -0.75 * y, 0.06 * z), 0.02, CHROME, 8)
    k.soft(-0.75 * x, 0.95 * x, -y, -0.72 * y, 0, 0.07 * z, 0.02, BLACK)


@part("vacuum cleaner")
def stick_vacuum(k: Kit) -> None:
    """A flat nozzle, a long straight tube, and a motor with a clear dust cup and a pistol grip on top."""
    x, y, z = k.x, k.y, k.z
    look = looking(k.main, "gloss")
    k.soft(-x, x, -y, -0.4 * y, 0, 0.06 * z, 0.02, DARK)
    k.add(
        shapes.facing_side(shapes.cylinder(0.03 * z, -0.85 * x, 0.85 * x, 10)), look, (0, -0.5 * y, 0.06 * z)
    )
    k.tube((0, -0.6 * y, 0.05 * z), (0, 0.05 * y, 0.72 * z), 0.02, look, 8)
    k.tube((0, 0.05 * y, 0.7 * z), (0, 0.25 * y, 0.92 * z), 0.055, Paint(176, 190, 200), 12)
    k.tube((0, 0.22 * y, 0.9 * z), (0, 0.32 * y, z - 0.01), 0.065, look, 12)
    k.path(
        [
            (0, 0.3 * y, 0.96 * z),
            (0, 0.8 * y, 0.95 * z),
            (0, y, 0.88 * z),
            (0, 0.75 * y, 0.76 * z),
            (0, 0.3 * y, 0.78 * z),
        ],
        0.022,
        BLACK,
        6,
    )
    k.soft(-0.12 * x, 0.12 * x, 0.5 * y, 0.95 * y, 0.68 * z, 0.78 * z, 0.012, BLACK)


def _bail(k: Kit, rim: float, top: float, look: Paint) -> None:
    """A wire handle over the top."""
    line = [
        (k.x * 0.93 * math.cos(a), 0.0, rim + (top - rim) * math.sin(a))
        for a in (math.pi * i / 10 for i in range(11))
    ]
    k.path(line, 0.008, look, 5)
    k.tube((-0.2 * k.x, 0, top - 0.003), (0.2 * k.x, 0, top - 0.003), 0.016, BLACK, 6)


@part("bucket")
def plain_bucket(k: Kit) -> None:
    """A conical pail with a rim, water in it and a wire handle that stands up."""
    z = k.z
    k.round([(0, 0), (0.68, 0), (0.9, 0.64), (0.96, 0.64), (0.98, 0.7), (0.88, 0.7), (0.84, 0.5)], None, 18)
    k.round([(0.85, 0.56), (0, 0.56)], Paint(140, 190, 210, 0), 18)
    _bail(k, 0.64 * z, z, STEEL)


@part("bucket")
def bucket_with_sponge(k: Kit) -> None:
    """A pail with hoops, foam and a yellow sponge in it, its handle down at the side."""
    x, y, z = k.x, k.y, k.z
    k.round(
        [
            (0, 0),
            (0.7, 0),
            (0.78, 0.3),
            (0.82, 0.3),
            (0.82, 0.34),
            (0.8, 0.36),
            (0.93, 0.84),
            (0.98, 0.86),
            (0.98, 0.9),
            (0.88, 0.9),
        ],
        None,
        18,
    )
    k.round([(0.9, 0.84), (0, 0.88)], Paint(240, 246, 250), 18)
    for i in range(6):
        a = math.tau * i / 6
        k.ball(
            (0.5 * x * math.cos(a), 0.5 * y * math.sin(a), 0.88 * z),
            (0.25 * x, 0.25 * y, 0.1 * z),
            Paint(246, 250, 252),
            6,
        )
    sponge = shapes.soft(-0.3 * x, 0.3 * x, -0.2 * y, 0.2 * y, 0, 0.14 * z, 0.012)
    k.add(shapes.turned(sponge, 1, 12), paint("yellow"), (0, 0, 0.86 * z))
    k.path(
        [
            (-0.96 * x, 0, 0.84 * z),
            (-0.9 * x, -0.8 * y, 0.5 * z),
            (0, -0.98 * y, 0.36 * z),
            (0.9 * x, -0.8 * y, 0.5 * z),
            (0.96 * x, 0, 0.84 * z),
        ],
        0.008,
        STEEL,
        5,
    )


@part("bucket")
def mop_bucket(k: Kit) -> None:
    """An oval pail with a wringer on one side and a pouring lip."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (0.75, 0), (0.92, 0.66), (0.98, 0.7), (0.88, 0.7), (0.84, 0.5)], None, 18)
    k.round([(0.86, 0.55), (0, 0.55)], Paint(140, 190, 210, 0), 18)
    k.lathe(
        [(0.15, 0.4 * z), (0.5, 0.62 * z), (0.55, 0.76 * z), (0.5, 0.76 * z), (0.12, 0.42 * z)],
        k.dark,
        (0.4 * x, 0),
        12,
        (x, y),
    )
    for i in range(6):
        a = math.tau * i / 6
        k.box(
            0.4 * x + 0.3 * x * math.cos(a) - 0.01,
            0.4 * x + 0.3 * x * math.cos(a) + 0.01,
            0.3 * y * math.sin(a) - 0.01,
            0.3 * y * math.sin(a) + 0.01,
            0.5 * z,
            0.58 * z,
            BLACK,
        )
    _bail(k, 0.68 * z, z, STEEL)


def _steps(k: Kit, count: int, front: float, top: float, deep: float, look: Paint) -> None:
    """Flat treads from the floor at `front` to the top at the middle."""
    for i in range(count):
        share = (i + 1) / (count + 0.4)
        wide = 0.9 - 0.22 * share
        at, level = front * (1 - 0.86 * share), top * share
        k.soft(-wide * k.x, wide * k.x, at - deep, at + deep, level - 0.012, level + 0.018, 0.006, look)


@part("ladder")
def step_ladder(k: Kit) -> None:
    """An A-shaped stepladder with flat treads and a platform."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path([(side * 0.96 * x, -y, 0), (side * 0.7 * x, -0.05 * y, z)], 0.024, None, 4)
        k.path([(side * 0.92 * x, y, 0), (side * 0.68 * x, 0.1 * y, 0.88 * z)], 0.018, k.light, 4)
    for level in (0.25, 0.55):
        at = y * (1 - level)
        k.tube((-0.8 * x, at, level * z * 0.95), (0.8 * x, at, level * z * 0.95), 0.012, k.light, 5)
    _steps(k, 5, -y, 0.9 * z, 0.06, k.main)
    k.soft(-0.72 * x, 0.72 * x, -0.25 * y, 0.3 * y, 0.9 * z, 0.93 * z, 0.008, DARK)


@part("ladder")
def leaning_ladder(k: Kit) -> None:
    """Two straight rails with many rungs that lean against the wall."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path([(side * 0.93 * x, -0.9 * y, 0), (side * 0.86 * x, 0.9 * y, z)], 0.028, None, 4)
        k.box(side * 0.93 * x - 0.03, side * 0.93 * x + 0.03, -y, -0.8 * y, 0, 0.04, BLACK)
    rungs = max(6, round(z / 0.24))
    for i in range(rungs):
        share = (i + 0.6) / rungs
        at = (-0.9 + 1.8 * share) * y
        k.tube((-0.9 * x, at, share * z), (0.9 * x, at, share * z), 0.018, k.light, 6)


@part("ladder")
def trestle_ladder(k: Kit) -> None:
    """Two ladders of rungs joined at their heads, with a rope between them."""
    x, y, z = k.x, k.y, k.z
    for front in (-1, 1):
        for side in (-1, 1):
            k.path(
                [(side * 0.95 * x, front * 0.95 * y, 0), (side * 0.6 * x, front * 0.06 * y, z)],
                0.024,
                None,
                4,
            )
        for i in range(6):
            share = (i + 0.7) / 6.6
            wide, at = 0.95 - 0.35 * share, front * y * (0.95 - 0.89 * share)
            k.tube(
                (-wide * x, at, share * z),
                (wide * x, at, share * z),
                0.016,
                WOOD if k.item.material == "wood" else k.light,
                6,
            )
    for _, a, b in both_sides(0.66 * x, 0.54 * x):
        k.soft(a, b, -0.15 * y, 0.15 * y, 0.93 * z, z, 0.01, STEEL)
    k.path(
        [(0.8 * x, -0.6 * y, 0.38 * z), (0.8 * x, 0, 0.3 * z), (0.8 * x, 0.6 * y, 0.38 * z)],
        0.008,
        shade(WOOD, 1.3),
        4,
    )
