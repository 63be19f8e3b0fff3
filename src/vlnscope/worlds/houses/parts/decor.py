"""Things that make a room pleasant."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import DARK_WOOD, LEAF, Kit, part

_PETALS = ("red", "yellow", "pink", "orange", "lavender", "white")


def _leaf(base: shapes.Point, angle: float, length: float, rise: float, width: float) -> shapes.Shape:
    """A pointed leaf that rises from `base` and bends down at its tip."""
    cos, sin = math.cos(angle), math.sin(angle)

    def point(along: float, side: float, up: float) -> shapes.Point:
        return (base[0] + cos * along - sin * side, base[1] + sin * along + cos * side, base[2] + up)

    middle, tip = point(0.55 * length, 0, rise), point(length, 0, 0.62 * rise)
    left, right = point(0.5 * length, width, 0.92 * rise), point(0.5 * length, -width, 0.92 * rise)
    first, second = shapes.quad(base, right, middle, left), shapes.quad(middle, right, tip, left)
    return shapes.together([first, second])


@part("plant")
def plant(k: Kit) -> None:
    """A pot in the main colour (terracotta if it is green), soil, and leaves all around."""
    radius, z = min(k.x, k.y), k.z
    pot = paint("copper") if k.item.colour in ("green", "olive", "sage", "mint") else shade(k.main, 1.0)
    tall = min(0.3 * z, 0.34)
    rim = min(0.62 * radius, 0.8 * tall)
    k.lathe(
        [(0, 0), (0.68, 0), (0.92, 0.82), (1, 0.82), (1, 1), (0.86, 1), (0.84, 0.9)], pot, scale=(rim, tall)
    )
    k.lathe([(0.85 * rim, 0.9 * tall), (0, 0.92 * tall)], Paint(70, 50, 36))
    tones = (LEAF, shade(LEAF, 0.75), shade(LEAF, 1.2), Paint(96, 150, 72))
    if z > 0.7:
        k.tube((0, 0, tall * 0.9), (0.02, 0.01, 0.62 * z), 0.018, DARK_WOOD, 5)
    rings = (
        ((1.0, 0.28, 9), (0.9, 0.5, 8), (0.6, 0.72, 7), (0.28, 0.92, 5))
        if z > 0.4
        else ((1.0, 0.4, 8), (0.6, 0.8, 6), (0.2, 1.0, 4))
    )
    for level, (reach, rise, count) in enumerate(rings):
        base = tall * 0.9 + (z - tall) * (0.16 * level if z > 0.7 else 0.0)
        for i in range(count):
            angle = math.tau * (i / count) + 0.5 * level + 0.35 * k.rng.random()
            long = radius * reach * (0.85 + 0.15 * k.rng.random())
            up = max(0.08 * z, tall + (z - tall) * rise - base)
            k.add(_leaf((0.0, 0.0, base), angle, long, up, 0.26 * radius), tones[(i + level) % 4])


@part("vase")
def vase(k: Kit) -> None:
    """A bellied vase; a tall one holds flowers."""
    radius, z = min(k.x, k.y), k.z
    tall = 0.56 * z if z > 0.24 else z
    r = 0.62 * radius if z > 0.24 else radius
    k.lathe(
        [
            (0, 0),
            (0.5, 0),
            (0.9, 0.25),
            (1, 0.42),
            (0.72, 0.68),
            (0.4, 0.86),
            (0.56, 1),
            (0.44, 1),
            (0.3, 0.86),
            (0, 0.6),
        ],
        oval=k.oval,
        sides=16,
        scale=(r, tall),
    )
    if z <= 0.24:
        return
    tint = paint(_PETALS[int(k.rng.integers(len(_PETALS)))])
    for i in range(6):
        angle, out = math.tau * i / 6, (0.72 if i % 2 else 0.4) * radius
        end = (math.cos(angle) * out, math.sin(angle) * out, (0.84 + 0.1 * (i % 3) / 2) * z)
        k.tube((0, 0, 0.8 * tall), end, 0.006, LEAF, 4)
        k.ball(end, (0.26 * radius, 0.26 * radius, 0.055 * z), tint if i % 2 else shade(tint, 1.3), 7)
        k.ball((end[0], end[1], end[2] + 0.05 * z), 0.09 * radius, Paint(240, 200, 70), 5)
        k.add(_leaf((0, 0, 0.9 * tall), angle + 0.5, 0.6 * radius, 0.14 * z, 0.1 * radius), LEAF)


@part("cushion")
def cushion(k: Kit) -> None:
    """A pillow with pinched corners and a stripe; it leans if its box is high."""
    x, y, z = k.x, k.y, k.z
    look = k.main._replace(texture=5)
    flat = z <= 1.2 * y
    tall, thick = (y, z) if flat else (z / 2, 2 * y)
    n, rows = 8, []
    for i in range(n + 1):
        for j in range(n + 1):
            u, v = 2 * i / n - 1, 2 * j / n - 1
            bulge = (1 - u * u) ** 0.6 * (1 - v * v) ** 0.6
            pinch = 1 - 0.1 * (1 - abs(u)) * abs(v) ** 3, 1 - 0.1 * (1 - abs(v)) * abs(u) ** 3
            rows.append((u * pinch[1] * x, v * pinch[0] * tall, bulge * thick / 2))
    for sign, tone in ((1, look), (-1, k.dark)):
        points = [(px, py, sign * (pz + 0.003)) for px, py, pz in rows]
        for i in range(n):
            for j in range(n):
                a, b = i * (n + 1) + j, (i + 1) * (n + 1) + j
                ring = (a, b, b + 1, a + 1) if sign > 0 else (a + 1, b + 1, b, a)
                stripe = shade(look, 1.5) if sum(look[:3]) < 500 else shade(look, 0.72)
                shape = shapes.quad(*(points[corner] for corner in ring))
                k.add(
                    shape if flat else shapes.facing_front(shape),
                    stripe if sign > 0 and i in (1, 6) else tone,
                )


@part("statue")
def statue(k: Kit) -> None:
    """A standing figure on a plinth; a small one is a bust."""
    x, y, z = k.x, k.y, k.z
    base = 0.16 * z
    k.box(-0.95 * x, 0.95 * x, -0.95 * y, 0.95 * y, 0, 0.04 * z, k.dark)
    k.box(-0.8 * x, 0.8 * x, -0.8 * y, 0.8 * y, 0.04 * z, base - 0.02 * z, k.dark)
    k.box(-0.95 * x, 0.95 * x, -0.95 * y, 0.95 * y, base - 0.02 * z, base, k.dark)
    u = (z - base) / 7.5
    wide = min(1.0, x / (1.25 * u)) if u else 1.0

    def limb(a: shapes.Point, b: shapes.Point, r: float, tip: float) -> None:
        ends = [(p[0] * u * wide, p[1] * u * wide, base + p[2] * u) for p in (a, b)]
        k.tube(ends[0], ends[1], r * u * wide, None, 7, tip * u * wide)

    for side in (-1, 1):
        limb((side * 0.42, 0, 0), (side * 0.32, 0, 3.4), 0.26, 0.42)
        limb((side * 0.42, -0.3, 0.12), (side * 0.42, 0.1, 0.15), 0.18, 0.2)
    k.ball((0, 0, base + 3.45 * u), (0.72 * u * wide, 0.5 * u * wide, 0.5 * u), None, 8)
    k.lathe(
        [
            (0, base + 3.3 * u),
            (0.66, base + 3.5 * u),
            (0.52, base + 4.3 * u),
            (0.8, base + 5.5 * u),
            (0.7, base + 5.9 * u),
            (0.25, base + 6.1 * u),
            (0.22, base + 6.5 * u),
        ],
        None,
        (0, 0),
        10,
        (u * wide, 0.65 * u * wide),
    )
    limb((-0.75, 0, 5.7), (-1.05, 0.05, 4.5), 0.24, 0.2)
    limb((-1.05, 0.05, 4.5), (-0.6, -0.4, 3.7), 0.2, 0.15)
    limb((0.75, 0, 5.7), (1.15, -0.1, 6.5), 0.24, 0.2)
    limb((1.15, -0.1, 6.5), (0.8, -0.2, 7.4), 0.2, 0.15)
    k.ball((0, -0.03 * u, base + 6.95 * u), (0.42 * u * wide, 0.46 * u * wide, 0.55 * u), None, 8)
