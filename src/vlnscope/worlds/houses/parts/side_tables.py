"""Small tables at walls and beside seats."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.parts.kit import BRASS, CHROME, GLASS, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.tables import drawer, leg_look, table_top, tinted_iron, turned_leg


@part("side table")
def pedestal_side_table(k: Kit) -> None:
    """A round top on a pedestal with three feet."""
    radius, z = min(k.x, k.y), k.z
    _round_top(k)
    k.lathe(
        [(0.022, 0.06), (0.032, 0.3 * z), (0.02, 0.45 * z), (0.03, 0.8 * z), (0.06, z - 0.03)],
        leg_look(k),
        sides=8,
    )
    for i in range(3):
        angle = math.tau * (i / 3 + 0.25)
        foot = (math.cos(angle) * 0.8 * k.x, math.sin(angle) * 0.8 * k.y, 0.012)
        k.path(
            [(0, 0, 0.2 * z), (0.5 * foot[0], 0.5 * foot[1], 0.14 * z), foot],
            [0.024, 0.02, 0.014],
            leg_look(k),
            6,
        )
    k.lathe([(0.3 * radius, z - 0.045), (0.3 * radius, z - 0.03)], leg_look(k), sides=10)


def _round_top(k: Kit) -> None:
    z = k.z
    look = GLASS if k.item.material == "glass" else k.main
    k.lathe(
        [(0, z - 0.03), (0.96, z - 0.03), (1, z - 0.015), (0.97, z), (0, z)], look, (0, 0), 20, (k.x, k.y)
    )


@part("side table")
def square_side_table(k: Kit) -> None:
    """A square top with a drawer on four slim legs and a shelf."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.025)
    k.box(-x + 0.03, x - 0.03, -y + 0.03, y - 0.02, z - 0.15, z - 0.025, leg_look(k))
    drawer(
        k,
        -x + 0.05,
        x - 0.05,
        z - 0.135,
        z - 0.04,
        -y + 0.03,
        BRASS,
        k.light if k.item.material != "glass" else WOOD,
    )
    k.legs(0.032, z - 0.025, leg_look(k), inset=0.02, taper=0.7)
    k.box(-x + 0.04, x - 0.04, -y + 0.04, y - 0.04, 0.24 * z, 0.24 * z + 0.018, leg_look(k))


@part("side table")
def drum_side_table(k: Kit) -> None:
    """A round top on three bent metal rods with rings."""
    z = k.z
    _round_top(k)
    for i in range(6):
        a = math.tau * i / 6
        c, s = math.cos(a), math.sin(a)
        k.path(
            [
                (0.86 * k.x * c, 0.86 * k.y * s, z - 0.03),
                (0.45 * k.x * c, 0.45 * k.y * s, 0.5 * z),
                (0.86 * k.x * c, 0.86 * k.y * s, 0.012),
            ],
            0.009,
            tinted_iron(k),
            5,
        )
    for level, r in ((0.012, 0.88), (0.5 * z, 0.46)):
        k.add(
            shapes.stretched(shapes.ring(r, 0.03, 14, 4), k.x, k.y, min(k.x, k.y)),
            tinted_iron(k),
            (0, 0, level),
        )


@part("console table")
def drawer_console(k: Kit) -> None:
    """A narrow high table with two drawers, thin legs and a shelf near the floor."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.03)
    k.box(-x + 0.03, x - 0.03, -y + 0.03, y - 0.01, z - 0.16, z - 0.03, leg_look(k))
    for _, a, b in both_sides(0.02, x - 0.05):
        drawer(
            k, a, b, z - 0.145, z - 0.045, -y + 0.03, BRASS, k.light if k.item.material != "glass" else WOOD
        )
    k.legs(0.04, z - 0.03, leg_look(k), inset=0.02, taper=0.7)
    k.box(-x + 0.03, x - 0.03, -y + 0.03, y - 0.03, 0.18 * z, 0.18 * z + 0.025)


@part("console table")
def crossed_console(k: Kit) -> None:
    """A narrow top on metal ends with a cross between them at the back."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.035)
    iron = tinted_iron(k)
    for side in (-1, 1):
        at = side * (x - 0.04)
        k.path(
            [
                (at, -0.9 * y, z - 0.035),
                (at, -0.9 * y, 0.012),
                (at, 0.9 * y, 0.012),
                (at, 0.9 * y, z - 0.035),
            ],
            0.014,
            iron,
            4,
        )
        k.tube((-side * (x - 0.04), 0.85 * y, 0.03), (side * (x - 0.04), 0.85 * y, z - 0.05), 0.01, iron, 5)


@part("console table")
def half_round_console(k: Kit) -> None:
    """A half-moon top against the wall with an apron on turned legs."""
    x, y, z = k.x, k.y, k.z
    outline = [
        (x * math.cos(a), y - 2 * y * abs(math.sin(a)) ** 0.7)
        for a in (math.pi + math.pi * i / 14 for i in range(15))
    ]
    table_top(k, 0.03, outline)
    k.slab([(0.92 * a, y + (b - y) * 0.9) for a, b in outline], z - 0.12, z - 0.03, leg_look(k))
    for at in ((-0.84 * x, 0.7 * y), (0.84 * x, 0.7 * y), (-0.4 * x, -0.62 * y), (0.4 * x, -0.62 * y)):
        turned_leg(k, at, z - 0.1, 0.024, leg_look(k))
    k.ball((0, -0.86 * y, z - 0.075), 0.016, CHROME, 6)
