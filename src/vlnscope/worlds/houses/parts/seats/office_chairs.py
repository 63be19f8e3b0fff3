"""Office chairs."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    CHROME,
    DARK,
    STEEL,
    Kit,
    part,
)


def _castors(k: Kit, radius: float, look: Paint) -> None:
    """A star of five arms, each on a castor, with a column in its middle."""
    for i in range(5):
        angle = math.tau * (i / 5 + 0.05)
        end = (math.cos(angle) * radius * 0.92, math.sin(angle) * radius * 0.92)
        k.path([(0, 0, 0.12), (end[0], end[1], 0.075)], [0.03, 0.018], look, 5)
        k.ball((end[0], end[1], 0.035), 0.035, DARK, 6)
    k.tube((0, 0, 0.08), (0, 0, 0.42 * k.z), 0.028, STEEL, 8)


def _arm_rests(k: Kit, seat: float) -> None:
    x, y = k.x, k.y
    for side in (-1, 1):
        at = side * (x - 0.03)
        k.soft(at - 0.03, at + 0.03, -0.4 * y, 0.5 * y, seat + 0.2, seat + 0.235, 0.014, DARK)
        k.path(
            [(0.6 * at, 0.1 * y, seat - 0.03), (at, 0.1 * y, seat), (at, 0.1 * y, seat + 0.2)], 0.016, DARK, 5
        )


@part("office chair")
def task_chair(k: Kit) -> None:
    """A star of castors, a padded seat, a curved back and arm rests."""
    x, y, z = k.x, k.y, k.z
    seat = 0.46 * z
    _castors(k, min(x, y), DARK)
    k.pillow(-0.85 * x, 0.85 * x, -y, 0.72 * y, seat - 0.05, seat + 0.05, None, 14, 4, 0.4, 0.5)
    k.path([(0, 0.3 * y, seat - 0.04), (0, 0.85 * y, seat), (0, 0.95 * y, seat + 0.2)], 0.024, DARK, 6)
    back = shapes.pillow((-0.78 * x, -0.06, 0), (0.78 * x, 0.06, z - seat - 0.1), 14, 4, 0.5, 0.4)
    k.add(shapes.turned(back, 0, -6), None, (0, 0.82 * y, seat + 0.1))
    _arm_rests(k, seat)


@part("office chair")
def executive_chair(k: Kit) -> None:
    """A high padded back of three rolls with a head rest, padded arms, a star of castors in chrome."""
    x, y, z = k.x, k.y, k.z
    seat = 0.44 * z
    _castors(k, min(x, y), CHROME)
    k.pillow(-0.85 * x, 0.85 * x, -y, 0.75 * y, seat - 0.06, seat + 0.07, None, 14, 4, 0.35, 0.5)
    tall = (z - seat) / 4
    for i in range(4):
        wide = 0.86 if i < 3 else 0.6
        low = seat + 0.02 + i * tall
        k.pillow(
            -wide * x,
            wide * x,
            (0.62 + 0.06 * i) * y,
            (0.95 + 0.02 * i) * y,
            low,
            low + 1.02 * tall,
            None,
            12,
            4,
            0.35,
            0.3,
        )
    k.box(-0.6 * x, 0.6 * x, 0.85 * y, y, seat, 0.86 * z, DARK)
    for side in (-1, 1):
        at = side * (x - 0.045)
        k.pillow(at - 0.045, at + 0.045, -0.5 * y, 0.6 * y, seat + 0.16, seat + 0.23, None, 10, 4)
        k.path(
            [(at, -0.35 * y, seat + 0.17), (at, -0.45 * y, seat), (0.8 * at, 0, seat - 0.03)],
            0.016,
            CHROME,
            5,
        )


@part("office chair")
def mesh_office_chair(k: Kit) -> None:
    """A frame with a see-through net as its back, a thin seat, a head rest and arm rests."""
    x, y, z = k.x, k.y, k.z
    seat = 0.46 * z
    _castors(k, min(x, y), DARK)
    k.soft(-0.85 * x, 0.85 * x, -y, 0.7 * y, seat - 0.02, seat + 0.04, 0.025)
    top = 0.86 * z
    outline = [(-0.6, 0.12), (-0.8, 0.45), (-0.7, 1.0), (0.7, 1.0), (0.8, 0.45), (0.6, 0.12), (-0.6, 0.12)]
    k.path(
        [(a * x, 0.85 * y + 0.1 * y * abs(b - 0.5), seat + b * (top - seat)) for a, b in outline],
        0.018,
        BLACK,
        6,
    )
    for i in range(9):
        low = seat + (0.16 + 0.09 * i) * (top - seat)
        k.box(-0.72 * x, 0.72 * x, 0.87 * y, 0.885 * y, low, low + 0.035 * (top - seat))
    k.path([(0, 0.3 * y, seat - 0.03), (0, 0.95 * y, seat + 0.02), (0, 0.98 * y, top)], 0.022, DARK, 6)
    k.pillow(-0.5 * x, 0.5 * x, 0.8 * y, y, 0.88 * z, z, None, 10, 4, 0.4, 0.5)
    _arm_rests(k, seat)
