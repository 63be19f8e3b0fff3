"""Sofas, armchairs and ottomans."""

from __future__ import annotations

import math
from typing import NamedTuple

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    CORNERS,
    DARK_WOOD,
    WOOD,
    Kit,
    both_sides,
    part,
)


class _Lounge(NamedTuple):
    """How a sofa or an armchair is built, in metres."""

    foot: float
    arm: float
    arm_top: float
    back: float
    seat: float


def _measures(k: Kit, foot: float, arm: float, arm_top: float) -> _Lounge:
    x, y, z = k.x, k.y, k.z
    return _Lounge(min(foot, 0.2 * z), min(arm, 0.24 * x), arm_top * z, min(0.2, 0.26 * 2 * y), 0.5 * z)


def _seats(k: Kit) -> int:
    return max(2, min(4, round((2 * k.x - 0.4) / 0.7))) if k.item.name == "sofa" else 1


def _body(k: Kit, m: _Lounge) -> None:
    """The base and the back rest."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x + 0.02, x - 0.02, -y + 0.05, y - 0.01, m.foot, 0.34 * z, 0.015, k.dark)
    back = shapes.soft(-x + 0.02, x - 0.02, -0.5 * m.back, 0.5 * m.back, 0, 0.93 * z - m.foot, 0.05)
    k.add(shapes.turned(back, 0, -4), k.dark, (0, y - 0.56 * m.back, m.foot))


def _cushions(k: Kit, m: _Lounge, count: int, tufted: bool = False) -> None:
    """Bulging seat and back cushions side by side between the arms."""
    y, z = k.y, k.z
    inner = k.x - m.arm
    step = 2 * inner / count
    for i in range(count):
        left = -inner + i * step
        k.pillow(
            left + 0.003,
            left + step - 0.003,
            -y + 0.01,
            y - m.back - 0.02,
            0.3 * z,
            m.seat + 0.02,
            None,
            14,
            4,
            0.22,
            0.4,
        )
        tall = z - m.seat + 0.03
        rest = shapes.pillow(
            (left + 0.006, -0.55 * m.back, 0), (left + step - 0.006, 0.5 * m.back, tall), 14, 4, 0.35, 0.4
        )
        k.add(shapes.turned(rest, 0, -10), k.light, (0, y - 0.98 * m.back, m.seat - 0.03))
        if tufted:
            for j in range(4):
                at = (
                    left + (0.3 + 0.4 * (j % 2)) * step,
                    y - 1.45 * m.back + 0.06 * (j // 2),
                    m.seat + (0.3 + 0.32 * (j // 2)) * tall,
                )
                k.ball(at, 0.014, shade(k.main, 0.6), 5)


def _throw_pillows(k: Kit, m: _Lounge) -> None:
    accent = shade(k.main, 1.6) if sum(k.main[:3]) < 420 else Paint(196, 110, 62, k.main.texture)
    size = min(0.36, 0.45 * k.z)
    for side in (-1, 1):
        pillow = shapes.pillow((-size / 2, -0.07, 0), (size / 2, 0.07, size), 12, 4, 0.5, 0.6)
        pillow = shapes.turned(shapes.turned(pillow, 0, -18), 2, side * -20)
        k.add(pillow, accent, (side * (k.x - m.arm - 0.6 * size), k.y - m.back - 0.16, m.seat))


def _block_feet(k: Kit, foot: float) -> None:
    for sx, sy in CORNERS:
        fx, fy = sx * 0.92 * k.x, sy * 0.86 * k.y
        k.frustum(
            (fx - 0.02, fx + 0.02, fy - 0.02, fy + 0.02),
            (fx - 0.03, fx + 0.03, fy - 0.03, fy + 0.03),
            0,
            foot + 0.01,
            DARK_WOOD,
        )


@part("sofa")
@part("armchair")
def track_arm_lounge(k: Kit) -> None:
    """Square arms, loose cushions, block feet."""
    m = _measures(k, 0.09, 0.18, 0.7)
    _body(k, m)
    _block_feet(k, m.foot)
    for _, a, b in both_sides(k.x, k.x - m.arm):
        k.soft(a, b, -k.y, k.y - 0.02, m.foot, m.arm_top, 0.04)
    _cushions(k, m, _seats(k))
    if _seats(k) > 1:
        _throw_pillows(k, m)


@part("sofa")
@part("armchair")
def rolled_arm_lounge(k: Kit) -> None:
    """Arms that roll outwards with round fronts, a rolled back with buttons, turned feet."""
    x, y, z = k.x, k.y, k.z
    m = _measures(k, 0.1, 0.2, 0.72)
    roll = 0.5 * m.arm
    _body(k, m)
    for sx, sy in CORNERS:
        k.lathe(
            [(0.0, 0), (0.025, 0.01), (0.04, 0.05), (0.02, m.foot)],
            DARK_WOOD,
            (sx * 0.9 * x, sy * 0.86 * y),
            8,
        )
    for side in (-1, 1):
        at = side * (x - roll)
        k.add(shapes.facing_front(shapes.cylinder(roll, -(y - 0.05), y, 12)), None, (at, 0, m.arm_top - roll))
        k.add(
            shapes.facing_front(shapes.cylinder(0.6 * roll, y, y + 0.008, 10)),
            k.dark,
            (at, 0, m.arm_top - roll),
        )
        a, b = sorted((side * (x - 0.05), side * (x - m.arm)))
        k.box(a, b, -y + 0.01, y - 0.05, m.foot, m.arm_top - roll)
    k.add(
        shapes.facing_side(shapes.cylinder(0.075, -x + m.arm * 0.5, x - m.arm * 0.5, 12)),
        k.main,
        (0, y - 0.075, z - 0.075),
    )
    _cushions(k, m, _seats(k), tufted=True)


@part("sofa")
@part("armchair")
def slim_lounge(k: Kit) -> None:
    """A light frame of wood with thin arm rests on tapered legs, thick loose cushions."""
    x, y, z = k.x, k.y, k.z
    wood = WOOD if k.item.material in ("fabric", "velvet") else DARK_WOOD
    m = _measures(k, 0.16, 0.06, 0.66)
    for side in (-1, 1):
        at = side * (x - 0.025)
        for deep, top in ((-y + 0.05, m.arm_top), (y - 0.16, m.arm_top)):
            k.path([(at, deep * 1.0, 0), (at, deep, top)], [0.014, 0.024], wood, 6)
        k.soft(at - 0.03, at + 0.03, -y, y - 0.12, m.arm_top - 0.03, m.arm_top, 0.012, wood)
        k.box(at - 0.014, at + 0.014, -y + 0.05, y - 0.16, 0.26 * z, 0.31 * z, wood)
    k.box(-x + 0.03, x - 0.03, -y + 0.04, y - 0.12, 0.25 * z, 0.3 * z, wood)
    for level in (0.6, 0.74, 0.88):
        k.box(-x + 0.04, x - 0.04, y - 0.06, y - 0.03, level * z, (level + 0.05) * z, wood)
    for side in (-1, 1):
        k.frustum(
            (side * (x - 0.06) - 0.02, side * (x - 0.06) + 0.02, y - 0.18, y - 0.14),
            (side * (x - 0.06) - 0.02, side * (x - 0.06) + 0.02, y - 0.05, y),
            0.25 * z,
            0.95 * z,
            wood,
        )
    _cushions(k, m, _seats(k))
    if _seats(k) > 1:
        _throw_pillows(k, m)


@part("sofa")
def chaise_sofa(k: Kit) -> None:
    """A sofa whose right end is a long couch without an arm in front; low block arms."""
    x, y, z = k.x, k.y, k.z
    m = _measures(k, 0.06, 0.16, 0.62)
    _body(k, m)
    _block_feet(k, m.foot)
    k.soft(-x, -x + m.arm, -0.55 * y, y - 0.02, m.foot, m.arm_top, 0.04)
    k.soft(x - m.arm, x, 0.1 * y, y - 0.02, m.foot, m.arm_top, 0.04)
    inner = x - m.arm
    split = 0.3 * x
    seats = 2 if x > 0.85 else 1
    for i in range(seats):
        step = (split + inner) / seats
        left = -inner + i * step
        k.pillow(
            left + 0.003,
            left + step - 0.003,
            -0.6 * y,
            y - m.back,
            0.3 * z,
            m.seat + 0.02,
            None,
            14,
            4,
            0.22,
            0.4,
        )
    k.soft(split, x, -y, y - m.back, m.foot, 0.34 * z, 0.02, k.dark)
    k.pillow(split + 0.003, x - 0.005, -y, y - m.back, 0.3 * z, m.seat + 0.02, None, 16, 4, 0.2, 0.4)
    for i in range(seats + 1):
        step = 2 * inner / (seats + 1)
        left = -inner + i * step
        rest = shapes.pillow(
            (left + 0.006, -0.55 * m.back, 0),
            (left + step - 0.006, 0.5 * m.back, z - m.seat),
            14,
            4,
            0.35,
            0.4,
        )
        k.add(shapes.turned(rest, 0, -10), k.light, (0, y - 0.98 * m.back, m.seat - 0.02))
    _throw_pillows(k, m)


@part("armchair")
def wing_chair(k: Kit) -> None:
    """A high back with wings at its sides, scrolled arms, a loose seat cushion, curved feet."""
    x, y, z = k.x, k.y, k.z
    m = _measures(k, 0.14, 0.15, 0.62)
    for sx, sy in CORNERS:
        k.path(
            [(sx * 0.94 * x, sy * 0.9 * y, 0), (sx * 0.86 * x, sy * 0.8 * y, m.foot + 0.02)],
            [0.02, 0.03],
            DARK_WOOD,
            6,
        )
    k.soft(-x + 0.02, x - 0.02, -y + 0.04, y - 0.02, m.foot, 0.36 * z, 0.02, k.dark)
    k.pillow(-x + m.arm, x - m.arm, -y, y - m.back, 0.32 * z, m.seat, None, 14, 4, 0.25, 0.4)
    back = shapes.pillow((-0.82 * x, -0.09, 0), (0.82 * x, 0.09, z - 0.3 * z), 14, 4, 0.4, 0.3)
    k.add(shapes.turned(back, 0, -5), None, (0, y - 0.14, 0.3 * z))
    for side, a, b in both_sides(x, x - m.arm):
        k.soft(a, b, -0.9 * y, y - 0.1, m.foot, m.arm_top, 0.05)
        wing = [
            (0.1 * y, m.arm_top - 0.03),
            (0.9 * y, m.arm_top - 0.05),
            (0.98 * y, 0.96 * z),
            (0.62 * y, z),
            (0.4 * y, 0.9 * z),
        ]
        c, d = sorted((side * (x - 0.01), side * (x - 0.1)))
        k.add(shapes.facing_side(shapes.prism(wing, c, d)), k.dark)
    for i in range(4):
        k.ball(
            ((i % 2 - 0.5) * 0.7 * x, y - 0.22 + 0.03 * (i // 2), (0.66 + 0.14 * (i // 2)) * z),
            0.014,
            shade(k.main, 0.6),
            5,
        )


@part("ottoman")
def buttoned_ottoman(k: Kit) -> None:
    """A padded block on short legs, its top bulging and buttoned."""
    x, y, z = k.x, k.y, k.z
    foot = min(0.08, 0.25 * z)
    for sx, sy in CORNERS:
        k.tube((sx * 0.8 * x, sy * 0.8 * y, foot), (sx * 0.86 * x, sy * 0.86 * y, 0), 0.022, DARK_WOOD)
    k.soft(-x * 0.97, x * 0.97, -y * 0.97, y * 0.97, foot, 0.7 * z, 0.02, k.dark)
    k.pillow(-x, x, -y, y, 0.6 * z, z, None, 16, 4, 0.25, 0.45)
    for bx in (-0.45 * x, 0.45 * x):
        for by in (-0.45 * y, 0.45 * y):
            k.ball((bx, by, z - 0.012), (0.02, 0.02, 0.008), k.dark, 6)


@part("ottoman")
def round_ottoman(k: Kit) -> None:
    """A round pouf with upright seams and a button in its middle."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (0.86, 0), (0.97, 0.14), (1, 0.5), (0.97, 0.84), (0.8, 0.97), (0, 1)], None, 20)
    for i in range(10):
        a = math.tau * i / 10
        k.path(
            [
                (r * x * math.cos(a), r * y * math.sin(a), level * z)
                for r, level in ((0.9, 0.04), (1.0, 0.5), (0.82, 0.96), (0.1, 0.995))
            ],
            0.007,
            k.dark,
            3,
        )
    k.lathe([(0.04, 0.99 * z), (0.03, 1.005 * z), (0, 1.01 * z)], k.dark, sides=8)


@part("ottoman")
def tray_ottoman(k: Kit) -> None:
    """A low padded box with a lid, a seam all round and piping, on metal legs."""
    x, y, z = k.x, k.y, k.z
    foot = 0.3 * z
    for sx, sy in CORNERS:
        k.path(
            [(sx * 0.94 * x, sy * 0.92 * y, 0), (sx * 0.8 * x, sy * 0.78 * y, foot + 0.01)],
            [0.009, 0.014],
            BLACK,
            6,
        )
    k.soft(-0.97 * x, 0.97 * x, -0.97 * y, 0.97 * y, foot, 0.72 * z, 0.02)
    k.box(-x, x, -y, y, 0.72 * z, 0.74 * z, k.dark)
    half = 2 if x > 0.3 else 1
    for i in range(half):
        left = -x + i * 2 * x / half
        k.pillow(left, left + 2 * x / half, -y, y, 0.66 * z, z, k.light, 14, 4, 0.25, 0.5)
