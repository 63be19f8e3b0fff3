"""Desks, night stands and tv stands."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    CORNERS,
    DARK,
    GLASS,
    STEEL,
    WOOD,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.houses.parts.tables import drawer


def _desk_top(k: Kit, thick: float) -> None:
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - thick, z, 0.3 * thick, GLASS if k.item.material == "glass" else k.main)


def _body(k: Kit) -> Paint:
    return shade(WOOD, 0.8) if k.item.material == "glass" else k.dark


def _stack(k: Kit, x0: float, x1: float, top: float, rows: int, knob: Paint) -> None:
    """A stack of drawers from the floor up to `top`."""
    y = k.y
    k.box(x0, x1, -y + 0.03, y - 0.02, 0.02, top, _body(k))
    tall = (top - 0.06) / rows
    for i in range(rows):
        low = 0.05 + i * tall
        drawer(k, x0 + 0.015, x1 - 0.015, low, low + tall - 0.015, -y + 0.03, knob, shade(_body(k), 1.25))


@part("desk")
def single_pedestal_desk(k: Kit) -> None:
    """A top, a stack of drawers on one side, a panel on the other and one at the back."""
    x, y, z = k.x, k.y, k.z
    stack = min(0.42, 0.62 * x)
    _desk_top(k, 0.04)
    _stack(k, x - stack, x - 0.02, z - 0.04, 3, CHROME)
    k.box(-x + 0.02, -x + 0.06, -y + 0.03, y - 0.02, 0, z - 0.04, _body(k))
    k.box(-x + 0.06, x - stack, y - 0.06, y - 0.04, 0.35 * z, z - 0.04, _body(k))


@part("desk")
def writing_desk(k: Kit) -> None:
    """A light table on slanting legs with a row of flat drawers under its top and a low rack at the back."""
    x, y, z = k.x, k.y, k.z
    _desk_top(k, 0.03)
    k.box(-x + 0.03, x - 0.03, -y + 0.04, y - 0.02, z - 0.13, z - 0.03, _body(k))
    for i in range(3):
        left = -x + 0.04 + i * (2 * x - 0.08) / 3
        drawer(
            k,
            left + 0.005,
            left + (2 * x - 0.08) / 3 - 0.005,
            z - 0.12,
            z - 0.04,
            -y + 0.04,
            BRASS,
            shade(_body(k), 1.25),
        )
    for sx, sy in CORNERS:
        k.path(
            [(sx * (x - 0.03), sy * (y - 0.04), 0), (sx * (x - 0.09), sy * (y - 0.1), z - 0.1)],
            [0.014, 0.026],
            _body(k),
            6,
        )


@part("desk")
def double_pedestal_desk(k: Kit) -> None:
    """A broad desk with a stack of drawers on both sides, a drawer between, and a leather inlay."""
    x, y, z = k.x, k.y, k.z
    stack = min(0.4, 0.5 * x)
    _desk_top(k, 0.045)
    for _, a, b in both_sides(x - 0.02, x - stack):
        _stack(k, a, b, z - 0.045, 3, BRASS)
    drawer(
        k, -x + stack + 0.02, x - stack - 0.02, z - 0.14, z - 0.055, -y + 0.03, BRASS, shade(_body(k), 1.2)
    )
    k.box(-x + stack, x - stack, y - 0.05, y - 0.03, 0.2 * z, z - 0.045, _body(k))
    k.box(-0.8 * x, 0.8 * x, -0.8 * y, 0.7 * y, z, z + 0.0012, looking(Paint(56, 84, 62), "leather"))


@part("desk")
def trestle_desk(k: Kit) -> None:
    """A plain top on two trestles of slanting bars with shelves."""
    x, y, z = k.x, k.y, k.z
    _desk_top(k, 0.03)
    legs = looking(Paint(54, 54, 58), "metal") if k.item.material != "wood" else k.dark
    for side in (-1, 1):
        for end in (-1, 1):
            for lean in (-1, 1):
                at = side * 0.7 * x
                k.path(
                    [
                        (at + lean * 0.17 * x, end * 0.85 * y, 0),
                        (at + lean * 0.05 * x, end * 0.6 * y, z - 0.03),
                    ],
                    0.018,
                    legs,
                    4,
                )
        k.box(
            side * 0.7 * x - 0.13 * x,
            side * 0.7 * x + 0.13 * x,
            -0.75 * y,
            0.75 * y,
            0.3 * z,
            0.3 * z + 0.02,
            legs,
        )
        k.box(
            side * 0.7 * x - 0.06 * x,
            side * 0.7 * x + 0.06 * x,
            -0.65 * y,
            0.65 * y,
            z - 0.06,
            z - 0.03,
            legs,
        )


@part("nightstand")
def open_nightstand(k: Kit) -> None:
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
    k.box(-0.4 * x, 0.3 * x, -0.5 * y, 0.5 * y, split, split + 0.03, Paint(60, 90, 140))


@part("nightstand")
def chest_nightstand(k: Kit) -> None:
    """Three drawers with cup pulls under a moulded top, on a plinth."""
    x, y, z = k.x, k.y, k.z
    k.box(-x + 0.02, x - 0.02, -y + 0.04, y, 0, 0.05, k.dark)
    k.box(-x + 0.01, x - 0.01, -y + 0.03, y, 0.05, z - 0.03, k.dark)
    k.soft(-x, x, -y, y, z - 0.035, z, 0.012)
    tall = (z - 0.1) / 3
    for i in range(3):
        low = 0.06 + i * tall
        k.soft(-x + 0.025, x - 0.025, -y + 0.012, -y + 0.03, low, low + tall - 0.015, 0.005, k.light)
        k.path(
            [
                (-0.25 * x, -y + 0.012, low + 0.55 * tall),
                (-0.2 * x, -y - 0.008, low + 0.5 * tall),
                (0.2 * x, -y - 0.008, low + 0.5 * tall),
                (0.25 * x, -y + 0.012, low + 0.55 * tall),
            ],
            0.008,
            STEEL,
        )


@part("nightstand")
def leggy_nightstand(k: Kit) -> None:
    """One wide drawer in a case on four high slanting legs."""
    x, y, z = k.x, k.y, k.z
    low = 0.52 * z
    k.soft(-x, x, -y, y, z - 0.025, z, 0.008)
    k.box(-x, x, -y + 0.02, y, low, z - 0.025, k.dark)
    drawer(k, -x + 0.02, x - 0.02, low + 0.02, z - 0.04, -y + 0.02, BRASS)
    for sx, sy in CORNERS:
        k.path(
            [(sx * (x - 0.015), sy * (y - 0.015), 0), (sx * (x - 0.06), sy * (y - 0.06), low + 0.01)],
            [0.011, 0.02],
            k.dark,
            6,
        )


def _player(k: Kit, x0: float, x1: float, low: float, tall: float) -> None:
    y = k.y
    k.box(x0, x1, -y + 0.06, y - 0.06, low, low + tall, DARK)
    k.box(x0 + 0.02, x0 + 0.1, -y + 0.055, -y + 0.06, low + 0.3 * tall, low + 0.6 * tall, Paint(90, 200, 160))


@part("tv stand")
def door_tv_stand(k: Kit) -> None:
    """A low long board: doors at the ends, open shelves with a player between them."""
    x, y, z = k.x, k.y, k.z
    foot, third = min(0.08, 0.18 * z), x / 3
    for side in (-1, 1):
        for end in (-1, 1):
            k.tube((side * 0.88 * x, end * 0.75 * y, foot), (side * 0.92 * x, end * 0.8 * y, 0), 0.02, BLACK)
        a, b = sorted((side * x, side * (third + 0.01)))
        k.box(a, b, -y + 0.02, y, foot, z - 0.025, k.dark)
        k.soft(a + 0.015, b - 0.015, -y, -y + 0.02, foot + 0.015, z - 0.04, 0.006, k.light)
        k.ball((side * (third + 0.07), -y - 0.01, (foot + z) / 2), 0.016, STEEL, 6)
    k.soft(-x, x, -y, y, z - 0.03, z, 0.008)
    k.box(-third, third, -y + 0.02, y, foot, foot + 0.025)
    k.box(-third, third, y - 0.02, y, foot, z - 0.025, k.dark)
    middle = (foot + z) / 2
    k.box(-third, third, -y + 0.04, y, middle - 0.01, middle + 0.01)
    _player(k, -0.7 * third, 0.7 * third, middle + 0.01, 0.15 * z)


@part("tv stand")
def drawer_tv_stand(k: Kit) -> None:
    """A long board with a row of drawers below an open slot with a player, on a plinth."""
    x, y, z = k.x, k.y, k.z
    slot = 0.62 * z
    k.box(-x + 0.03, x - 0.03, -y + 0.05, y, 0, 0.06, DARK)
    k.box(-x, x, -y + 0.02, y, 0.06, slot, k.dark)
    for i in range(3):
        left = -x + i * 2 * x / 3
        k.soft(
            left + 0.01, left + 2 * x / 3 - 0.01, -y + 0.002, -y + 0.02, 0.075, slot - 0.015, 0.006, k.light
        )
        k.box(left + 0.25 * x, left + 0.42 * x, -y - 0.008, -y + 0.004, slot - 0.05, slot - 0.035, STEEL)
    for at in (-x + 0.012, -x / 3, x / 3, x - 0.012):
        k.box(at - 0.012, at + 0.012, -y + 0.02, y, slot, z - 0.025)
    k.box(-x, x, y - 0.02, y, slot, z - 0.025, k.dark)
    k.soft(-x, x, -y, y, z - 0.03, z, 0.008)
    _player(k, -0.25 * x, 0.25 * x, slot, 0.12 * z)


@part("tv stand")
def metal_leg_tv_stand(k: Kit) -> None:
    """A box with sliding slatted doors on a metal frame."""
    x, y, z = k.x, k.y, k.z
    low = 0.36 * z
    for side in (-1, 1):
        at = side * 0.8 * x
        k.path(
            [(at, -0.85 * y, low), (at, -0.85 * y, 0.012), (at, 0.85 * y, 0.012), (at, 0.85 * y, low)],
            0.014,
            BLACK,
            4,
        )
    k.soft(-x, x, -y + 0.02, y, low, z, 0.01)
    for side, a, b in both_sides(0.97 * x, 0.02):
        k.box(a, b, -y + 0.005, -y + 0.02, low + 0.03, z - 0.03, k.dark)
        count = max(5, round((b - a) / 0.06))
        for i in range(count):
            left = a + i * (b - a) / count
            k.box(left + 0.006, left + 0.7 * (b - a) / count, -y, -y + 0.005, low + 0.03, z - 0.03, k.light)
        k.box(
            side * 0.04 * x - 0.01,
            side * 0.04 * x + 0.01,
            -y - 0.012,
            -y,
            low + 0.25 * z,
            low + 0.4 * z,
            BLACK,
        )
