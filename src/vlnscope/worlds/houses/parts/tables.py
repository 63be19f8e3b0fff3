"""Tables and desks."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, paint, plain, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    GLASS,
    STEEL,
    WHITE,
    Kit,
    both_sides,
    part,
)


def drawer(
    k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, knob: Paint, look: Paint | None = None
) -> None:
    """Add the front of a drawer at depth y = `front` with two knobs, or one if it is narrow."""
    k.box(x0, x1, front - 0.016, front, z0, z1, look or k.light)
    width, middle = x1 - x0, (z0 + z1) / 2
    for at in (0.28, 0.72) if width > 0.55 else (0.5,):
        k.ball((x0 + at * width, front - 0.026, middle), 0.018, knob, 6)


@part("dining table")
def dining_table(k: Kit) -> None:
    """A top with an apron on four sturdy legs."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.045, z, 0.012)
    k.box(-x + 0.09, x - 0.09, -y + 0.09, y - 0.09, z - 0.13, z - 0.045, k.dark)
    k.legs(min(0.085, 0.16 * x), z - 0.045, k.dark, inset=0.05, taper=0.65)


@part("coffee table")
def coffee_table(k: Kit) -> None:
    """A low table with a shelf under its top."""
    x, y, z = k.x, k.y, k.z
    glass = k.item.material == "glass"
    k.soft(-x, x, -y, y, z - 0.04, z, 0.012, GLASS if glass else k.main)
    k.legs(0.055, z - 0.04, k.dark, inset=0.02, taper=0.8)
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.28 * z, 0.28 * z + 0.02, k.dark)


@part("side table")
def side_table(k: Kit) -> None:
    """A round top on a pedestal with three feet."""
    radius, z = min(k.x, k.y), k.z
    k.lathe(
        [(0, z - 0.035), (radius - 0.01, z - 0.035), (radius, z - 0.018), (radius - 0.01, z), (0, z)],
        oval=k.oval,
        sides=20,
    )
    k.lathe(
        [(0.022, 0.06), (0.032, 0.3 * z), (0.02, 0.45 * z), (0.03, 0.8 * z), (0.06, z - 0.035)],
        k.dark,
        sides=8,
    )
    for i in range(3):
        angle = math.tau * (i / 3 + 0.25)
        foot = (math.cos(angle) * 0.75 * k.x, math.sin(angle) * 0.75 * k.y, 0.015)
        k.tube((0, 0, 0.16 * z), foot, 0.022, k.dark)


@part("console table")
def console_table(k: Kit) -> None:
    """A narrow high table with two drawers, thin legs and a shelf near the floor."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.03, z, 0.008)
    k.box(-x + 0.03, x - 0.03, -y + 0.03, y - 0.01, z - 0.16, z - 0.03, k.dark)
    for _, a, b in both_sides(0.02, x - 0.05):
        drawer(k, a, b, z - 0.145, z - 0.045, -y + 0.03, BRASS)
    k.legs(0.04, z - 0.03, k.dark, inset=0.02, taper=0.7)
    k.box(-x + 0.03, x - 0.03, -y + 0.03, y - 0.03, 0.18 * z, 0.18 * z + 0.025)


@part("desk")
def desk(k: Kit) -> None:
    """A top, a stack of drawers on one side, a panel on the other and one at the back."""
    x, y, z = k.x, k.y, k.z
    stack = min(0.42, 0.62 * x)
    k.soft(-x, x, -y, y, z - 0.04, z, 0.01)
    k.box(x - stack, x - 0.02, -y + 0.03, y - 0.02, 0, z - 0.04, k.dark)
    for i in range(3):
        low = 0.06 + i * (z - 0.12) / 3
        drawer(k, x - stack + 0.02, x - 0.04, low, low + (z - 0.12) / 3 - 0.02, -y + 0.03, CHROME)
    k.box(-x + 0.02, -x + 0.06, -y + 0.03, y - 0.02, 0, z - 0.04, k.dark)
    k.box(-x + 0.06, x - stack, y - 0.06, y - 0.04, 0.35 * z, z - 0.04, k.dark)


@part("nightstand")
def nightstand(k: Kit) -> None:
    """A small chest with an open shelf over a drawer, on short legs."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.12, 0.22 * z)
    k.legs(0.04, foot, k.dark, inset=0.01)
    k.box(-x, x, y - 0.02, y, foot, z - 0.03, k.dark)
    for _, a, b in both_sides(x, x - 0.025):
        k.box(a, b, -y + 0.02, y, foot, z - 0.03)
    k.box(-x, x, -y + 0.02, y, foot, foot + 0.02)
    k.soft(-x, x, -y, y, z - 0.03, z, 0.008)
    split = foot + 0.55 * (z - foot)
    k.box(-x + 0.02, x - 0.02, -y + 0.03, y - 0.02, foot + 0.02, split, k.dark)
    drawer(k, -x + 0.025, x - 0.025, foot + 0.025, split - 0.01, -y + 0.03, BRASS)


@part("tv stand")
def tv_stand(k: Kit) -> None:
    """A low long board: doors at the ends, open shelves with a player between them."""
    x, y, z = k.x, k.y, k.z
    foot, third = min(0.08, 0.18 * z), x / 3
    for side in (-1, 1):
        for end in (-1, 1):
            k.tube((side * 0.88 * x, end * 0.75 * y, foot), (side * 0.92 * x, end * 0.8 * y, 0), 0.02, BLACK)
        a, b = sorted((side * x, side * (third + 0.01)))
        k.box(a, b, -y + 0.02, y, foot, z - 0.025, k.dark)
        k.box(a + 0.015, b - 0.015, -y, -y + 0.02, foot + 0.015, z - 0.04, k.light)
        k.ball((side * (third + 0.07), -y - 0.01, (foot + z) / 2), 0.016, STEEL, 6)
    k.soft(-x, x, -y, y, z - 0.03, z, 0.008)
    k.box(-third, third, -y + 0.02, y, foot, foot + 0.025)
    k.box(-third, third, y - 0.02, y, foot, z - 0.025, k.dark)
    middle = (foot + z) / 2
    k.box(-third, third, -y + 0.04, y, middle - 0.01, middle + 0.01)
    k.box(-0.7 * third, 0.7 * third, -y + 0.06, y - 0.06, middle + 0.01, middle + 0.01 + 0.15 * z, DARK)


@part("pool table")
def pool_table(k: Kit) -> None:
    """A cloth within wooden rails, six pockets, balls, a cue, heavy legs."""
    x, y, z = k.x, k.y, k.z
    rail, felt, wood = min(0.14, 0.14 * y), plain(k.main)._replace(texture=5), paint("brown", "wood")
    k.box(-x + rail / 2, x - rail / 2, -y + rail / 2, y - rail / 2, 0.72 * z, z - 0.05, felt)
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.66 * z, 0.9 * z, shade(wood, 0.7))
    for side, a, b in both_sides(x, x - rail):
        k.soft(a, b, -y, y, 0.85 * z, z, 0.02, wood)
        a, b = sorted((side * y, side * (y - rail)))
        k.soft(-x, x, a, b, 0.85 * z, z, 0.02, wood)
        for end in (-1, 0, 1):
            k.lathe(
                [(0, z - 0.01), (0.062, z - 0.01), (0.062, z + 0.004), (0, z + 0.004)],
                BLACK,
                (end * (x - rail * 0.75), side * (y - rail * 0.75)),
                10,
            )
            if end:
                k.lathe(
                    [(0.1, 0.0), (0.12, 0.1 * z), (0.07, 0.25 * z), (0.12, 0.66 * z)],
                    shade(wood, 0.8),
                    (end * 0.82 * x, side * 0.74 * y),
                    8,
                )
    balls = [
        (0.45, 0.0, "y"),
        (0.5, 0.06, "r"),
        (0.5, -0.06, "b"),
        (0.55, 0.12, "o"),
        (0.55, 0.0, "k"),
        (0.55, -0.12, "p"),
        (-0.4, 0.1, "w"),
    ]
    tints = {
        "y": Paint(232, 190, 40),
        "r": Paint(200, 40, 36),
        "b": Paint(44, 70, 170),
        "o": Paint(226, 120, 40),
        "k": BLACK,
        "p": Paint(110, 50, 130),
        "w": WHITE,
    }
    for bx, by, tint in balls:
        k.ball((bx * x, by * x, z - 0.02), 0.035, tints[tint], 6)
    k.tube(
        (-0.75 * x, -0.35 * y, z - 0.02), (0.1 * x, 0.3 * y, z - 0.02), 0.018, Paint(206, 160, 96), 5, 0.008
    )
