"""Dressers, wardrobes and cabinets."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BRASS, CORNERS, DARK, GLASS, STEEL, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.houses.parts.tables import drawer


def panelled_door(
    k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, look: Paint, inset: float = 0.07
) -> None:
    """Add a door front with a raised frame around a panel."""
    inset = min(inset, 0.22 * (x1 - x0), 0.22 * (z1 - z0))
    k.box(x0, x1, front - 0.012, front, z0, z1, shade(look, 0.86))
    k.frame((x0, x1), (front - 0.024, front - 0.012), (z0, z1), inset, look)


def _drawers(k: Kit, z0: float, z1: float, columns: int, rows: int, knob: Paint) -> None:
    x, y = k.x, k.y
    wide, tall = (2 * x - 0.04) / columns, (z1 - z0) / rows
    for i in range(columns):
        for j in range(rows):
            left, low = -x + 0.02 + i * wide, z0 + j * tall
            drawer(k, left + 0.008, left + wide - 0.008, low + 0.008, low + tall - 0.008, -y + 0.03, knob)


def _rows(k: Kit) -> int:
    return max(3, min(5, round((k.z - 0.1) / 0.23)))


@part("dresser")
def knob_dresser(k: Kit) -> None:
    """A chest with rows of drawers with brass knobs, two beside each other if it is wide."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.08, 0.12 * z)
    k.legs(0.06, foot, k.dark)
    k.box(-x + 0.01, x - 0.01, -y + 0.03, y, foot, z - 0.03, k.dark)
    k.soft(-x, x, -y, y, z - 0.035, z, 0.01)
    _drawers(k, foot + 0.015, z - 0.045, 2 if x > 0.42 else 1, _rows(k), BRASS)


@part("dresser")
def mid_century_dresser(k: Kit) -> None:
    """A case on high slanting legs, drawers without knobs but with a grip cut in their upper edge."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.2, 0.24 * z)
    for sx, sy in CORNERS:
        k.path(
            [(sx * (x - 0.05), sy * (y - 0.03), 0), (sx * (x - 0.14), sy * (y - 0.1), foot + 0.01)],
            [0.014, 0.026],
            k.dark,
            6,
        )
    k.soft(-x, x, -y + 0.02, y, foot, z, 0.012)
    columns, rows = (3 if x > 0.6 else 2), max(2, _rows(k) - 1)
    wide, tall = (2 * x - 0.06) / columns, (z - foot - 0.06) / rows
    for i in range(columns):
        for j in range(rows):
            left, low = -x + 0.03 + i * wide, foot + 0.03 + j * tall
            k.soft(
                left + 0.006,
                left + wide - 0.006,
                -y,
                -y + 0.02,
                low + 0.006,
                low + tall - 0.006,
                0.005,
                k.light,
            )
            k.box(
                left + 0.35 * wide,
                left + 0.65 * wide,
                -y - 0.002,
                -y,
                low + tall - 0.035,
                low + tall - 0.012,
                k.dark,
            )


@part("dresser")
def bow_dresser(k: Kit) -> None:
    """A chest with panelled sides, framed drawers with drop handles, a shaped plinth."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.01, y, 0, 0.1 * z, 0.015, k.dark)
    k.box(-x + 0.015, x - 0.015, -y + 0.03, y, 0.1 * z, z - 0.05, k.dark)
    k.soft(-x, x, -y, y, z - 0.05, z - 0.02, 0.01, k.dark)
    k.soft(-x - 0.01, x + 0.01, -y - 0.01, y, z - 0.022, z, 0.008)
    rows = _rows(k)
    tall = (0.9 * z - 0.07) / rows
    for j in range(rows):
        low = 0.1 * z + 0.01 + j * tall
        for a, b in ((-x + 0.03, -0.01), (0.01, x - 0.03)) if j == rows - 1 else ((-x + 0.03, x - 0.03),):
            k.soft(a, b, -y + 0.01, -y + 0.03, low, low + tall - 0.015, 0.006)
            for at in (0.25, 0.75) if b - a > 0.5 else (0.5,):
                middle = a + at * (b - a)
                level = low + 0.55 * tall
                k.path(
                    [
                        (middle - 0.04, -y + 0.008, level),
                        (middle - 0.03, -y - 0.008, level - 0.025),
                        (middle + 0.03, -y - 0.008, level - 0.025),
                        (middle + 0.04, -y + 0.008, level),
                    ],
                    0.006,
                    BRASS,
                )


def _case(k: Kit, plinth: float, cornice: float) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x + 0.02, x - 0.02, -y + 0.04, y, 0, plinth, k.dark)
    k.box(-x + 0.015, x - 0.015, -y + 0.03, y, plinth, z - cornice, k.dark)


@part("wardrobe")
def panelled_wardrobe(k: Kit) -> None:
    """A tall case with panelled doors, long handles, a plinth and a cornice."""
    x, y, z = k.x, k.y, k.z
    _case(k, 0.08, 0.06)
    k.soft(-x, x, -y, y, z - 0.07, z, 0.015)
    doors = 3 if x > 0.75 else 2
    wide = (2 * x - 0.05) / doors
    for i in range(doors):
        left = -x + 0.025 + i * wide
        panelled_door(k, left + 0.006, left + wide - 0.006, 0.1, 0.42 * z, -y + 0.03, k.main, 0.09)
        panelled_door(k, left + 0.006, left + wide - 0.006, 0.42 * z, z - 0.09, -y + 0.03, k.main, 0.09)
        handle = left + (wide - 0.05 if i % 2 == 0 else 0.05)
        k.tube((handle, -y - 0.015, 0.42 * z), (handle, -y - 0.015, 0.56 * z), 0.012, STEEL)


@part("wardrobe")
def sliding_wardrobe(k: Kit) -> None:
    """A flat case with two or three sliding doors, one of them a mirror."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.06, y, 0, z, k.dark)
    k.box(-x, x, -y, -y + 0.07, z - 0.06, z)
    k.box(-x, x, -y, -y + 0.07, 0, 0.05)
    doors = 3 if x > 0.75 else 2
    wide = 2 * x / doors
    for i in range(doors):
        left, front = -x + i * wide, -y + (0.012 if i % 2 else 0.035)
        glass = i == doors // 2
        k.box(left, left + wide, front, front + 0.02, 0.05, z - 0.06, k.main)
        if glass:
            k.box(
                left + 0.03,
                left + wide - 0.03,
                front - 0.002,
                front,
                0.08,
                z - 0.09,
                Paint(206, 224, 232, 12),
            )
        else:
            k.frame((left, left + wide), (front - 0.008, front), (0.05, z - 0.06), 0.03, k.light)
        k.box(left + 0.012, left + 0.028, front - 0.014, front, 0.42 * z, 0.58 * z, STEEL)


@part("wardrobe")
def armoire(k: Kit) -> None:
    """Two arched doors over a long drawer, a curved crown and feet."""
    x, y, z = k.x, k.y, k.z
    foot = 0.09
    for sx, sy in CORNERS:
        k.lathe([(0.02, 0), (0.045, 0.03), (0.03, foot)], k.dark, (sx * (x - 0.06), sy * (y - 0.06)), 8)
    k.box(-x + 0.02, x - 0.02, -y + 0.03, y, foot, 0.93 * z, k.dark)
    k.soft(-x, x, -y, y, 0.9 * z, 0.94 * z, 0.012)
    arch = [
        (-x, 0.94 * z),
        (x, 0.94 * z),
        (0.75 * x, 0.955 * z),
        (0.3 * x, 0.99 * z),
        (0, z),
        (-0.3 * x, 0.99 * z),
        (-0.75 * x, 0.955 * z),
    ]
    k.plate(arch, -0.9 * y, 0.6 * y)
    drawer(k, -x + 0.04, x - 0.04, foot + 0.02, 0.2 * z, -y + 0.03, BRASS)
    for side in (-1, 1):
        a, b = sorted((side * 0.006, side * (x - 0.04)))
        panelled_door(k, a, b, 0.22 * z, 0.88 * z, -y + 0.03, k.main, 0.08)
        middle = (a + b) / 2
        k.soft(middle - 0.2 * x, middle + 0.2 * x, -y, -y + 0.02, 0.3 * z, 0.8 * z, 0.015, k.light)
        k.ball((side * 0.05, -y - 0.01, 0.52 * z), 0.018, BRASS, 6)


def _cabinet_case(k: Kit) -> float:
    """The carcase of a cabinet; returns where its doors begin."""
    x, y, z = k.x, k.y, k.z
    foot = 0.0 if k.item.mounted else min(0.08, 0.1 * z)
    k.box(-x + 0.03, x - 0.03, -y + 0.06, y, 0, foot, k.dark)
    k.box(-x, x, -y + 0.025, y, foot, z - 0.02, k.dark)
    k.box(-x, x, -y + 0.005, y, z - 0.025, z)
    k.box(-x, x, -y + 0.02, y, foot, foot + 0.02)
    return foot


def cabinet_style(k: Kit) -> int:
    """Which of three styles of fronts a fitted unit has.

    Units that hang are told apart by their height, others by their depth, both in whole centimetres, so that
    a row of units has one style.
    """
    return round(100 * (k.item.size[2] if k.item.mounted else k.item.size[1])) % 3


@part("cabinet")
def cabinet(k: Kit) -> None:
    """Doors with knobs (panelled, flat with a bar, or glazed), a plinth if it stands on the floor."""
    x, y, z = k.x, k.y, k.z
    style, foot = cabinet_style(k), _cabinet_case(k)
    doors = max(2, round(2 * x / 0.5))
    wide = 2 * x / doors
    for i in range(doors):
        left = -x + i * wide
        a, b, low, high = left + 0.006, left + wide - 0.006, foot + 0.025, z - 0.03
        knob = left + (wide - 0.05 if i % 2 == 0 else 0.05)
        level = foot + (0.22 if k.item.mounted else 0.72) * (z - foot)
        if style == 0:
            panelled_door(k, a, b, low, high, -y + 0.025, k.main)
            k.ball((knob, -y - 0.01, level), 0.02, STEEL, 6)
        elif style == 1:
            k.soft(a, b, -y + 0.005, -y + 0.025, low, high, 0.006)
            k.path(
                [
                    (knob, -y + 0.005, level - 0.07),
                    (knob, -y - 0.02, level - 0.06),
                    (knob, -y - 0.02, level + 0.06),
                    (knob, -y + 0.005, level + 0.07),
                ],
                0.008,
                looking(DARK, "metal"),
            )
        else:
            _glazed_door(k, a, b, low, high)
            k.ball((knob, -y - 0.01, level), 0.018, BRASS, 6)


def _glazed_door(k: Kit, x0: float, x1: float, z0: float, z1: float) -> None:
    """A frame with bars and panes, dishes on a shelf behind them."""
    y = k.y
    k.frame((x0, x1), (-y + 0.003, -y + 0.025), (z0, z1), 0.05)
    k.box(x0 + 0.05, x1 - 0.05, -y + 0.021, -y + 0.024, z0 + 0.05, z1 - 0.05, shade(k.main, 0.4))
    middle, half = (x0 + x1) / 2, (z0 + z1) / 2
    for i in range(3):
        at = x0 + 0.07 + (i + 0.5) * (x1 - x0 - 0.14) / 3
        wide = 0.3 * (x1 - x0 - 0.14) / 3
        for low in (z0 + 0.055, half + 0.01):
            k.box(
                at - wide,
                at + wide,
                -y + 0.018,
                -y + 0.022,
                low,
                low + (0.5 + 0.2 * (i % 2)) * (half - z0 - 0.08),
                Paint(232, 230, 222) if i % 2 else Paint(120, 150, 176),
            )
    k.box(x0 + 0.05, x1 - 0.05, -y + 0.012, -y + 0.02, half - 0.008, half + 0.008, k.light)
    k.box(middle - 0.008, middle + 0.008, -y + 0.006, -y + 0.012, z0 + 0.05, z1 - 0.05)
    k.box(x0 + 0.05, x1 - 0.05, -y + 0.008, -y + 0.01, z0 + 0.05, z1 - 0.05, GLASS)
