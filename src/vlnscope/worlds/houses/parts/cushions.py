"""Cushions and statues."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _contrast(look: Paint) -> Paint:
    return shade(look, 1.5) if sum(look[:3]) < 500 else shade(look, 0.72)


def _puff(k: Kit, front: Paint, back: Paint, stripe: Paint | None, round_: bool = False) -> None:
    """A bulging pillow with pinched corners that lies, or stands if its box is high."""
    x, y, z = k.x, k.y, k.z
    flat = z <= 1.2 * y
    tall, thick = (y, z) if flat else (z / 2, 2 * y)
    n, rows = 8, []
    for i in range(n + 1):
        for j in range(n + 1):
            u, v = 2 * i / n - 1, 2 * j / n - 1
            bulge = max(0.0, (1 - u * u) * (1 - v * v)) ** 0.6
            if round_:
                size = math.hypot(u, v)
                most = max(abs(u), abs(v))
                u, v = (u * most / size, v * most / size) if size else (0.0, 0.0)
                bulge = max(0.0, 1 - most * most) ** 0.5 - 0.25 * max(0.0, 1 - 4 * most)
            pinch = (
                (1 - 0.1 * (1 - abs(u)) * abs(v) ** 3, 1 - 0.1 * (1 - abs(v)) * abs(u) ** 3)
                if not round_
                else (1.0, 1.0)
            )
            rows.append((u * pinch[1] * x, v * pinch[0] * tall, bulge * thick / 2))
    for sign, tone in ((1, front), (-1, back)):
        points = [(px, py, sign * (pz + 0.003)) for px, py, pz in rows]
        for i in range(n):
            for j in range(n):
                a, b = i * (n + 1) + j, (i + 1) * (n + 1) + j
                ring = (a, b, b + 1, a + 1) if sign > 0 else (a + 1, b + 1, b, a)
                shape = shapes.quad(*(points[corner] for corner in ring))
                striped = stripe is not None and sign > 0 and i in (1, 6)
                k.add(shape if flat else shapes.facing_front(shape), stripe if striped else tone)


@part("cushion")
def striped_cushion(k: Kit) -> None:
    """A pillow with pinched corners and two stripes; it stands if its box is high."""
    look = looking(k.main, "fabric")
    _puff(k, look, k.dark, _contrast(look))


@part("cushion")
def knitted_cushion(k: Kit) -> None:
    """A knitted pillow with a tassel at each corner."""
    look = looking(k.main, "knit")
    _puff(k, look, k.dark, None)
    flat = k.z <= 1.2 * k.y
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * k.x, sy * k.y, 0.0) if flat else (sx * k.x, 0.0, sy * k.z / 2)
            k.ball(at, 0.022, _contrast(look), 6)


@part("cushion")
def round_cushion(k: Kit) -> None:
    """A round velvet pillow with a button in its middle and a cord around it."""
    look = looking(k.main, "velvet")
    _puff(k, look, shade(look, 0.85), None, round_=True)
    flat = k.z <= 1.2 * k.y
    tall, thick = (k.y, k.z) if flat else (k.z / 2, 2 * k.y)
    cord = shapes.stretched(shapes.ring(0.98, 0.03, 18, 4), k.x, tall, min(k.x, tall))
    button = shapes.moved(
        shapes.ball((0, 0, 0), (0.12 * k.x, 0.12 * tall, 0.08 * thick), 7, 4), 0, 0, 0.34 * thick
    )
    for shape in (cord, button):
        k.add(shape if flat else shapes.facing_front(shape), _contrast(look))


def _plinth(k: Kit, base: float) -> None:
    x, y = k.x, k.y
    k.soft(-0.95 * x, 0.95 * x, -0.95 * y, 0.95 * y, 0, 0.25 * base, 0.008, k.dark)
    k.box(-0.8 * x, 0.8 * x, -0.8 * y, 0.8 * y, 0.25 * base, 0.88 * base, k.dark)
    k.soft(-0.95 * x, 0.95 * x, -0.95 * y, 0.95 * y, 0.88 * base, base, 0.008, k.dark)


@part("statue")
def standing_statue(k: Kit) -> None:
    """A standing figure with one raised arm on a plinth."""
    x, z = k.x, k.z
    base = 0.16 * z
    _plinth(k, base)
    u = (z - base) / 7.5
    wide = min(1.0, x / (1.25 * u)) if u else 1.0

    def limb(a: shapes.Point, b: shapes.Point, r: float, tip: float) -> None:
        ends = [(p[0] * u * wide, p[1] * u * wide, base + p[2] * u) for p in (a, b)]
        k.tube(ends[0], ends[1], r * u * wide, None, 8, tip * u * wide)

    for side in (-1, 1):
        limb((side * 0.42, 0, 0), (side * 0.32, 0, 3.4), 0.26, 0.42)
        limb((side * 0.42, -0.3, 0.12), (side * 0.42, 0.1, 0.15), 0.18, 0.2)
    k.ball((0, 0, base + 3.45 * u), (0.72 * u * wide, 0.5 * u * wide, 0.5 * u), None, 8)
    torso = [(0, 3.3), (0.66, 3.5), (0.52, 4.3), (0.8, 5.5), (0.7, 5.9), (0.25, 6.1), (0.22, 6.5)]
    k.lathe([(r, base + h * u) for r, h in torso], None, (0, 0), 10, (u * wide, 0.65 * u * wide))
    limb((-0.75, 0, 5.7), (-1.05, 0.05, 4.5), 0.24, 0.2)
    limb((-1.05, 0.05, 4.5), (-0.6, -0.4, 3.7), 0.2, 0.15)
    limb((0.75, 0, 5.7), (1.15, -0.1, 6.5), 0.24, 0.2)
    limb((1.15, -0.1, 6.5), (0.8, -0.2, 7.4), 0.2, 0.15)
    k.ball((0, -0.03 * u, base + 6.95 * u), (0.42 * u * wide, 0.46 * u * wide, 0.55 * u), None, 10)


@part("statue")
def bust_statue(k: Kit) -> None:
    """A head with shoulders, hair and a beard on a tall fluted column."""
    x, y, z = k.x, k.y, k.z
    base = 0.52 * z
    k.soft(-0.9 * x, 0.9 * x, -0.9 * y, 0.9 * y, 0, 0.06 * z, 0.01, k.dark)
    k.lathe(
        [(0.7, 0.06 * z), (0.6, 0.1 * z), (0.55, base - 0.06 * z), (0.72, base - 0.03 * z)],
        k.dark,
        (0, 0),
        14,
        (x, y),
    )
    k.soft(-0.85 * x, 0.85 * x, -0.85 * y, 0.85 * y, base - 0.03 * z, base, 0.008, k.dark)
    h = z - base
    k.lathe([(0.4, base), (0.3, base + 0.08 * h), (0.36, base + 0.12 * h)], None, (0, 0), 12, (x, y))
    k.pillow(-0.98 * x, 0.98 * x, -0.55 * y, 0.55 * y, base + 0.1 * h, base + 0.46 * h, None, 14, 6, 0.8, 0.6)
    k.tube((0, 0, base + 0.4 * h), (0, -0.05 * y, base + 0.6 * h), 0.24 * x, None, 10, 0.22 * x)
    head = base + 0.75 * h
    k.ball((0, -0.05 * y, head), (0.38 * x, 0.46 * y, 0.24 * h), None, 12)
    k.frustum(
        (-0.08 * x, 0.08 * x, -0.62 * y, -0.4 * y),
        (-0.04 * x, 0.04 * x, -0.5 * y, -0.4 * y),
        head - 0.06 * h,
        head + 0.06 * h,
    )
    for side in (-1, 1):
        k.ball((side * 0.15 * x, -0.45 * y, head + 0.05 * h), (0.06 * x, 0.05 * y, 0.03 * h), k.dark, 6)
        k.ball((side * 0.4 * x, -0.02 * y, head), (0.06 * x, 0.1 * y, 0.07 * h), None, 6)
    k.ball((0, -0.34 * y, head - 0.17 * h), (0.26 * x, 0.2 * y, 0.13 * h), k.dark, 8)
    for i in range(9):
        a = math.pi * (0.05 + 0.9 * i / 8)
        k.ball(
            (0.36 * x * math.cos(a), 0.08 * y, head + 0.2 * h * math.sin(a) + 0.02 * h),
            (0.14 * x, 0.3 * y, 0.09 * h),
            k.dark,
            6,
        )


@part("statue")
def horse_statue(k: Kit) -> None:
    """A horse that stands on a plinth with its head high, one leg raised."""
    x, y, z = k.x, k.y, k.z
    base = 0.2 * z
    _plinth(k, base)
    h = z - base

    def at(a: float, b: float, c: float) -> shapes.Point:
        return (b * x, a * y, base + c * h)

    k.path(
        [at(0, 0.75, 0.52), at(0, 0.4, 0.58), at(0, -0.2, 0.54), at(0, -0.55, 0.58)],
        [0.12 * h, 0.17 * h, 0.16 * h, 0.14 * h],
        None,
        10,
    )
    k.path([at(0, -0.5, 0.6), at(0, -0.68, 0.8), at(0, -0.7, 0.92)], [0.13 * h, 0.09 * h, 0.07 * h], None, 8)
    k.path(
        [at(0, -0.62, 0.95), at(0, -0.9, 0.84), at(0, -1.0, 0.78)], [0.075 * h, 0.06 * h, 0.04 * h], None, 8
    )
    for side in (-1, 1):
        k.path([at(0.16 * side, -0.68, 0.96), at(0.16 * side, -0.66, 1.02)], [0.03 * h, 0.005], None, 5)
        k.path(
            [at(0.3 * side, 0.6, 0.5), at(0.34 * side, 0.72, 0.26), at(0.34 * side, 0.64, 0.0)],
            [0.09 * h, 0.045 * h, 0.04 * h],
            None,
            7,
        )
    k.path(
        [at(0.3, -0.5, 0.5), at(0.3, -0.52, 0.25), at(0.3, -0.5, 0.0)],
        [0.08 * h, 0.045 * h, 0.04 * h],
        None,
        7,
    )
    k.path(
        [at(-0.3, -0.5, 0.5), at(-0.3, -0.85, 0.38), at(-0.3, -0.75, 0.16)],
        [0.08 * h, 0.045 * h, 0.035 * h],
        None,
        7,
    )
    k.path([at(0, 0.8, 0.6), at(0, 1.0, 0.5), at(0, 0.98, 0.2)], [0.04 * h, 0.06 * h, 0.02 * h], k.dark, 6)
    for i in range(4):
        k.ball(at(0, -0.5 - 0.05 * i, 0.7 + 0.08 * i), (0.14 * x, 0.1 * y, 0.07 * h), k.dark, 6)
