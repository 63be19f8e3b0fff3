"""Things to sit on."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import CORNERS, DARK, DARK_WOOD, STEEL, Kit, both_sides, part

_WOODEN = ("wood", "oak", "walnut", "pine", "bamboo", "metal", "plastic")


@part("chair")
def chair(k: Kit) -> None:
    """Four legs, a seat, a back of two posts and rails."""
    x, y, z = k.x, k.y, k.z
    thick, seat = min(0.1 * k.x * 2, 0.05), 0.5 * z
    upholstered = k.item.material not in _WOODEN
    frame = DARK_WOOD if upholstered else k.main
    k.legs(thick, seat - 0.03, frame, taper=0.75)
    if upholstered:
        k.soft(-x, x, -y, y, seat - 0.06, seat + 0.02, 0.025)
        k.soft(-x, x, y - 0.09, y - 0.01, seat + 0.1, z, 0.03)
    else:
        k.box(-x, x, -y, y, seat - 0.035, seat, k.main)
        for low in (0.62, 0.76, 0.9):
            k.box(-x + thick, x - thick, y - 0.03, y - 0.01, low * z, min((low + 0.08) * z, z))
    for _, a, b in both_sides(x, x - thick):
        k.box(a, b, y - thick, y, seat - 0.03, z, frame)


@part("stool")
def stool(k: Kit) -> None:
    """A round seat on four splayed legs with a foot ring."""
    radius, z = min(k.x, k.y), k.z
    k.lathe(
        [(0, z - 0.06), (0.85 * radius, z - 0.06), (0.92 * radius, z - 0.02), (0.85 * radius, z), (0, z)],
        oval=k.oval,
    )
    legs = DARK_WOOD if k.item.material not in _WOODEN else k.dark
    for sx, sy in CORNERS:
        foot = (sx * (k.x - 0.02), sy * (k.y - 0.02), 0.0)
        k.tube((sx * 0.5 * k.x, sy * 0.5 * k.y, z - 0.05), foot, 0.018, legs)
    hoop = shapes.ring(1.0, 0.012 / radius, 14)
    k.add(shapes.stretched(hoop, k.x * 0.98, k.y * 0.98, radius), STEEL, (0, 0, 0.3 * z))


@part("bench")
def bench(k: Kit) -> None:
    """A long seat of planks on two pairs of legs."""
    x, y, z = k.x, k.y, k.z
    plank = 2 * y / 3
    for i in range(3):
        k.box(-x, x, -y + i * plank + 0.008, -y + (i + 1) * plank - 0.008, z - 0.045, z)
    for side in (-1, 1):
        middle = side * (x - 0.16)
        k.box(middle - 0.03, middle + 0.03, -y + 0.02, y - 0.02, z - 0.09, z - 0.045, k.dark)
        for _, a, b in both_sides(y - 0.02, y - 0.08):
            k.box(middle - 0.03, middle + 0.03, a, b, 0, z - 0.09, k.dark)
    k.box(-x + 0.16, x - 0.16, -0.02, 0.02, 0.25 * z, 0.25 * z + 0.04, k.dark)


@part("office chair")
def office_chair(k: Kit) -> None:
    """A star of five castors, a column, a seat, a back and arm rests."""
    x, y, z = k.x, k.y, k.z
    seat, radius = 0.46 * z, min(x, y)
    for i in range(5):
        angle = math.tau * (i / 5 + 0.05)
        end = (math.cos(angle) * radius * 0.92, math.sin(angle) * radius * 0.92)
        k.tube((0, 0, 0.12), (end[0], end[1], 0.085), 0.025, DARK, 5)
        k.ball((end[0], end[1], 0.038), 0.038, DARK, 6)
    k.tube((0, 0, 0.08), (0, 0, seat - 0.05), 0.03, STEEL)
    k.soft(-0.85 * x, 0.85 * x, -y, 0.72 * y, seat - 0.05, seat + 0.05, 0.035)
    k.tube((0, 0.5 * y, seat - 0.03), (0, 0.85 * y, seat + 0.15), 0.025, DARK)
    k.soft(-0.75 * x, 0.75 * x, 0.74 * y, y, seat + 0.12, z, 0.045)
    for _, a, b in both_sides(x, x - 0.07):
        k.soft(a, b, -0.45 * y, 0.6 * y, seat + 0.2, seat + 0.24, 0.015, DARK)
        middle = (a + b) / 2
        k.tube((middle * 0.8, 0.1 * y, seat - 0.02), (middle, 0.1 * y, seat + 0.2), 0.016, DARK, 5)


@part("ottoman")
def ottoman(k: Kit) -> None:
    """A padded block on short legs, its top buttoned."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.08, 0.25 * z)
    for sx, sy in CORNERS:
        k.tube((sx * 0.8 * x, sy * 0.8 * y, foot), (sx * 0.86 * x, sy * 0.86 * y, 0), 0.022, DARK_WOOD)
    k.soft(-x * 0.97, x * 0.97, -y * 0.97, y * 0.97, foot, 0.68 * z, 0.02, k.dark)
    k.soft(-x, x, -y, y, 0.62 * z, z - 0.006, 0.05)
    for bx in (-0.45 * x, 0.45 * x):
        for by in (-0.45 * y, 0.45 * y):
            k.ball((bx, by, z - 0.006), (0.025, 0.025, 0.006), k.dark, 6)


def _lounge(k: Kit, seats: int) -> tuple[float, float]:
    """Feet, base, arms, back and cushions; returns inner half width and height of the seat."""
    x, y, z = k.x, k.y, k.z
    foot, arm = min(0.1, 0.12 * z), min(0.2, 0.2 * x)
    back, seat = min(0.24, 0.28 * 2 * y), 0.5 * z
    for sx, sy in CORNERS:
        fx, fy = sx * 0.93 * x, sy * 0.9 * y
        k.box(fx - 0.025, fx + 0.025, fy - 0.025, fy + 0.025, 0, foot, DARK_WOOD)
    k.box(-x + 0.01, x - 0.01, -y + 0.03, y - 0.01, foot, 0.32 * z, k.dark)
    k.soft(-x + 0.01, x - 0.01, y - back * 0.7, y, foot, 0.93 * z, 0.04, k.dark)
    for _, a, b in both_sides(x, x - arm):
        k.soft(a, b, -y, y - 0.02, foot, 0.7 * z, 0.045)
    inner = x - arm
    step = 2 * inner / seats
    for i in range(seats):
        left = -inner + i * step
        k.soft(left + 0.005, left + step - 0.005, -y + 0.01, y - back, 0.3 * z, seat, 0.04)
        low = shapes.soft(left + 0.012, left + step - 0.012, -0.5 * back, 0.5 * back, 0, z - seat, 0.06)
        leaning = shapes.moved(shapes.turned(low, 0, -8), 0, y - back * 0.95, seat - 0.01)
        k.add(leaning, k.light)
    return inner, seat


@part("sofa")
def sofa(k: Kit) -> None:
    """Arms, back, seat and back cushions, two throw pillows."""
    inner, seat = _lounge(k, max(2, min(4, round((2 * k.x - 0.4) / 0.7))))
    accent = shade(k.main, 1.6) if sum(k.main[:3]) < 420 else Paint(196, 110, 62, k.main.texture)
    size = min(0.36, 0.45 * k.z)
    for side, look in ((-1, accent), (1, accent)):
        pillow = shapes.soft(-size / 2, size / 2, -0.06, 0.06, 0, size, 0.05)
        pillow = shapes.turned(shapes.turned(pillow, 0, -16), 2, side * -18)
        k.add(pillow, look, (side * (inner - 0.6 * size), k.y - min(0.4, 0.5 * k.y * 2), seat))


@part("armchair")
def armchair(k: Kit) -> None:
    """A sofa for one."""
    _lounge(k, 1)
