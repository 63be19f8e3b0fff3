"""Kitchen counters and islands."""

from __future__ import annotations

import itertools

from vlnscope.worlds.houses.mesh.colours import Paint, shade, texture
from vlnscope.worlds.houses.parts.cupboards import cabinet_style, panelled_door
from vlnscope.worlds.houses.parts.kit import DARK, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking

_STONE = Paint(92, 92, 96, 9)


_PALE_STONE = Paint(216, 212, 204, 9)


def painted_fronts(k: Kit) -> None:
    """Let stone be the material of the worktop alone: the fronts below it are painted wood."""
    if k.main.texture not in (0, texture("wood")):
        k.main = k.main._replace(texture=0)


def worktop(k: Kit) -> Paint:
    """Return a worktop's look that contrasts with the fronts under it."""
    return _STONE if sum(k.main[:3]) > 420 else _PALE_STONE


def _bar(k: Kit, at: float, level: float, half: float) -> None:
    """A bar to pull, level, in front of a front at -y + 0.025."""
    y = k.y
    line = [(at - half, -y + 0.025, level), (at - half, -y + 0.005, level), (at + half, -y + 0.005, level)]
    k.path([*line, (at + half, -y + 0.025, level)], 0.007, STEEL, 4)


def _unit(k: Kit, left: float, wide: float, top: float, style: int, drawers: bool) -> None:
    """One cabinet of a row: a drawer over a door, or three drawers; framed, flat or beaded fronts."""
    y = k.y
    a, b = left + 0.005, left + wide - 0.005
    middle = (a + b) / 2
    splits = (0.1, 0.4 * top, 0.68 * top, top - 0.01) if drawers else (0.1, 0.78 * top, top - 0.01)
    for i, (low, high) in enumerate(itertools.pairwise(splits)):
        small = drawers or i
        if style == 0 and not small:
            panelled_door(k, a, b, low, high - 0.01, -y + 0.045, k.main, 0.06)
        elif style == 2 and not small:
            k.box(a, b, -y + 0.03, -y + 0.045, low, high - 0.01, shade(k.main, 0.9))
            count = max(3, round(wide / 0.08))
            for j in range(count):
                at = a + j * (b - a) / count
                k.box(at + 0.003, at + (b - a) / count - 0.003, -y + 0.022, -y + 0.03, low, high - 0.01)
        else:
            k.soft(a, b, -y + 0.025, -y + 0.045, low, high - 0.01, 0.006)
        if style == 1:
            k.box(
                a + 0.02, b - 0.02, -y + 0.012, -y + 0.03, high - 0.026, high - 0.012, looking(DARK, "metal")
            )
        elif style == 2:
            k.ball((middle if small else b - 0.05, -y + 0.008, high - 0.07), 0.016, STEEL, 6)
        else:
            _bar(k, middle, high - (0.06 if not small else 0.5 * (high - low)), min(0.08, 0.3 * wide))


def fronts(k: Kit, top: float, hollow: float = 0.0) -> None:
    """Base cabinets below `top`: a recessed plinth, drawers and doors; its middle may be hollow."""
    x, y = k.x, k.y
    k.box(-x, x, -y + 0.08, y, 0, 0.09, DARK)
    k.box(-x, x, -y + 0.045, y, 0.09, top if not hollow else top - 0.2, k.dark)
    if hollow:
        for a, b, c, d in (
            (-x, -hollow, -y + 0.045, y),
            (hollow, x, -y + 0.045, y),
            (-x, x, -y + 0.045, -0.75 * y),
        ):
            k.box(a, b, c, d, top - 0.2, top, k.dark)
    doors = max(1, round(2 * x / 0.5))
    wide = 2 * x / doors
    for i in range(doors):
        _unit(k, -x + i * wide, wide, top, cabinet_style(k), not hollow and doors > 1 and i == doors - 1)


@part("kitchen counter")
def kitchen_counter(k: Kit) -> None:
    """Drawers and doors (framed, flat or beaded) under a worktop with a low upstand at the wall."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    top = 0.94 * z
    fronts(k, top - 0.04)
    k.soft(-x, x, -y, y, top - 0.04, top, 0.008, worktop(k))
    k.box(-x, x, y - 0.02, y, top, z, worktop(k))


def _island_top(k: Kit) -> None:
    k.soft(-k.x, k.x, -k.y, k.y, k.z - 0.055, k.z, 0.012, worktop(k))


@part("kitchen island")
def panelled_island(k: Kit) -> None:
    """A panelled body with doors and knobs, a thick top that overhangs on all sides."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    k.box(-x + 0.12, x - 0.12, -y + 0.16, y - 0.16, 0, 0.09, DARK)
    k.box(-x + 0.08, x - 0.08, -y + 0.12, y - 0.12, 0.09, z - 0.05)
    panels = max(2, round(2 * x / 0.55))
    wide = (2 * x - 0.2) / panels
    for i in range(panels):
        left = -x + 0.1 + i * wide
        panelled_door(k, left + 0.02, left + wide - 0.02, 0.13, z - 0.09, -y + 0.12, k.light)
        k.ball((left + wide - 0.05, -y + 0.09, 0.7 * z), 0.018, STEEL, 6)
    _island_top(k)


@part("kitchen island")
def leg_island(k: Kit) -> None:
    """A butcher's table: turned legs at the corners, drawers under the top, a slatted shelf with pots."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * (x - 0.12), sy * (y - 0.12))
            profile = [
                (0.03, 0),
                (0.045, 0.06),
                (0.03, 0.1),
                (0.045, 0.3 * z),
                (0.03, 0.5 * z),
                (0.05, 0.6 * z),
            ]
            k.lathe(profile, None, at, 8)
            k.box(at[0] - 0.05, at[0] + 0.05, at[1] - 0.05, at[1] + 0.05, 0.6 * z, z - 0.05)
    k.box(-x + 0.1, x - 0.1, -y + 0.1, y - 0.1, 0.72 * z, z - 0.05, k.dark)
    count = max(2, round(2 * x / 0.6))
    for i in range(count):
        left = -x + 0.18 + i * (2 * x - 0.36) / count
        right = left + (2 * x - 0.36) / count
        k.soft(left + 0.01, right - 0.01, -y + 0.08, -y + 0.1, 0.74 * z, z - 0.07, 0.006, k.light)
        k.ball(((left + right) / 2, -y + 0.065, 0.83 * z), 0.018, STEEL, 6)
    for i in range(6):
        low = -y + 0.1 + i * (2 * y - 0.2) / 6
        k.box(-x + 0.1, x - 0.1, low, low + 0.8 * (2 * y - 0.2) / 6, 0.22 * z, 0.25 * z, k.dark)
    for place, tint in ((-0.4, STEEL), (0.3, Paint(184, 60, 48))):
        k.lathe(
            [(0, 0.25 * z), (0.13, 0.25 * z), (0.14, 0.4 * z), (0.05, 0.44 * z), (0, 0.44 * z)],
            tint,
            (place * x, 0),
            14,
        )
    _island_top(k)


@part("kitchen island")
def waterfall_island(k: Kit) -> None:
    """A worktop that runs down both ends to the floor, flat drawers between and a breakfast bar behind."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    stone = worktop(k)
    for _, a, b in both_sides(x, x - 0.06):
        k.box(a, b, -y, y, 0, z - 0.055, stone)
    k.box(-x + 0.06, x - 0.06, -y + 0.08, 0.4 * y, 0, 0.09, DARK)
    k.box(-x + 0.06, x - 0.06, -y + 0.05, 0.4 * y, 0.09, z - 0.055, k.dark)
    count = max(2, round(2 * x / 0.7))
    for i in range(count):
        left = -x + 0.065 + i * (2 * x - 0.13) / count
        right = left + (2 * x - 0.13) / count
        for low, high in ((0.1, 0.46 * z), (0.47 * z, 0.72 * z), (0.73 * z, z - 0.065)):
            k.soft(left + 0.006, right - 0.006, -y + 0.03, -y + 0.05, low, high - 0.008, 0.006)
            k.box(left + 0.03, right - 0.03, -y + 0.02, -y + 0.032, high - 0.03, high - 0.016, DARK)
    _island_top(k)
