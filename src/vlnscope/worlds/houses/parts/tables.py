"""Tables to eat at and to sit around."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, CORNERS, GLASS, WOOD, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_IRON = looking(Paint(48, 48, 50), "metal")


def drawer(
    k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, knob: Paint, look: Paint | None = None
) -> None:
    """Add the front of a drawer at depth y = `front` with two knobs, or one if it is narrow."""
    k.soft(x0, x1, front - 0.016, front, z0, z1, 0.005, look or k.light)
    width, middle = x1 - x0, (z0 + z1) / 2
    for at in (0.28, 0.72) if width > 0.55 else (0.5,):
        k.ball((x0 + at * width, front - 0.026, middle), 0.018, knob, 6)


def table_top(k: Kit, thick: float, outline: shapes.Outline | None = None) -> None:
    """Add the top of a table: of glass, or with a chamfered edge in the main colour."""
    x, y, z = k.x, k.y, k.z
    look = GLASS if k.item.material == "glass" else k.main
    if outline is not None:
        k.slab(outline, z - thick, z, look)
    else:
        k.soft(-x, x, -y, y, z - thick, z, 0.3 * thick, look)


def leg_look(k: Kit) -> Paint:
    """Return the look of legs: iron under stone and glass, else a darker tone of the top."""
    return k.dark if k.main.texture in (0, 1) and k.item.material != "glass" else tinted_iron(k)


def tinted_iron(k: Kit) -> Paint:
    """Return metal in a dark tone of the main colour."""
    return looking(shade(k.main, 0.5), "metal")


def turned_leg(k: Kit, at: tuple[float, float], top: float, radius: float, look: Paint) -> None:
    """Add a leg from the lathe: a foot, a swelling, a ring, and a square block at the top."""
    profile = [
        (0.5, 0.0),
        (0.75, 0.04),
        (0.45, 0.1),
        (0.7, 0.4),
        (1.0, 0.62),
        (0.55, 0.72),
        (0.95, 0.76),
        (0.6, 0.8),
    ]
    k.lathe([(r * radius, share * top) for r, share in profile], look, at, 8)
    x, y = at
    k.box(x - radius, x + radius, y - radius, y + radius, 0.79 * top, top, look)


def _pedestal(k: Kit, at: tuple[float, float], top: float, reach: float, look: Paint) -> None:
    """A column with four curved feet."""
    x, y = at
    k.lathe(
        [
            (0.045, 0.12),
            (0.06, 0.2 * top),
            (0.035, 0.3 * top),
            (0.07, 0.55 * top),
            (0.04, 0.7 * top),
            (0.1, top),
        ],
        look,
        at,
        10,
    )
    for i in range(4):
        a = math.tau * (i + 0.5) / 4
        c, s = math.cos(a), math.sin(a)
        k.path(
            [
                (x, y, 0.32 * top),
                (x + 0.5 * reach * c, y + 0.5 * reach * s, 0.24 * top),
                (x + reach * c, y + reach * s, 0.02),
            ],
            [0.035, 0.03, 0.02],
            look,
            6,
        )


@part("dining table")
def farm_table(k: Kit) -> None:
    """A top with an apron on four tapered legs."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.045)
    k.box(-x + 0.09, x - 0.09, -y + 0.09, y - 0.09, z - 0.13, z - 0.045, leg_look(k))
    k.legs(min(0.085, 0.16 * x), z - 0.045, leg_look(k), inset=0.05, taper=0.55)


@part("dining table")
def trestle_table(k: Kit) -> None:
    """A thick top on two X-shaped trestles with a beam between them."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.06)
    under = leg_look(k)
    for side in (-1, 1):
        at = side * 0.68 * x
        for turn in (-1, 1):
            k.frustum(
                (at - 0.04, at + 0.04, turn * 0.82 * y - 0.05, turn * 0.82 * y + 0.05),
                (at - 0.04, at + 0.04, -turn * 0.6 * y - 0.05, -turn * 0.6 * y + 0.05),
                0,
                z - 0.06,
                under,
            )
        k.box(at - 0.05, at + 0.05, -0.78 * y, 0.78 * y, z - 0.12, z - 0.06, under)
    k.box(-0.7 * x, 0.7 * x, -0.035, 0.035, 0.42 * z, 0.52 * z, under)


@part("dining table")
def pedestal_table(k: Kit) -> None:
    """A top with round ends on one or two columns with curved feet."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.035, shapes.rounded(-x, x, -y, y, 0.98 * min(x, y), 6))
    under = leg_look(k)
    reach = 0.75 * min(x, y)
    for at in (-0.5 * x, 0.5 * x) if x > 0.75 else (0.0,):
        _pedestal(k, (at, 0.0), z - 0.035, reach, under)


@part("dining table")
def turned_leg_table(k: Kit) -> None:
    """A top with an apron on four turned legs."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.04)
    under = leg_look(k)
    k.box(-x + 0.07, x - 0.07, -y + 0.07, y - 0.07, z - 0.12, z - 0.04, under)
    for sx, sy in CORNERS:
        turned_leg(k, (sx * (x - 0.1), sy * (y - 0.1)), z - 0.04, 0.05, under)


@part("coffee table")
def shelf_coffee_table(k: Kit) -> None:
    """A low table with a shelf under its top and magazines on it."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.04)
    k.legs(0.055, z - 0.04, leg_look(k), inset=0.02, taper=0.8)
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.28 * z, 0.28 * z + 0.02, leg_look(k))
    for i, tint in enumerate((Paint(190, 60, 50), Paint(60, 100, 150), Paint(230, 220, 200))):
        k.add(
            shapes.turned(shapes.box(-0.11, 0.11, -0.14, 0.14, 0, 0.01), 2, 12 * i - 10),
            tint,
            (0.3 * x, 0, 0.28 * z + 0.02 + 0.011 * i),
        )


@part("coffee table")
def oval_coffee_table(k: Kit) -> None:
    """An oval top on four slanting slim legs."""
    x, y, z = k.x, k.y, k.z
    outline = [(x * math.cos(a), y * math.sin(a)) for a in (math.tau * i / 24 for i in range(24))]
    table_top(k, 0.028, outline)
    for sx, sy in CORNERS:
        k.path(
            [(sx * 0.78 * x, sy * 0.72 * y, 0), (sx * 0.5 * x, sy * 0.45 * y, z - 0.025)],
            [0.012, 0.022],
            leg_look(k),
            6,
        )
    k.box(-0.52 * x, 0.52 * x, -0.02, 0.02, z - 0.06, z - 0.028, leg_look(k))


@part("coffee table")
def frame_coffee_table(k: Kit) -> None:
    """A thin top within two upright metal frames with runners."""
    x, y, z = k.x, k.y, k.z
    table_top(k, 0.03)
    for side in (-1, 1):
        at = side * 0.8 * x
        k.path(
            [(at, -0.9 * y, z - 0.03), (at, -0.9 * y, 0.012), (at, 0.9 * y, 0.012), (at, 0.9 * y, z - 0.03)],
            0.014,
            tinted_iron(k),
            4,
        )
    k.tube((-0.8 * x, 0, 0.012), (0.8 * x, 0, 0.012), 0.012, tinted_iron(k), 4)


@part("coffee table")
def block_coffee_table(k: Kit) -> None:
    """A closed low chest with two drawers on a recessed plinth."""
    x, y, z = k.x, k.y, k.z
    body = shade(k.main, 0.85) if k.item.material != "glass" else WOOD
    k.box(-0.9 * x, 0.9 * x, -0.86 * y, 0.86 * y, 0, 0.14 * z, _IRON)
    k.box(-0.98 * x, 0.98 * x, -0.96 * y, 0.96 * y, 0.14 * z, z - 0.035, body)
    table_top(k, 0.035)
    for _, a, b in both_sides(0.01, 0.94 * x):
        drawer(k, a, b, 0.2 * z, z - 0.06, -0.96 * y, BRASS, shade(body, 1.15))
