"""Garden, terrace and garage."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, LEAF, STEEL, WOOD, Kit, both_sides, part

_PANE = Paint(66, 84, 100)


@part("deck chair")
def deck_chair(k: Kit) -> None:
    """A long slatted lounger, its back raised, with a cushion and arm rests."""
    x, y, z = k.x, k.y, k.z
    seat, hinge = 0.38 * z, 0.12 * y
    wood = k.main if k.item.material in ("wood", "metal", "plastic") else WOOD
    for _, a, b in both_sides(x, x - 0.05):
        k.box(a, b, -y, y - 0.1, seat - 0.06, seat, wood)
        for at in (-y + 0.1, y - 0.25):
            k.box(a, b, at, at + 0.06, 0, seat - 0.06, wood)
        k.box(
            a, b, -0.25 * y, hinge + 0.2 * y, seat + 0.42 * (z - seat), seat + 0.42 * (z - seat) + 0.03, wood
        )
        k.box(a, b, -0.22 * y, -0.16 * y, seat, seat + 0.42 * (z - seat), wood)
    slats = 8
    for i in range(slats):
        at = -y + 0.02 + i * (hinge + y - 0.04) / slats
        k.box(-x + 0.04, x - 0.04, at, at + 0.6 * (hinge + y) / slats, seat - 0.02, seat + 0.01, wood)
    long, rise = y - hinge - 0.02, z - seat - 0.04
    angle, length = math.degrees(math.atan2(rise, long)), math.hypot(rise, long)
    for i in range(6):
        slat = shapes.box(-x + 0.04, x - 0.04, i * length / 6, (i + 0.65) * length / 6, 0, 0.025)
        k.add(shapes.turned(slat, 0, angle), wood, (0, hinge, seat))
    cloth = Paint(236, 232, 220, 5) if wood is k.main else k.main
    back = shapes.soft(-x + 0.06, x - 0.06, 0, 0.97 * length, 0.02, 0.07, 0.02)
    k.add(shapes.turned(back, 0, angle), cloth, (0, hinge, seat))
    k.soft(-x + 0.06, x - 0.06, -y + 0.03, hinge, seat + 0.01, seat + 0.06, 0.02, cloth)
    head = shapes.soft(-0.6 * x, 0.6 * x, 0.74 * length, 0.94 * length, 0.06, 0.12, 0.025)
    k.add(shapes.turned(head, 0, angle), shade(cloth, 0.75), (0, hinge, seat))


@part("barbecue")
def barbecue(k: Kit) -> None:
    """A kettle grill: a bowl and a raised lid, grate with sausages, three legs, wheels and a shelf."""
    x, y, z = k.x, k.y, k.z
    r = min(0.78 * x, 0.92 * y)
    rim = 0.7 * z
    bowl = 0.26 * z
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
        sides=18,
    )
    for i in range(5):
        at = (i - 2) * 0.34 * r
        half = math.sqrt(max(0.0, (0.9 * r) ** 2 - at * at))
        k.tube((at, -half, rim - 0.01), (at, half, rim - 0.01), 0.008, CHROME, 4)
    for i in range(3):
        k.tube(
            (-0.4 * r, (-0.55 + 0.28 * i) * r, rim + 0.015),
            (0.25 * r, (-0.5 + 0.28 * i) * r, rim + 0.015),
            0.024,
            Paint(158, 66, 40),
        )
    dome = shapes.stretched(
        shapes.lathe([(r, 0), (0.9 * r, 0.5 * r), (0.5 * r, 0.86 * r), (0, r)], 18), 1, 1, 0.72
    )
    dome = shapes.turned(dome, 0, -62)
    k.add(dome, k.main, (0, 0.55 * r, rim + 0.4 * r))
    k.tube((-0.2 * r, 0.95 * r, rim + 0.95 * r), (0.2 * r, 0.95 * r, rim + 0.95 * r), 0.02, WOOD)
    for i in range(3):
        a = math.tau * (i / 3 + 0.25)
        k.tube(
            (0.45 * r * math.cos(a), 0.45 * r * math.sin(a), rim - 0.9 * bowl),
            (0.85 * r * math.cos(a), 0.85 * r * math.sin(a), 0.04),
            0.018,
            STEEL,
        )
        if i:
            wheel = shapes.facing_side(shapes.cylinder(0.09, -0.025, 0.025, 12))
            k.add(wheel, BLACK, (0.85 * r * math.cos(a), 0.85 * r * math.sin(a), 0.09))
    k.lathe([(0, 0.28), (0.5, 0.28), (0.5, 0.295), (0, 0.295)], STEEL, sides=14, scale=(r, z))
    k.box(r, x, -0.5 * r, 0.5 * r, rim - 0.05, rim - 0.02, WOOD)
    k.box(-x, -r, -0.5 * r, 0.5 * r, rim - 0.05, rim - 0.02, WOOD)


@part("bush")
def bush(k: Kit) -> None:
    """Clumps of leaves on a few stems, some with blossoms."""
    x, y, z = k.x, k.y, k.z
    green = k.main if k.item.colour in ("green", "olive", "sage", "teal") else LEAF
    green = green._replace(texture=10)
    for sx, sy in ((0.15, 0.1), (-0.2, 0.05), (0.05, -0.2)):
        k.tube((sx * x, sy * y, 0), (1.6 * sx * x, 1.6 * sy * y, 0.4 * z), 0.02, Paint(96, 70, 48), 5)
    k.ball((0, 0, 0.55 * z), (0.7 * x, 0.7 * y, 0.42 * z), shade(green, 0.8), 10)
    clumps = 14
    for i in range(clumps):
        a = i * 2.399
        level = (i + 0.5) / clumps
        out = 0.66 * math.sqrt(1 - (2 * level - 1) ** 2) + 0.05
        at = (out * x * math.cos(a), out * y * math.sin(a), (0.24 + 0.58 * level) * z)
        size = 0.28 + 0.08 * float(k.rng.random())
        k.ball(at, (size * x, size * y, 0.52 * size * z), shade(green, 0.8 + 0.4 * float(k.rng.random())), 7)
    if k.item.colour in ("green", "olive", "sage", "teal"):
        return
    for i in range(18):
        a, level = i * 2.399 + 0.7, (i + 0.5) / 18
        out = 0.92 * math.sqrt(1 - (1.6 * level - 0.8) ** 2)
        k.ball(
            (out * x * math.cos(a), out * y * math.sin(a), (0.25 + 0.65 * level) * z),
            0.05 * (x + y) / 1.2,
            k.main,
            5,
        )


@part("car")
def car(k: Kit) -> None:
    """Bonnet, cabin with windows, boot, four wheels, lights; it drives along its longer side."""
    k.lengthwise()
    x, y, z = k.x, 0.95 * k.y, k.z
    look = k.main._replace(texture=0)
    sill, waist = 0.17 * z, 0.58 * z
    side = [
        (-x, sill),
        (x, sill),
        (x, 0.52 * z),
        (0.97 * x, waist + 0.02 * z),
        (-0.45 * x, waist),
        (-0.95 * x, 0.48 * z),
        (-x, 0.4 * z),
    ]
    k.add(shapes.facing_front(shapes.prism(side, -y, y)), look)
    cabin = shapes.frustum(
        (-0.46 * x, 0.82 * x, -0.96 * y, 0.96 * y),
        (-0.16 * x, 0.55 * x, -0.8 * y, 0.8 * y),
        waist - 0.01,
        0.965 * z,
    )
    k.add(cabin, _PANE)
    k.frustum(
        (-0.19 * x, 0.58 * x, -0.83 * y, 0.83 * y),
        (-0.13 * x, 0.5 * x, -0.76 * y, 0.76 * y),
        0.94 * z,
        z,
        look,
    )
    for end in (-1, 1):
        for low, high, wide in ((-0.47, -0.17, 0.035), (0.13, 0.16, 0.03), (0.8, 0.54, 0.05)):
            pillar = shapes.frustum(
                (low * x - wide * x, low * x + wide * x, end * 0.965 * y - 0.02, end * 0.965 * y + 0.02),
                (high * x - wide * x, high * x + wide * x, end * 0.805 * y - 0.02, end * 0.805 * y + 0.02),
                waist,
                0.96 * z,
            )
            k.add(pillar, look)
        k.box(-0.2 * x, -0.08 * x, end * 0.955 * y - 0.006, end * y + 0.006, 0.48 * z, 0.505 * z, CHROME)
        k.box(0.22 * x, 0.34 * x, end * 0.955 * y - 0.006, end * y + 0.006, 0.48 * z, 0.505 * z, CHROME)
        for at in (-0.35, 0.15):
            seam = shade(look, 0.55)
            k.box(at * x, at * x + 0.012, end * y - 0.004, end * y + 0.004, sill + 0.04, waist, seam)
        for at in (-0.63, 0.62):
            _wheel(k, at * x, end, y, 0.23 * z)
        head, rear, wide = end * 0.74 * y, end * 0.8 * y, 0.12 * y
        k.box(-x - 0.015, -0.9 * x, head - wide, head + wide, 0.34 * z, 0.42 * z, Paint(250, 246, 214))
        k.box(0.94 * x, x + 0.012, rear - wide, rear + wide, 0.4 * z, 0.5 * z, Paint(196, 30, 30))
        k.soft(-0.42 * x, -0.36 * x, end * y - 0.02, end * y + 0.09, waist, waist + 0.09 * z, 0.02, look)
    k.box(-x - 0.03, -0.94 * x, -y, y, sill, 0.28 * z, DARK)
    k.box(0.94 * x, x + 0.03, -y, y, sill, 0.28 * z, DARK)
    k.box(-x - 0.01, -0.9 * x, -0.42 * y, 0.42 * y, 0.32 * z, 0.4 * z, BLACK)
    for _, a, b in both_sides(x + 0.035, 0.98 * x):
        k.box(a, b, -0.26 * y, 0.26 * y, 0.2 * z, 0.27 * z, Paint(240, 240, 236))


def _wheel(k: Kit, at: float, end: int, y: float, radius: float) -> None:
    outer = end * (y + 0.03)
    for r, out, look in (
        (1.25, end * (y + 0.006), BLACK),
        (1.0, outer, DARK),
        (0.62, outer + end * 0.008, CHROME),
        (0.2, outer + end * 0.014, STEEL),
    ):
        low, high = sorted((-out, -0.6 * end * y))
        disc = shapes.facing_front(shapes.cylinder(r * radius, low, high, 16))
        k.add(disc, look, (at, 0, radius))
