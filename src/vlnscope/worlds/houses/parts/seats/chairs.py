"""Chairs; all of one size look alike, so those around a table match."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import CORNERS, DARK_WOOD, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_HARD = ("wood", "oak", "walnut", "pine", "bamboo", "metal", "plastic")


_SOFT = ("fabric", "leather", "velvet", "linen", "cotton", "wicker", "rattan")


def frame_look(k: Kit) -> Paint:
    """Return the look of legs: dark wood under cloth, else a darker tone of the main colour."""
    return DARK_WOOD if k.item.material in _SOFT else k.dark


def _back_posts(k: Kit, low: float, lean: float, thick: float, look: Paint) -> None:
    """Two posts that lean back from the seat to the top."""
    x, y, z = k.x, k.y, k.z
    for _, a, b in both_sides(x - 0.01, x - 0.01 - thick):
        k.frustum((a, b, y - lean - thick, y - lean), (a, b, y - thick, y), low, z, look)


@part("chair", *_HARD)
def ladder_back_chair(k: Kit) -> None:
    """Four legs, a seat with a dip, posts that lean back with three curved rails, stretchers."""
    x, y, z = k.x, k.y, k.z
    seat, thick, lean = 0.5 * z, 0.036, 0.06
    k.legs(thick + 0.008, seat - 0.02, k.dark, inset=0.005, taper=0.7)
    k.soft(-x, x, -y, y - lean + 0.02, seat - 0.035, seat, 0.012)
    _back_posts(k, seat - 0.02, lean, thick, k.dark)
    for share in (0.3, 0.58, 0.86):
        low = seat + share * (z - seat) - 0.04
        at = y - lean + share * lean
        line = [(s * (x - thick), at - 0.02 + 0.03 * (1 - s * s), low) for s in (-1.0, -0.5, 0.0, 0.5, 1.0)]
        points = [*((a, b - 0.008) for a, b, _ in line), *((a, b + 0.012) for a, b, _ in reversed(line))]
        k.slab(points, low, low + 0.14 * (z - seat))
    _stretchers(k, 0.22 * z)


def _stretchers(k: Kit, level: float) -> None:
    x, y = k.x - 0.02, k.y - 0.02
    for side in (-1, 1):
        k.box(side * x - 0.01, side * x + 0.01, -y, y, level, level + 0.024, k.dark)
    k.box(-x, x, -0.01, 0.01, level, level + 0.024, k.dark)


@part("chair", *_HARD)
def spindle_chair(k: Kit) -> None:
    """A round-cornered seat on splayed turned legs, a bowed back of thin spindles."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    k.slab(shapes.rounded(-x, x, -y, 0.9 * y, 0.6 * x), seat - 0.035, seat)
    for sx, sy in CORNERS:
        k.path(
            [
                (sx * 0.95 * x, sy * 0.95 * y, 0),
                (sx * 0.8 * x, sy * 0.78 * y, 0.24 * z),
                (sx * 0.62 * x, sy * 0.6 * y, seat - 0.02),
            ],
            [0.012, 0.022, 0.014],
            k.dark,
            6,
        )
    for side in (-1, 1):
        k.tube((side * 0.82 * x, -0.8 * y, 0.22 * z), (side * 0.82 * x, 0.8 * y, 0.22 * z), 0.011, k.dark, 5)
    k.tube((-0.82 * x, 0, 0.22 * z), (0.82 * x, 0, 0.22 * z), 0.011, k.dark, 5)
    bow = [
        (
            x * 0.92 * math.cos(a),
            0.7 * y + 0.25 * y * math.sin(a),
            seat + (z - seat - 0.015) * math.sin(a) ** 0.7,
        )
        for a in (math.pi * i / 8 for i in range(9))
    ]
    k.path(bow, 0.014, None, 6)
    for i in range(6):
        s = (i - 2.5) / 3.2
        top = z - 0.02 - (z - seat) * (1 - math.sqrt(1 - s * s)) * 0.8
        k.tube((s * 0.72 * x, 0.72 * y, seat), (s * 0.88 * x, 0.9 * y, top), 0.008, k.dark, 5)


@part("chair", *_HARD)
def shell_chair(k: Kit) -> None:
    """A one-piece bent shell with a waist on four thin legs."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    legs = STEEL if k.item.material == "metal" else looking(Paint(196, 152, 100), "wood")
    profile = [
        (-1.0, -0.03),
        (-0.9, 0.015),
        (-0.4, 0.0),
        (0.3, -0.01),
        (0.62, 0.05),
        (0.78, 0.2),
        (0.86, 0.5),
        (0.93, 0.8),
        (1.0, 1.0),
    ]
    widths = [0.86, 0.96, 1.0, 0.98, 0.86, 0.7, 0.88, 0.94, 0.8]
    look = looking(k.main, "gloss") if k.item.material == "plastic" else k.main
    _bent_shell(k, [(a * y, seat + b * (z - seat)) for a, b in profile], widths, look)
    for sx, sy in CORNERS:
        k.path(
            [(sx * 0.94 * x, sy * 0.9 * y, 0), (sx * 0.5 * x, sy * 0.45 * y, seat - 0.015)],
            [0.012, 0.018],
            legs,
            6,
        )
    k.box(-0.5 * x, 0.5 * x, -0.45 * y, 0.45 * y, seat - 0.03, seat - 0.012, legs)


def _bent_shell(k: Kit, line: list[tuple[float, float]], widths: list[float], look: Paint) -> None:
    """A sheet bent along a side view (y, z), of half widths given in shares of x, its edges turned up."""
    rows = []
    for i, ((y, z), wide) in enumerate(zip(line, widths, strict=True)):
        a, b = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        size = max(math.dist(a, b), 1e-9)
        up = (-(b[1] - a[1]) / size, (b[0] - a[0]) / size)
        rows.append(
            [
                (s * wide * k.x, y + up[0] * lift, z + up[1] * lift)
                for s, lift in ((-1.0, 0.03), (-0.55, 0.0), (0.55, 0.0), (1.0, 0.03))
            ]
        )
    for below in (False, True):
        drop = -0.014 if below else 0.0
        for lower, upper in itertools.pairwise(rows):
            for j in range(3):
                corners = [lower[j], lower[j + 1], upper[j + 1], upper[j]]
                moved = [(p[0], p[1] - drop * 0.5, p[2] + drop) for p in corners]
                k.add(
                    shapes.quad(*(reversed(moved) if below else moved)), shade(look, 0.92) if below else look
                )


@part("chair", "metal")
def cafe_chair(k: Kit) -> None:
    """A bent metal frame with a round back hoop, a cross in it and a round seat."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    k.lathe(
        [(0, seat - 0.03), (0.95, seat - 0.03), (1, seat - 0.015), (0.95, seat), (0, seat)],
        k.light,
        (0, -0.1 * y),
        16,
        (0.92 * x, 0.9 * y),
    )
    for side in (-1, 1):
        k.path([(side * 0.95 * x, -0.9 * y, 0), (side * 0.7 * x, -0.6 * y, seat - 0.02)], 0.014, None, 6)
    hoop = [(-0.95 * x, y, 0), (-0.8 * x, 0.7 * y, seat)]
    hoop += [
        (
            0.85 * x * math.cos(a),
            0.75 * y + 0.2 * y * math.sin(a),
            seat + 0.5 * (z - seat) + 0.5 * (z - seat - 0.02) * math.sin(a),
        )
        for a in (math.pi * (1 - i / 6) for i in range(7))
    ]
    hoop += [(0.8 * x, 0.7 * y, seat), (0.95 * x, y, 0)]
    k.path(hoop, 0.014, None, 6)
    for side in (-1, 1):
        k.tube((side * 0.75 * x, 0.72 * y, seat + 0.02), (-side * 0.6 * x, 0.88 * y, z - 0.1), 0.009, None, 5)


@part("chair", *_SOFT)
def padded_chair(k: Kit) -> None:
    """A padded seat and a padded high back on tapered wooden legs, buttons on the back."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    k.legs(0.045, seat - 0.06, frame_look(k), inset=0.01, taper=0.55)
    k.soft(-x, x, -y, y - 0.05, seat - 0.09, seat - 0.02, 0.012, k.dark)
    k.pillow(-x, x, -y, y - 0.06, seat - 0.06, seat + 0.035, None, 14, 4, 0.3, 0.45)
    back = shapes.pillow((-x, -0.05, 0), (x, 0.05, z - seat + 0.02), 14, 4, 0.4, 0.3)
    k.add(shapes.turned(back, 0, -5), None, (0, y - 0.06, seat - 0.02))
    for i in range(2):
        for j in range(2):
            k.ball(
                ((i - 0.5) * 0.8 * x, y - 0.1 + 0.02 * j, seat + (0.4 + 0.3 * j) * (z - seat)),
                0.014,
                k.dark,
                5,
            )


@part("chair", *_SOFT)
def parsons_chair(k: Kit) -> None:
    """A fully covered chair: straight back, thick seat, short visible legs, a seam."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    k.legs(0.05, 0.3 * z, frame_look(k), inset=0.01, taper=0.7)
    k.soft(-x, x, -y, y, 0.27 * z, seat - 0.02, 0.02, k.dark)
    k.soft(-0.99 * x, 0.99 * x, -y, y - 0.07, seat - 0.04, seat + 0.02, 0.02)
    k.frustum((-x, x, y - 0.1, y - 0.02), (-0.96 * x, 0.96 * x, y - 0.05, y), seat - 0.02, z)
    k.soft(-0.94 * x, 0.94 * x, y - 0.12, y - 0.04, seat + 0.06 * z, z - 0.02 * z, 0.03, k.light)


@part("chair", *_SOFT)
def tub_chair(k: Kit) -> None:
    """A round padded seat in a curved back that reaches round to the sides, thin metal legs."""
    x, y, z = k.x, k.y, k.z
    seat = 0.5 * z
    for sx, sy in CORNERS:
        k.path(
            [(sx * 0.92 * x, sy * 0.92 * y, 0), (sx * 0.6 * x, sy * 0.55 * y, seat - 0.04)],
            [0.01, 0.015],
            Paint(44, 44, 46),
            6,
        )
    k.pillow(-0.96 * x, 0.96 * x, -y, 0.8 * y, seat - 0.06, seat + 0.04, None, 16, 4, 0.8, 0.5)
    outer, inner = [], []
    for i in range(9):
        a = math.radians(-18 + 216 * i / 8)
        top = seat + (z - seat) * (0.42 + 0.58 * max(0.0, math.sin(a)) ** 0.8)
        outer.append((x * math.cos(a), y * math.sin(a), top))
        inner.append((0.86 * x * math.cos(a), 0.84 * y * math.sin(a), top))
    low = seat - 0.03
    for (p, r), (q, s) in itertools.pairwise(zip(outer, inner, strict=True)):
        k.add(shapes.quad((p[0], p[1], low), (q[0], q[1], low), q, p), k.dark)
        k.add(shapes.quad((s[0], s[1], low), (r[0], r[1], low), r, s), k.main)
        k.add(shapes.quad(p, q, s, r), k.light)
