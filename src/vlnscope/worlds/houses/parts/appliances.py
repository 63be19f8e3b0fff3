"""Kitchen machines."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
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

_DIGITS = Paint(96, 214, 160)


def _enamel(k: Kit) -> Paint:
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
    k.soft(-0.98 * x, 0.98 * x, front - 0.02, front, low + 0.2 * tall, high, 0.008, shade(_enamel(k), 0.92))
    k.box(-0.72 * x, 0.72 * x, front - 0.024, front - 0.02, low + 0.34 * tall, low + 0.76 * tall, SCREEN)
    _pull(k, 0.8 * x, low + 0.88 * tall, front - 0.02)
    k.soft(-0.98 * x, 0.98 * x, front - 0.02, front, low, low + 0.18 * tall, 0.008, shade(_enamel(k), 0.92))


def _knobs(k: Kit, level: float, front: float, count: int, look: Paint) -> None:
    for i in range(count):
        at = (i - (count - 1) / 2) * 1.7 * k.x / count
        k.disc((at, front, level), 0.024, 0.03, look, 8)
        k.box(at - 0.003, at + 0.003, front - 0.034, front - 0.03, level, level + 0.022, BLACK)


def _body(k: Kit, top: float) -> None:
    x, y = k.x, k.y
    k.box(-x, x, -y + 0.045, y, 0.05, top, _enamel(k))
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
    k.box(-x, x, y - 0.05, y, top, z, _enamel(k))
    k.box(-0.3 * x, 0.3 * x, y - 0.056, y - 0.05, top + 0.3 * (z - top), top + 0.8 * (z - top), SCREEN)
    k.box(-0.12 * x, 0.12 * x, y - 0.058, y - 0.056, top + 0.4 * (z - top), top + 0.7 * (z - top), _DIGITS)


@part("stove")
def gas_stove(k: Kit) -> None:
    """Iron grates over four gas burners, big knobs at the front, an oven with a window."""
    x, y, z = k.x, k.y, k.z
    top = 0.93 * z
    _body(k, top)
    _oven_below(k, 0.07 * z, 0.74 * z)
    k.soft(-x, x, -y + 0.01, -y + 0.06, 0.77 * z, top, 0.012, _enamel(k))
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
    k.box(-0.2 * x, 0.2 * x, -y + 0.028, -y + 0.03, 0.84 * z, 0.9 * z, _DIGITS)
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
    k.box(-x, x, -y + 0.09, y, 0.04, z, shade(_enamel(k), 0.75))
    k.box(-x + 0.03, x - 0.03, -y + 0.12, y - 0.03, 0, 0.04, DARK)


@part("refrigerator")
def top_freezer_refrigerator(k: Kit) -> None:
    """A freezer door over a large door, long handles, magnets and notes."""
    x, y, z = k.x, k.y, k.z
    split = 0.68 * z
    _fridge_box(k)
    for low, high in ((0.05, split - 0.008), (split + 0.008, z)):
        k.soft(-x, x, -y + 0.03, -y + 0.085, low, high, 0.018, _enamel(k))
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
        k.soft(a, b, -y + 0.03, -y + 0.085, split + 0.008, z, 0.015, _enamel(k))
    k.soft(-x, x, -y + 0.03, -y + 0.085, 0.05, split - 0.008, 0.015, _enamel(k))
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
    k.soft(-x, x, -y + 0.1, y, 0.05, z, 0.1, shade(_enamel(k), 0.85))
    k.soft(-0.99 * x, 0.99 * x, -y + 0.02, -y + 0.14, 0.24 * z, 0.985 * z, 0.05, _enamel(k))
    k.soft(-0.99 * x, 0.99 * x, -y + 0.03, -y + 0.13, 0.06, 0.23 * z, 0.04, _enamel(k))
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
        k.box(a, b, back, y, 0.04, z, _enamel(k))
    k.box(-x, x, back, y, z - 0.025, z, _enamel(k))
    k.box(-x, x, y - 0.02, y, 0.04, z, DARK)
    k.box(-x, x, back, y, 0.04, 0.12, STEEL)
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
    k.add(door, _enamel(k))
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
    k.add(shapes.turned(lean, 0, 58), _enamel(k), (0, back, 0.1))
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
    k.add(door, _enamel(k))
    k.box(-x, x, back - 0.03, back, z - 0.085, z, DARK)
    k.box(-0.25 * x, 0.25 * x, back - 0.034, back - 0.03, z - 0.065, z - 0.025, _DIGITS)
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
    k.soft(-x, x, -y + 0.03, y, 0.015, z, 0.01, _enamel(k))
    for side in (-0.8, 0.8):
        k.box(side * x - 0.02, side * x + 0.02, -y + 0.05, y - 0.03, 0, 0.015, DARK)
    k.soft(-x, 0.45 * x, -y + 0.015, -y + 0.03, 0.03, z - 0.01, 0.005, shade(k.main, 0.8))
    k.box(-0.88 * x, 0.26 * x, -y + 0.01, -y + 0.015, 0.16 * z, 0.84 * z, SCREEN)
    k.tube((0.37 * x, -y + 0.005, 0.15 * z), (0.37 * x, -y + 0.005, 0.85 * z), 0.012, CHROME)
    k.box(0.48 * x, 0.97 * x, -y + 0.018, -y + 0.03, 0.06 * z, 0.95 * z, DARK)
    k.box(0.54 * x, 0.91 * x, -y + 0.012, -y + 0.018, 0.74 * z, 0.88 * z, _DIGITS)
    _keys(k, 0.54 * x, 0.92 * x, 0.12 * z, 0.68 * z, -y + 0.018, 4)


@part("microwave")
def dial_microwave(k: Kit) -> None:
    """A box with a window in a frame, a push button and two round dials."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.03, y, 0.012, z, 0.012, _enamel(k))
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
    k.soft(-x, x, -y + 0.03, y, 0.012, z, 0.012, _enamel(k))
    k.soft(-0.98 * x, 0.98 * x, -y + 0.012, -y + 0.03, 0.04 * z, 0.76 * z, 0.006, shade(k.main, 0.85))
    k.box(-0.84 * x, 0.84 * x, -y + 0.008, -y + 0.012, 0.12 * z, 0.58 * z, SCREEN)
    k.tube((-0.85 * x, -y, 0.68 * z), (0.85 * x, -y, 0.68 * z), 0.013, CHROME, 6)
    k.box(-0.98 * x, 0.98 * x, -y + 0.02, -y + 0.03, 0.79 * z, 0.97 * z, DARK)
    k.box(-0.3 * x, 0.1 * x, -y + 0.016, -y + 0.02, 0.83 * z, 0.93 * z, _DIGITS)
    _keys(k, 0.3 * x, 0.9 * x, 0.81 * z, 0.95 * z, -y + 0.02, 1)
    k.box(-0.8 * x, 0.8 * x, -y + 0.06, y - 0.05, 0, 0.015, DARK)


@part("kettle")
def whistling_kettle(k: Kit) -> None:
    """A round body with a lid and a knob, a spout to one side, a handle over the top."""
    z, r = k.z, min(k.y, 0.72 * k.x)
    at, body = k.x - r, 0.62 * z
    k.lathe(
        [(0, 0), (0.95 * r, 0), (r, 0.08 * z), (0.98 * r, 0.3 * z), (0.6 * r, body), (0, body)],
        _enamel(k),
        (at, 0),
        16,
    )
    k.lathe([(0, body), (0.55 * r, body), (0.4 * r, 0.69 * z), (0, 0.7 * z)], k.dark, (at, 0), 12)
    k.ball((at, 0, 0.73 * z), 0.045 * z + 0.006, DARK, 6)
    k.tube((at - 0.75 * r, 0, 0.28 * z), (-k.x + 0.05 * r, 0, 0.62 * z), 0.28 * r, _enamel(k), 8, 0.13 * r)
    arc = shapes.turned(shapes.ring(1, 0.09, 10, 6, 180), 0, 90)
    k.add(shapes.stretched(arc, 0.78 * r, 0.9 * r, 0.42 * z), DARK, (at, 0, 0.55 * z))


@part("kettle")
def electric_kettle(k: Kit) -> None:
    """A tall jug on a base with a beak, a lid, a handle at its back and a window for the water."""
    z, r = k.z, min(k.y, 0.62 * k.x)
    k.lathe([(0, 0), (1.05 * r, 0), (1.05 * r, 0.06 * z), (0, 0.06 * z)], DARK, (-0.15 * k.x, 0), 16)
    k.lathe(
        [(0, 0.07 * z), (r, 0.07 * z), (0.95 * r, 0.4 * z), (0.72 * r, 0.9 * z), (0.6 * r, 0.92 * z)],
        _enamel(k),
        (-0.15 * k.x, 0),
        16,
    )
    k.lathe([(0.66 * r, 0.91 * z), (0.5 * r, 0.97 * z), (0, z)], DARK, (-0.15 * k.x, 0), 12)
    k.frustum(
        (-0.15 * k.x - 0.9 * r, -0.15 * k.x - 0.4 * r, -0.2 * r, 0.2 * r),
        (-k.x, -0.15 * k.x - 0.3 * r, -0.12 * r, 0.12 * r),
        0.74 * z,
        0.9 * z,
        _enamel(k),
    )
    line = [
        (-0.15 * k.x + 0.6 * r, 0, 0.9 * z),
        (0.85 * k.x, 0, 0.88 * z),
        (k.x, 0, 0.6 * z),
        (0.8 * k.x, 0, 0.2 * z),
        (-0.15 * k.x + 0.9 * r, 0, 0.16 * z),
    ]
    k.path(line, 0.14 * r, DARK, 6)
    k.box(-0.15 * k.x - 0.05, -0.15 * k.x + 0.01, -1.02 * r, -0.7 * r, 0.3 * z, 0.6 * z, Paint(150, 196, 214))


@part("kettle")
def gooseneck_kettle(k: Kit) -> None:
    """A squat pot with a long thin bent spout, a lid and a handle behind."""
    z, r = k.z, min(k.y, 0.55 * k.x)
    k.lathe([(0, 0), (r, 0), (r, 0.06 * z), (0.82 * r, 0.62 * z), (0, 0.64 * z)], _enamel(k), (0, 0), 16)
    k.lathe([(0.7 * r, 0.63 * z), (0.5 * r, 0.7 * z), (0, 0.72 * z)], k.dark, (0, 0), 12)
    k.ball((0, 0, 0.77 * z), 0.14 * r, BRASS, 7)
    k.path(
        [(-0.9 * r, 0, 0.14 * z), (-1.35 * r, 0, 0.3 * z), (-1.3 * r, 0, 0.7 * z), (-k.x, 0, 0.86 * z)],
        [0.16 * r, 0.1 * r, 0.08 * r, 0.06 * r],
        _enamel(k),
        6,
    )
    k.path(
        [
            (0.8 * r, 0, 0.58 * z),
            (0.8 * k.x, 0, 0.93 * z),
            (k.x, 0, 0.85 * z),
            (0.95 * k.x, 0, 0.4 * z),
            (0.75 * k.x, 0, 0.2 * z),
            (0.9 * r, 0, 0.16 * z),
        ],
        0.11 * r,
        DARK,
        6,
    )


@part("bowl")
def footed_bowl(k: Kit) -> None:
    """An open bowl on a foot, lighter inside."""
    k.round([(0, 0), (0.42, 0), (0.36, 0.1), (0.7, 0.34), (0.92, 0.7), (1, 1)], _glaze(k), sides=14)
    k.round([(1, 1), (0.93, 0.98), (0.8, 0.62), (0.5, 0.26), (0, 0.18)], shade(_glaze(k), 1.3), sides=14)


def _glaze(k: Kit) -> Paint:
    return looking(k.main, "gloss") if k.item.material in ("ceramic", "glass", "plastic") else k.main


@part("bowl")
def wide_bowl(k: Kit) -> None:
    """A shallow dish with a broad turned-out rim and a band inside."""
    k.round([(0, 0), (0.5, 0), (0.66, 0.2), (0.8, 0.7), (1, 0.94), (1, 1)], _glaze(k), sides=14)
    k.round([(1, 1), (0.78, 0.82), (0.74, 0.7)], shade(_glaze(k), 1.3), sides=14)
    k.round([(0.74, 0.7), (0.7, 0.55)], shade(_glaze(k), 0.55), sides=14)
    k.round([(0.7, 0.55), (0.6, 0.3), (0, 0.2)], shade(_glaze(k), 1.3), sides=14)


@part("bowl")
def ribbed_bowl(k: Kit) -> None:
    """A deep bowl with two ridges around it and a rounded rim."""
    k.round(
        [
            (0, 0),
            (0.5, 0),
            (0.78, 0.2),
            (0.86, 0.36),
            (0.9, 0.38),
            (0.9, 0.42),
            (0.93, 0.56),
            (0.97, 0.58),
            (0.97, 0.62),
            (0.96, 0.9),
            (1, 0.95),
            (0.96, 1),
        ],
        _glaze(k),
        sides=14,
    )
    k.round([(0.96, 1), (0.9, 0.94), (0.84, 0.5), (0.5, 0.16), (0, 0.12)], shade(_glaze(k), 1.3), sides=14)
