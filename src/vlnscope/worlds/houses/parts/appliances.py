"""Kitchen machines and small things."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, SCREEN, STEEL, WHITE, Kit, part


@part("stove")
def stove(k: Kit) -> None:
    """An oven door with a window and a handle, knobs, four burners, a raised back."""
    x, y, z = k.x, k.y, k.z
    top = 0.91 * z
    k.box(-x, x, -y + 0.04, y, 0.05, top)
    k.box(-x + 0.03, x - 0.03, -y + 0.07, y, 0, 0.05, DARK)
    k.box(-x + 0.015, x - 0.015, -y + 0.02, -y + 0.04, 0.2 * z, 0.72 * z, shade(k.main, 0.85))
    k.box(-x + 0.09, x - 0.09, -y + 0.014, -y + 0.02, 0.28 * z, 0.6 * z, SCREEN)
    k.box(-x + 0.015, x - 0.015, -y + 0.02, -y + 0.04, 0.07 * z, 0.185 * z, shade(k.main, 0.85))
    k.tube((-0.8 * x, -y + 0.005, 0.67 * z), (0.8 * x, -y + 0.005, 0.67 * z), 0.014, CHROME)
    k.box(-x, x, -y + 0.02, -y + 0.04, 0.75 * z, top - 0.01, DARK)
    for i in range(5):
        knob = shapes.facing_front(shapes.cylinder(0.026, 0, 0.035, 8))
        k.add(knob, CHROME, ((i - 2) * 0.36 * x, -y + 0.025, 0.825 * z))
    k.box(-x, x, -y + 0.02, y - 0.05, top, top + 0.012, BLACK)
    for sx in (-0.48, 0.48):
        for sy, radius in ((-0.42, 0.32), (0.42, 0.26)):
            size = radius * min(x, y)
            k.add(shapes.ring(size, 0.014, 12, 4), STEEL, (sx * x, sy * y - 0.02, top + 0.022))
            k.add(
                shapes.ring(0.5 * size, 0.012, 8, 4), Paint(196, 66, 40), (sx * x, sy * y - 0.02, top + 0.02)
            )
    k.box(-x, x, y - 0.05, y, top, z)
    k.box(-0.3 * x, 0.3 * x, y - 0.056, y - 0.05, top + 0.3 * (z - top), top + 0.8 * (z - top), SCREEN)


@part("refrigerator")
def refrigerator(k: Kit) -> None:
    """A freezer door over a large door, long handles."""
    x, y, z = k.x, k.y, k.z
    split = 0.68 * z
    k.box(-x, x, -y + 0.09, y, 0.04, z, k.dark)
    k.box(-x + 0.03, x - 0.03, -y + 0.12, y - 0.03, 0, 0.04, DARK)
    k.soft(-x, x, -y + 0.03, -y + 0.085, 0.05, split - 0.008, 0.015)
    k.soft(-x, x, -y + 0.03, -y + 0.085, split + 0.008, z, 0.015)
    handle = -x + 0.07
    look = CHROME if sum(k.main[:3]) < 520 else STEEL
    for low, high in ((split - 0.42 * z * 0.75, split - 0.06), (split + 0.06, split + 0.06 + 0.16 * z)):
        k.path(
            [
                (handle, -y + 0.04, low),
                (handle, -y, low + 0.02),
                (handle, -y, high - 0.02),
                (handle, -y + 0.04, high),
            ],
            0.014,
            look,
        )
    k.box(0.25 * x, 0.6 * x, -y + 0.026, -y + 0.03, 0.9 * z, 0.93 * z, look)


@part("dishwasher")
def dishwasher(k: Kit) -> None:
    """A front that is a little open at its top, with racks and plates behind it, and a row of buttons."""
    x, y, z = k.x, k.y, k.z
    tilt = min(0.3 * z, 0.45 * y)
    back = -y + tilt + 0.03
    k.box(-x, -x + 0.025, back, y, 0.04, z)
    k.box(x - 0.025, x, back, y, 0.04, z)
    k.box(-x, x, back, y, z - 0.025, z)
    k.box(-x, x, y - 0.02, y, 0.04, z, DARK)
    k.box(-x, x, back, y, 0.04, 0.12, STEEL)
    k.box(-x + 0.03, x - 0.03, back + 0.04, y, 0, 0.04, DARK)
    door = shapes.frustum((-x, x, back - 0.03, back), (-x, x, back - 0.03 - tilt, back - tilt), 0.1, z - 0.03)
    k.add(door)
    _tilted(k, -x + 0.02, x - 0.02, 0.86, 0.98, tilt, back, DARK)
    _tilted(k, -0.7 * x, 0.7 * x, 0.76, 0.8, tilt, back, CHROME, 0.03)
    for i in range(4):
        _tilted(k, (0.2 + 0.16 * i) * x, (0.28 + 0.16 * i) * x, 0.9, 0.94, tilt, back, WHITE, 0.009)
    for low in (0.3, 0.62):
        for i in range(5):
            at = -x + 0.04 + i * (2 * x - 0.08) / 4
            k.tube((at, back, low * z), (at, y - 0.03, low * z), 0.006, WHITE, 4)
        k.tube((-x + 0.03, back, low * z + 0.05), (x - 0.03, back, low * z + 0.05), 0.006, WHITE, 4)
    for i in range(7):
        plate = shapes.facing_side(shapes.cylinder(0.11, 0, 0.012, 10))
        k.add(plate, WHITE, (-0.75 * x + i * 0.25 * x, back + 0.13, 0.64 * z + 0.11))


def _tilted(
    k: Kit,
    x0: float,
    x1: float,
    low: float,
    high: float,
    tilt: float,
    back: float,
    look: Paint,
    out: float = 0.006,
) -> None:
    """Add a strip on the tilted door, between two shares of its height."""
    z = k.z - 0.13
    a, b = back - 0.03 - tilt * low, back - 0.03 - tilt * high
    k.frustum((x0, x1, a - out, a), (x0, x1, b - out, b), 0.1 + low * z, 0.1 + high * z, look)


@part("microwave")
def microwave(k: Kit) -> None:
    """A box with a dark window, a handle, a display and keys."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.03, y, 0.015, z)
    for side in (-0.8, 0.8):
        k.box(side * x - 0.02, side * x + 0.02, -y + 0.05, y - 0.03, 0, 0.015, DARK)
    k.box(-x, 0.45 * x, -y + 0.015, -y + 0.03, 0.03, z - 0.01, k.dark)
    k.box(-0.88 * x, 0.26 * x, -y + 0.01, -y + 0.015, 0.16 * z, 0.84 * z, SCREEN)
    k.tube((0.37 * x, -y + 0.005, 0.15 * z), (0.37 * x, -y + 0.005, 0.85 * z), 0.012, CHROME)
    k.box(0.48 * x, 0.97 * x, -y + 0.018, -y + 0.03, 0.06 * z, 0.95 * z, DARK)
    k.box(0.54 * x, 0.91 * x, -y + 0.012, -y + 0.018, 0.74 * z, 0.88 * z, Paint(96, 214, 160))
    for i in range(3):
        for j in range(4):
            at, low = (0.55 + 0.13 * i) * x, (0.14 + 0.14 * j) * z
            k.box(at, at + 0.1 * x, -y + 0.013, -y + 0.018, low, low + 0.09 * z, WHITE)


@part("kettle")
def kettle(k: Kit) -> None:
    """A round body with a lid and a knob, a spout to one side, a handle over the top."""
    z, r = k.z, min(k.y, 0.72 * k.x)
    at, body = k.x - r, 0.62 * z
    k.lathe(
        [(0, 0), (0.95 * r, 0), (r, 0.08 * z), (0.98 * r, 0.3 * z), (0.6 * r, body), (0, body)],
        None,
        (at, 0),
        16,
    )
    k.lathe([(0, body), (0.55 * r, body), (0.4 * r, 0.69 * z), (0, 0.7 * z)], k.dark, (at, 0), 12)
    k.ball((at, 0, 0.73 * z), 0.045 * z + 0.006, DARK, 6)
    k.tube((at - 0.75 * r, 0, 0.28 * z), (-k.x + 0.05 * r, 0, 0.62 * z), 0.28 * r, k.main, 8, 0.13 * r)
    arc = shapes.turned(shapes.ring(1, 0.09, 10, 6, 180), 0, 90)
    k.add(shapes.stretched(arc, 0.78 * r, 0.9 * r, 0.42 * z), DARK, (at, 0, 0.55 * z))


@part("bowl")
def bowl(k: Kit) -> None:
    """An open bowl on a foot, lighter inside."""
    k.round([(0, 0), (0.42, 0), (0.36, 0.1), (0.7, 0.34), (0.92, 0.7), (1, 1)], sides=20)
    k.round([(1, 1), (0.93, 0.98), (0.8, 0.62), (0.5, 0.26), (0, 0.18)], k.light, sides=20)
