"""Deck chairs and barbecues."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_SAUSAGE = Paint(158, 66, 40)


def _looks(k: Kit) -> tuple[Paint, Paint]:
    """Frame and cloth: the main colour belongs to the frame of hard chairs and to the cloth of others."""
    hard = k.item.material in ("wood", "metal", "plastic")
    return (k.main, Paint(236, 232, 220, 5)) if hard else (looking(WOOD, "wood"), k.main)


@part("deck chair")
def slatted_lounger(k: Kit) -> None:
    """A long slatted lounger, its back raised, with a cushion and arm rests."""
    x, y, z = k.x, k.y, k.z
    seat, hinge = 0.38 * z, 0.12 * y
    wood, cloth = _looks(k)
    arm = seat + 0.42 * (z - seat)
    for _, a, b in both_sides(x, x - 0.05):
        k.box(a, b, -y, y - 0.1, seat - 0.06, seat, wood)
        for at in (-y + 0.1, y - 0.25):
            k.box(a, b, at, at + 0.06, 0, seat - 0.06, wood)
        k.box(a, b, -0.25 * y, hinge + 0.2 * y, arm, arm + 0.03, wood)
        k.box(a, b, -0.22 * y, -0.16 * y, seat, arm, wood)
    for i in range(8):
        at = -y + 0.02 + i * (hinge + y - 0.04) / 8
        k.box(-x + 0.04, x - 0.04, at, at + 0.6 * (hinge + y) / 8, seat - 0.02, seat + 0.01, wood)
    long, rise = y - hinge - 0.02, z - seat - 0.04
    angle, length = math.degrees(math.atan2(rise, long)), math.hypot(rise, long)
    for i in range(6):
        slat = shapes.box(-x + 0.04, x - 0.04, i * length / 6, (i + 0.65) * length / 6, 0, 0.025)
        k.add(shapes.turned(slat, 0, angle), wood, (0, hinge, seat))
    back = shapes.pillow((-x + 0.06, 0, 0.02), (x - 0.06, 0.97 * length, 0.09), 14, 4, 0.25, 0.5)
    k.add(shapes.turned(back, 0, angle), cloth, (0, hinge, seat))
    k.pillow(-x + 0.06, x - 0.06, -y + 0.03, hinge + 0.02, seat + 0.01, seat + 0.08, cloth, 14, 4, 0.25, 0.5)
    head = shapes.pillow((-0.6 * x, 0.74 * length, 0.06), (0.6 * x, 0.94 * length, 0.14), 10, 4, 0.4, 0.6)
    k.add(shapes.turned(head, 0, angle), shade(cloth, 0.75), (0, hinge, seat))


@part("deck chair")
def sling_deck_chair(k: Kit) -> None:
    """Two crossed wooden frames with a striped cloth that sags between them."""
    x, y, z = k.x, k.y, k.z
    wood, cloth = _looks(k)
    for side in (-1, 1):
        at = side * (x - 0.02)
        k.path([(at, -0.95 * y, 0.34 * z), (at, 0.98 * y, 0.0)], 0.02, wood, 4)
        k.path([(0.94 * at, -0.9 * y, 0.0), (0.94 * at, 0.85 * y, z)], 0.02, wood, 4)
        k.path([(0.9 * at, 0.4 * y, 0.66 * z), (0.9 * at, 0.95 * y, 0.02)], 0.014, wood, 4)
    for deep, level in ((-0.95, 0.34), (0.85, 0.99), (0.95, 0.02), (-0.9, 0.02)):
        k.tube((-x + 0.02, deep * y, level * z), (x - 0.02, deep * y, level * z), 0.016, wood, 6)
    line = [
        (-0.95 * y, 0.35 * z),
        (-0.5 * y, 0.22 * z),
        (-0.05 * y, 0.24 * z),
        (0.4 * y, 0.5 * z),
        (0.85 * y, z),
    ]
    pale = shade(cloth, 1.5) if sum(cloth[:3]) < 560 else Paint(70, 110, 170, 5)
    stripes = 7
    for i in range(stripes):
        a, b = -0.88 * x + i * 1.76 * x / stripes, -0.88 * x + (i + 1) * 1.76 * x / stripes
        for (c, d), (e, f) in itertools.pairwise(line):
            k.add(shapes.quad((a, c, d), (b, c, d), (b, e, f), (a, e, f)), pale if i % 2 else cloth)


@part("deck chair")
def adirondack_chair(k: Kit) -> None:
    """A low chair of broad boards: a fanned high back, wide flat arms, a sloping seat."""
    x, y, z = k.x, k.y, k.z
    look = k.main
    seat, arm = 0.36 * z, 0.58 * z
    for side in (-1, 1):
        at = side * (x - 0.1)
        k.box(at - 0.02, at + 0.02, -0.8 * y, -0.7 * y, 0, arm, k.dark)
        k.frustum(
            (at - 0.02, at + 0.02, 0.8 * y, 0.95 * y),
            (at - 0.02, at + 0.02, -0.85 * y, -0.7 * y),
            0,
            seat,
            k.dark,
        )
        k.soft(at - 0.07, at + 0.09 if side > 0 else at + 0.07, -y, 0.5 * y, arm, arm + 0.03, 0.008, look)
    for i in range(6):
        share = i / 6
        at = -0.85 * y + share * 1.0 * y
        k.box(
            -x + 0.12,
            x - 0.12,
            at,
            at + 0.14 * y,
            seat - 0.14 * z * share,
            seat - 0.14 * z * share + 0.025,
            look,
        )
    for i in range(5):
        s = (i - 2) / 2
        low, high = (s * 0.5 * x, 0.12 * y, 0.2 * z), (s * 0.82 * x, 0.92 * y, z - 0.1 * z * s * s)
        line = [low, high]
        k.add(
            shapes.together(
                [
                    shapes.blade(line, [0.1 * x, 0.16 * x], (1, 0, 0)),
                    shapes.blade(
                        [(p[0], p[1] + 0.02, p[2]) for p in reversed(line)], [0.16 * x, 0.1 * x], (1, 0, 0)
                    ),
                ]
            ),
            look,
        )
    for deep, level in ((0.4, 0.5), (0.68, 0.76)):
        k.box(-0.8 * x, 0.8 * x, deep * y + 0.02, deep * y + 0.05, level * z, (level + 0.04) * z, k.dark)


def _sausages(k: Kit, x0: float, x1: float, y0: float, y1: float, level: float) -> None:
    for i in range(4):
        at = y0 + (i + 0.5) * (y1 - y0) / 4
        k.path(
            [
                (x0 + 0.1 * (x1 - x0), at, level),
                (0.5 * (x0 + x1), at - 0.01, level + 0.004),
                (x0 + 0.7 * (x1 - x0), at, level),
            ],
            0.02,
            _SAUSAGE,
            6,
        )


def _grate(k: Kit, x0: float, x1: float, y0: float, y1: float, level: float) -> None:
    for i in range(9):
        at = x0 + (i + 0.5) * (x1 - x0) / 9
        k.tube((at, y0, level), (at, y1, level), 0.006, CHROME, 3)


@part("barbecue")
def kettle_barbecue(k: Kit) -> None:
    """A kettle grill: a bowl and a raised lid, grate with sausages, three legs, wheels and a shelf."""
    x, y, z = k.x, k.y, k.z
    r, rim, bowl = min(0.78 * x, 0.92 * y), 0.7 * z, 0.26 * z
    look = looking(k.main, "gloss")
    k.lathe(
        [
            (0, rim - bowl),
            (0.45 * r, rim - 0.92 * bowl),
            (0.85 * r, rim - 0.5 * bowl),
            (r, rim),
            (0.94 * r, rim),
            (0.9 * r, rim - 0.1 * bowl),
            (0, rim - 0.1 * bowl),
        ],
        look,
        sides=18,
    )
    for i in range(5):
        at = (i - 2) * 0.34 * r
        half = math.sqrt(max(0.0, (0.9 * r) ** 2 - at * at))
        k.tube((at, -half, rim - 0.01), (at, half, rim - 0.01), 0.008, CHROME, 4)
    _sausages(k, -0.6 * r, 0.6 * r, -0.6 * r, 0.2 * r, rim + 0.015)
    dome = shapes.stretched(
        shapes.lathe([(r, 0), (0.9 * r, 0.5 * r), (0.5 * r, 0.86 * r), (0, r)], 18), 1, 1, 0.72
    )
    k.add(shapes.turned(dome, 0, -62), look, (0, 0.55 * r, rim + 0.4 * r))
    k.tube((-0.2 * r, 0.95 * r, rim + 0.95 * r), (0.2 * r, 0.95 * r, rim + 0.95 * r), 0.02, WOOD)
    for i in range(3):
        a = math.tau * (i / 3 + 0.25)
        c, s = math.cos(a), math.sin(a)
        k.tube(
            (0.45 * r * c, 0.45 * r * s, rim - 0.9 * bowl), (0.85 * r * c, 0.85 * r * s, 0.04), 0.018, STEEL
        )
        if i:
            k.add(
                shapes.facing_side(shapes.cylinder(0.09, -0.025, 0.025, 12)),
                BLACK,
                (0.85 * r * c, 0.85 * r * s, 0.09),
            )
    k.lathe([(0, 0.28), (0.5, 0.28), (0.5, 0.295), (0, 0.295)], STEEL, sides=14, scale=(r, z))
    for _, a, b in both_sides(x, r):
        k.box(a, b, -0.5 * r, 0.5 * r, rim - 0.05, rim - 0.02, WOOD)


@part("barbecue")
def gas_barbecue(k: Kit) -> None:
    """A cart with two doors and side tables, knobs, an open hood over a grate with sausages, wheels."""
    x, y, z = k.x, k.y, k.z
    half, top = 0.6 * x, 0.64 * z
    k.soft(-half, half, -0.8 * y, 0.8 * y, 0.08 * z, 0.5 * z, 0.012, looking(DARK, "metal"))
    for _, a, b in both_sides(0.96 * half, 0.02 * half):
        k.soft(a, b, -0.84 * y, -0.78 * y, 0.11 * z, 0.48 * z, 0.008, STEEL)
    for side in (-1, 1):
        k.tube(
            (side * 0.12 * half, -0.9 * y, 0.26 * z), (side * 0.12 * half, -0.9 * y, 0.4 * z), 0.01, CHROME, 5
        )
        k.add(
            shapes.facing_side(shapes.cylinder(0.06 * z, -0.03, 0.03, 12)),
            BLACK,
            (side * 0.85 * half, 0.4 * y, 0.06 * z),
        )
    k.frustum(
        (-half, half, -0.85 * y, 0.8 * y),
        (-half, half, -0.95 * y, 0.85 * y),
        0.5 * z,
        top,
        looking(k.main, "gloss"),
    )
    for i in range(4):
        k.disc(((i - 1.5) * 0.44 * half, -0.9 * y, 0.57 * z), 0.028, 0.03, CHROME, 10)
    _grate(k, -0.92 * half, 0.92 * half, -0.85 * y, 0.7 * y, top)
    _sausages(k, -0.7 * half, 0.7 * half, -0.7 * y, 0.3 * y, top + 0.02)
    arc = [
        (0.85 * y - 0.3 * y * (1 - math.cos(a)) * 2.2, top + (z - top) * math.sin(a))
        for a in (math.radians(d) for d in (0, 30, 60, 90))
    ]
    hood = [*arc, (arc[-1][0] + 0.06, z - 0.01), (0.9 * y, top + 0.5 * (z - top)), (0.95 * y, top)]
    k.add(shapes.facing_side(shapes.prism(list(reversed(hood)), -half, half)), looking(k.main, "gloss"))
    k.tube(
        (-0.6 * half, arc[-1][0] - 0.03, z - 0.02),
        (0.6 * half, arc[-1][0] - 0.03, z - 0.02),
        0.014,
        CHROME,
        6,
    )
    for _, a, b in both_sides(x, half):
        k.soft(a, b, -0.75 * y, 0.7 * y, top - 0.035, top - 0.005, 0.008, STEEL)


@part("barbecue")
def brick_barbecue(k: Kit) -> None:
    """A masonry grill: brick piers, a stone shelf, a grate with sausages over coals, logs below."""
    x, y, z = k.x, k.y, k.z
    brick = Paint(*k.main[:3], 6)
    top = 0.62 * z
    for _, a, b in both_sides(x, 0.82 * x):
        k.box(a, b, -y, y, 0, top, brick)
    k.box(-0.82 * x, 0.82 * x, 0.7 * y, y, 0, z, brick)
    for _, a, b in both_sides(x, 0.82 * x):
        k.box(a, b, 0.3 * y, y, top, z, brick)
    k.soft(-x, x, -y, 0.75 * y, 0.4 * z, 0.46 * z, 0.01, Paint(176, 172, 164, 7))
    k.box(-0.8 * x, 0.8 * x, -0.8 * y, 0.65 * y, 0.46 * z, 0.5 * z, Paint(60, 48, 44, 7))
    for i in range(8):
        a = i * 2.399
        k.ball(
            (0.6 * x * math.cos(a) * math.sqrt((i + 1) / 8), 0.4 * y * math.sin(a), 0.51 * z),
            (0.1 * x, 0.12 * y, 0.03 * z),
            Paint(220, 90, 40, 13) if i % 2 else Paint(50, 46, 46),
            5,
        )
    _grate(k, -0.8 * x, 0.8 * x, -0.9 * y, 0.68 * y, top)
    _sausages(k, -0.6 * x, 0.6 * x, -0.7 * y, 0.3 * y, top + 0.02)
    for i in range(5):
        at = (i - 2) * 0.3 * x
        k.add(
            shapes.facing_front(shapes.cylinder(0.07 * z, -0.6 * y, 0.8 * y, 8)),
            looking(Paint(120, 86, 56), "bark"),
            (at, 0, 0.07 * z + (0.12 * z if i % 2 else 0)),
        )
