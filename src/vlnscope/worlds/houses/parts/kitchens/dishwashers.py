"""Dishwashers and microwaves."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
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
from vlnscope.worlds.houses.parts.kitchens.stoves import DIGITS, enamel


def _tilted(
    k: Kit,
    xs: tuple[float, float],
    share: tuple[float, float],
    tilt: float,
    back: float,
    look: Paint,
    out: float = 0.006,
) -> None:
    """Add a strip on the tilted door, between two shares of its height."""
    z = k.z - 0.13
    a, b = back - 0.03 - tilt * share[0], back - 0.03 - tilt * share[1]
    k.frustum((*xs, a - out, a), (*xs, b - out, b), 0.1 + share[0] * z, 0.1 + share[1] * z, look)


def _dish_box(k: Kit, back: float) -> None:
    x, y, z = k.x, k.y, k.z
    for _, a, b in both_sides(x, x - 0.025):
        k.box(a, b, back, y, 0.04, z, enamel(k))
    k.box(-x + 0.025, x - 0.025, back, y, z - 0.025, z, enamel(k))
    k.box(-x + 0.025, x - 0.025, y - 0.02, y - 0.002, 0.04, z - 0.025, DARK)
    k.box(-x + 0.025, x - 0.025, back + 0.003, y - 0.02, 0.04, 0.12, STEEL)
    k.box(-x + 0.03, x - 0.03, back + 0.04, y, 0, 0.04, DARK)


def _racks(k: Kit, back: float, plates: int) -> None:
    """Two wire racks, plates standing in the upper one and cups on it."""
    x, y, z = k.x, k.y, k.z
    for low in (0.3, 0.62):
        for i in range(5):
            at = -x + 0.04 + i * (2 * x - 0.08) / 4
            k.tube((at, back, low * z), (at, y - 0.03, low * z), 0.006, WHITE, 3)
        k.tube((-x + 0.03, back, low * z + 0.05), (x - 0.03, back, low * z + 0.05), 0.006, WHITE, 4)
    for i in range(plates):
        plate = shapes.facing_side(shapes.cylinder(0.11, 0, 0.012, 10))
        k.add(plate, WHITE, (-0.75 * x + i * 1.5 * x / max(plates - 1, 1), back + 0.13, 0.64 * z + 0.11))


@part("dishwasher")
def ajar_dishwasher(k: Kit) -> None:
    """A front that is a little open at its top, with racks and plates behind it, and a row of buttons."""
    x, y, z = k.x, k.y, k.z
    tilt = min(0.3 * z, 0.45 * y)
    back = -y + tilt + 0.03
    _dish_box(k, back)
    door = shapes.frustum((-x, x, back - 0.03, back), (-x, x, back - 0.03 - tilt, back - tilt), 0.1, z - 0.03)
    k.add(door, enamel(k))
    _tilted(k, (-x + 0.02, x - 0.02), (0.86, 0.98), tilt, back, DARK)
    _tilted(k, (-0.7 * x, 0.7 * x), (0.76, 0.8), tilt, back, CHROME, 0.03)
    for i in range(4):
        _tilted(k, ((0.2 + 0.16 * i) * x, (0.28 + 0.16 * i) * x), (0.9, 0.94), tilt, back, WHITE, 0.009)
    _racks(k, back, 7)


@part("dishwasher")
def open_dishwasher(k: Kit) -> None:
    """A door folded half down with plates, cups and a rack pulled out over it."""
    x, y, z = k.x, k.y, k.z
    back = -0.2 * y
    _dish_box(k, back)
    lean = shapes.soft(-x, x, -0.03, 0, 0, 0.8 * z, 0.008)
    reach = min(0.8 * y, 0.75 * z)
    k.add(shapes.turned(lean, 0, 58), enamel(k), (0, back, 0.1))
    _racks(k, back, 6)
    for i in range(4):
        at = (i - 1.5) * 0.4 * x
        k.tube((at, back - 0.55 * reach, 0.62 * z), (at, back, 0.62 * z), 0.006, WHITE, 3)
    k.tube(
        (-0.7 * x, back - 0.55 * reach, 0.64 * z), (0.7 * x, back - 0.55 * reach, 0.64 * z), 0.008, WHITE, 4
    )
    for i in range(3):
        at = (i - 1) * 0.45 * x
        k.lathe(
            [(0, 0.64 * z), (0.03, 0.64 * z), (0.045, 0.74 * z), (0.035, 0.74 * z), (0, 0.67 * z)],
            Paint(120, 160, 200),
            (at, back - 0.3 * reach),
            8,
        )


@part("dishwasher")
def panel_dishwasher(k: Kit) -> None:
    """A front a finger open with a steel bar, a display above it, plates seen in the gap."""
    x, y, z = k.x, k.y, k.z
    tilt = min(0.2 * z, 0.3 * y)
    back = -y + tilt + 0.05
    _dish_box(k, back)
    door = shapes.frustum((-x, x, back - 0.03, back), (-x, x, back - 0.03 - tilt, back - tilt), 0.1, z - 0.09)
    k.add(door, enamel(k))
    k.box(-x, x, back - 0.03, back, z - 0.085, z, DARK)
    k.box(-0.25 * x, 0.25 * x, back - 0.034, back - 0.03, z - 0.065, z - 0.025, DIGITS)
    _tilted(k, (-0.85 * x, 0.85 * x), (0.84, 0.88), tilt, back, STEEL, 0.035)
    _tilted(k, (-0.9 * x, 0.9 * x), (0.06, 0.09), tilt, back, shade(k.main, 0.6))
    _racks(k, back, 5)


def _keys(k: Kit, x0: float, x1: float, z0: float, z1: float, front: float, rows: int) -> None:
    for i in range(3):
        for j in range(rows):
            left, low = x0 + (i + 0.1) * (x1 - x0) / 3, z0 + (j + 0.15) * (z1 - z0) / rows
            k.box(
                left,
                left + 0.8 * (x1 - x0) / 3,
                front - 0.005,
                front,
                low,
                low + 0.65 * (z1 - z0) / rows,
                WHITE,
            )


@part("microwave")
def keyed_microwave(k: Kit) -> None:
    """A box with a dark window, a handle, a display and keys."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.03, y, 0.015, z, 0.01, enamel(k))
    for side in (-0.8, 0.8):
        k.box(side * x - 0.02, side * x + 0.02, -y + 0.05, y - 0.03, 0, 0.015, DARK)
    k.soft(-x, 0.45 * x, -y + 0.015, -y + 0.03, 0.03, z - 0.01, 0.005, shade(k.main, 0.8))
    k.box(-0.88 * x, 0.26 * x, -y + 0.01, -y + 0.015, 0.16 * z, 0.84 * z, SCREEN)
    k.tube((0.37 * x, -y + 0.005, 0.15 * z), (0.37 * x, -y + 0.005, 0.85 * z), 0.012, CHROME)
    k.box(0.48 * x, 0.97 * x, -y + 0.018, -y + 0.03, 0.06 * z, 0.95 * z, DARK)
    k.box(0.54 * x, 0.91 * x, -y + 0.012, -y + 0.018, 0.74 * z, 0.88 * z, DIGITS)
    _keys(k, 0.54 * x, 0.92 * x, 0.12 * z, 0.68 * z, -y + 0.018, 4)


@part("microwave")
def dial_microwave(k: Kit) -> None:
    """A box with a window in a frame, a push button and two round dials."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.03, y, 0.012, z, 0.012, enamel(k))
    k.frame(
        (-0.95 * x, 0.42 * x), (-y + 0.012, -y + 0.03), (0.08 * z, 0.94 * z), 0.06 * z, shade(k.main, 0.85)
    )
    k.box(-0.88 * x, 0.36 * x, -y + 0.018, -y + 0.03, 0.14 * z, 0.88 * z, SCREEN)
    for level in (0.74, 0.42):
        k.disc((0.72 * x, -y + 0.03, level * z), 0.13 * z, 0.025, STEEL, 12)
        k.box(
            0.72 * x - 0.004, 0.72 * x + 0.004, -y + 0.002, -y + 0.006, level * z, level * z + 0.1 * z, BLACK
        )
    k.soft(0.56 * x, 0.88 * x, -y + 0.015, -y + 0.03, 0.08 * z, 0.22 * z, 0.006, CHROME)
    k.box(-0.8 * x, 0.8 * x, -y + 0.06, y - 0.05, 0, 0.015, DARK)


@part("microwave")
def drop_door_microwave(k: Kit) -> None:
    """A broad window under a strip with keys and a display, a bar handle over its whole width."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.03, y, 0.012, z, 0.012, enamel(k))
    k.soft(-0.98 * x, 0.98 * x, -y + 0.012, -y + 0.03, 0.04 * z, 0.76 * z, 0.006, shade(k.main, 0.85))
    k.box(-0.84 * x, 0.84 * x, -y + 0.008, -y + 0.012, 0.12 * z, 0.58 * z, SCREEN)
    k.tube((-0.85 * x, -y, 0.68 * z), (0.85 * x, -y, 0.68 * z), 0.013, CHROME, 6)
    k.box(-0.98 * x, 0.98 * x, -y + 0.02, -y + 0.03, 0.79 * z, 0.97 * z, DARK)
    k.box(-0.3 * x, 0.1 * x, -y + 0.016, -y + 0.02, 0.83 * z, 0.93 * z, DIGITS)
    _keys(k, 0.3 * x, 0.9 * x, 0.81 * z, 0.95 * z, -y + 0.02, 1)
    k.box(-0.8 * x, 0.8 * x, -y + 0.06, y - 0.05, 0, 0.015, DARK)
