"""Stoves and refrigerators."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    CHROME,
    DARK,
    SCREEN,
    STEEL,
    WHITE,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking

DIGITS = Paint(96, 214, 160)
"""The look of lit numerals."""


def enamel(k: Kit) -> Paint:
    """Return the look of a machine's case: brushed metal if it is grey, else glossy paint."""
    return looking(k.main, "metal" if k.item.colour == "grey" else "gloss")


def _pull(k: Kit, half: float, level: float, front: float, look: Paint = CHROME) -> None:
    """A bar handle, level, at a front."""
    line = [
        (-half, front, level),
        (-half, front - 0.035, level),
        (half, front - 0.035, level),
        (half, front, level),
    ]
    k.path(line, 0.012, look, 6)


def _oven_below(k: Kit, low: float, high: float) -> None:
    """An oven door with a window and a handle over a drawer."""
    x, y = k.x, k.y
    tall, front = high - low, -y + 0.045
    k.soft(-0.98 * x, 0.98 * x, front - 0.02, front, low + 0.2 * tall, high, 0.008, shade(enamel(k), 0.92))
    k.box(-0.72 * x, 0.72 * x, front - 0.024, front - 0.02, low + 0.34 * tall, low + 0.76 * tall, SCREEN)
    _pull(k, 0.8 * x, low + 0.88 * tall, front - 0.02)
    k.soft(-0.98 * x, 0.98 * x, front - 0.02, front, low, low + 0.18 * tall, 0.008, shade(enamel(k), 0.92))


def _knobs(k: Kit, level: float, front: float, count: int, look: Paint) -> None:
    for i in range(count):
        at = (i - (count - 1) / 2) * 1.7 * k.x / count
        k.disc((at, front, level), 0.024, 0.03, look, 8)
        k.box(at - 0.003, at + 0.003, front - 0.034, front - 0.03, level, level + 0.022, BLACK)


def _body(k: Kit, top: float) -> None:
    x, y = k.x, k.y
    k.box(-x, x, -y + 0.045, y, 0.05, top, enamel(k))
    k.box(-x + 0.03, x - 0.03, -y + 0.09, y, 0, 0.05, DARK)


@part("stove")
def coil_stove(k: Kit) -> None:
    """An oven door with a window, knobs, four coil burners, a raised back with a clock."""
    x, y, z = k.x, k.y, k.z
    top = 0.91 * z
    _body(k, top)
    _oven_below(k, 0.07 * z, 0.72 * z)
    k.box(-x, x, -y + 0.02, -y + 0.045, 0.75 * z, top - 0.005, DARK)
    _knobs(k, 0.825 * z, -y + 0.02, 5, CHROME)
    k.box(-x, x, -y + 0.02, y - 0.05, top, top + 0.012, BLACK)
    for sx in (-0.48, 0.48):
        for sy, radius in ((-0.42, 0.32), (0.42, 0.26)):
            size = radius * min(x, y)
            for share, look in ((1.0, STEEL), (0.6, Paint(196, 66, 40))):
                k.add(shapes.ring(share * size, 0.012, 12, 3), look, (sx * x, sy * y - 0.02, top + 0.02))
    k.box(-x, x, y - 0.05, y, top, z, enamel(k))
    k.box(-0.3 * x, 0.3 * x, y - 0.056, y - 0.05, top + 0.3 * (z - top), top + 0.8 * (z - top), SCREEN)
    k.box(-0.12 * x, 0.12 * x, y - 0.058, y - 0.056, top + 0.4 * (z - top), top + 0.7 * (z - top), DIGITS)


@part("stove")
def gas_stove(k: Kit) -> None:
    """Iron grates over four gas burners, big knobs at the front, an oven with a window."""
    x, y, z = k.x, k.y, k.z
    top = 0.93 * z
    _body(k, top)
    _oven_below(k, 0.07 * z, 0.74 * z)
    k.soft(-x, x, -y + 0.01, -y + 0.06, 0.77 * z, top, 0.012, enamel(k))
    _knobs(k, 0.85 * z, -y + 0.01, 5, DARK)
    k.box(-x, x, -y + 0.03, y, top, top + 0.01, STEEL)
    for _, a, b in both_sides(0.95 * x, 0.04):
        for at in (a, (a + b) / 2, b):
            k.box(at - 0.008, at + 0.008, -0.86 * y, 0.9 * y, z - 0.022, z, BLACK)
        for at in (-0.84 * y, -0.4 * y, 0.05 * y, 0.45 * y, 0.88 * y):
            k.box(a, b, at - 0.008, at + 0.008, z - 0.022, z, BLACK)
        for at in (-0.4 * y, 0.45 * y):
            k.lathe(
                [(0.06, top + 0.01), (0.055, top + 0.028), (0.03, top + 0.034), (0, top + 0.034)],
                DARK,
                ((a + b) / 2, at),
                10,
            )


@part("stove")
def ceramic_stove(k: Kit) -> None:
    """A smooth black hob with glowing rings, touch keys at its front, an oven with a window."""
    x, y, z = k.x, k.y, k.z
    top = 0.97 * z
    _body(k, top)
    _oven_below(k, 0.07 * z, 0.76 * z)
    k.box(-x, x, -y + 0.03, -y + 0.045, 0.79 * z, 0.95 * z, SCREEN)
    k.box(-0.2 * x, 0.2 * x, -y + 0.028, -y + 0.03, 0.84 * z, 0.9 * z, DIGITS)
    _knobs(k, 0.87 * z, -y + 0.03, 4, CHROME)
    k.soft(-x, x, -y + 0.01, y, top, top + 0.014, 0.004, looking(BLACK, "gloss"))
    for sx in (-0.48, 0.48):
        for sy, radius in ((-0.38, 0.36), (0.45, 0.28)):
            size = radius * min(x, y)
            k.lathe(
                [(size, top + 0.015), (0.86 * size, top + 0.016)], Paint(214, 70, 44), (sx * x, sy * y), 18
            )
            k.lathe(
                [(0.6 * size, top + 0.015), (0.55 * size, top + 0.016)],
                Paint(150, 60, 50),
                (sx * x, sy * y),
                16,
            )
    k.box(-x, x, y - 0.02, y, top, z)


def _fridge_handle(k: Kit, at: float, low: float, high: float) -> None:
    y = k.y
    look = CHROME if sum(k.main[:3]) < 520 else STEEL
    k.path(
        [(at, -y + 0.04, low), (at, -y, low + 0.02), (at, -y, high - 0.02), (at, -y + 0.04, high)],
        0.014,
        look,
        6,
    )


def _fridge_box(k: Kit) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.09, y, 0.04, z, shade(enamel(k), 0.75))
    k.box(-x + 0.03, x - 0.03, -y + 0.12, y - 0.03, 0, 0.04, DARK)


@part("refrigerator")
def top_freezer_refrigerator(k: Kit) -> None:
    """A freezer door over a large door, long handles, magnets and notes."""
    x, y, z = k.x, k.y, k.z
    split = 0.68 * z
    _fridge_box(k)
    for low, high in ((0.05, split - 0.008), (split + 0.008, z)):
        k.soft(-x, x, -y + 0.03, -y + 0.085, low, high, 0.018, enamel(k))
    _fridge_handle(k, -x + 0.07, split - 0.32 * z, split - 0.06)
    _fridge_handle(k, -x + 0.07, split + 0.06, split + 0.06 + 0.16 * z)
    k.box(0.25 * x, 0.6 * x, -y + 0.026, -y + 0.03, 0.93 * z, 0.95 * z, STEEL)
    for a, b, c, tint in (
        (0.1, 0.5, 0.12, Paint(250, 244, 180)),
        (0.55, 0.56, 0.1, Paint(180, 220, 240)),
        (-0.1, 0.42, 0.09, WHITE),
    ):
        k.box(a * x, (a + 2 * c) * x, -y + 0.027, -y + 0.03, b * z, (b + c * 0.6) * z, tint)
        k.ball(((a + c) * x, -y + 0.025, (b + 0.5 * c) * z), 0.012, paint("red"), 5)


@part("refrigerator")
def french_door_refrigerator(k: Kit) -> None:
    """Two doors side by side with handles in the middle and a dispenser, a freezer drawer below."""
    x, y, z = k.x, k.y, k.z
    split = 0.36 * z
    _fridge_box(k)
    for _, a, b in both_sides(x, 0.004):
        k.soft(a, b, -y + 0.03, -y + 0.085, split + 0.008, z, 0.015, enamel(k))
    k.soft(-x, x, -y + 0.03, -y + 0.085, 0.05, split - 0.008, 0.015, enamel(k))
    for side in (-1, 1):
        _fridge_handle(k, side * 0.07, split + 0.08, split + 0.1 + 0.36 * z)
    _pull(k, 0.7 * x, split - 0.08, -y + 0.035)
    k.box(-0.78 * x, -0.32 * x, -y + 0.022, -y + 0.03, 0.56 * z, 0.76 * z, SCREEN)
    k.box(-0.7 * x, -0.4 * x, -y + 0.018, -y + 0.022, 0.7 * z, 0.74 * z, Paint(120, 190, 220))


@part("refrigerator")
def retro_refrigerator(k: Kit) -> None:
    """A rounded cabinet with one big door, a chrome lever, a badge and feet."""
    x, y, z = k.x, k.y, k.z
    for sx in (-0.8, 0.8):
        for sy in (-0.7, 0.8):
            k.lathe([(0.02, 0), (0.03, 0.06)], CHROME, (sx * x, sy * y), 8)
    k.soft(-x, x, -y + 0.1, y, 0.05, z, 0.1, shade(enamel(k), 0.85))
    k.soft(-0.99 * x, 0.99 * x, -y + 0.02, -y + 0.14, 0.24 * z, 0.985 * z, 0.05, enamel(k))
    k.soft(-0.99 * x, 0.99 * x, -y + 0.03, -y + 0.13, 0.06, 0.23 * z, 0.04, enamel(k))
    k.path(
        [
            (-0.75 * x, -y + 0.02, 0.62 * z),
            (-0.75 * x, -y - 0.015, 0.6 * z),
            (-0.75 * x, -y - 0.015, 0.48 * z),
        ],
        0.018,
        CHROME,
        6,
    )
    k.box(-0.85 * x, -0.65 * x, -y + 0.005, -y + 0.02, 0.6 * z, 0.64 * z, CHROME)
    k.box(0.1 * x, 0.7 * x, -y + 0.008, -y + 0.02, 0.86 * z, 0.89 * z, CHROME)
    k.box(-0.97 * x, 0.97 * x, -y + 0.012, -y + 0.02, 0.9 * z, 0.91 * z, CHROME)
