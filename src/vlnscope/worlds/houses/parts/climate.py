"""Heat, shade and air: radiators, blinds, fans, air conditioners."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, LIGHT, STEEL, WHITE, Kit, part


def _valve(k: Kit, low: float) -> None:
    """A pipe from the floor and a knob at the right end."""
    k.path([(k.x, 0.3 * k.y, 0), (k.x, 0.3 * k.y, low), (0.86 * k.x, 0.3 * k.y, low)], 0.012, CHROME)
    k.add(shapes.facing_side(shapes.cylinder(0.022, 0, 0.06, 8)), WHITE, (0.93 * k.x, 0.3 * k.y, low + 0.02))


@part("radiator")
def ribbed_radiator(k: Kit) -> None:
    """Round cast ribs side by side on feet, with a valve."""
    x, y, z = 0.9 * k.x, k.y, k.z
    ribs = max(5, min(16, round(2 * x / 0.08)))
    wide = 2 * x / ribs
    low = 0.1 * z
    for i in range(ribs):
        at = -x + (i + 0.5) * wide
        k.pillow(at - 0.44 * wide, at + 0.44 * wide, -y, 0.7 * y, low, z, None, 8, 4, 0.8, 0.35)
    for at in (0.14, 0.86):
        level = low + at * (z - low)
        k.tube((-x, -0.1 * y, level), (x, -0.1 * y, level), 0.35 * y, None, 6)
    for i in (1, ribs - 2):
        at = -x + (i + 0.5) * wide
        k.box(at - 0.3 * wide, at + 0.3 * wide, -0.6 * y, 0.5 * y, 0, low + 0.05 * z)
    k.box(-0.02, 0.02, 0.5 * y, y, 0.7 * z, 0.76 * z, STEEL)
    _valve(k, low + 0.1 * (z - low))


@part("radiator")
def panel_radiator(k: Kit) -> None:
    """A flat panel with upright grooves, a grille on top and a valve."""
    x, y, z = 0.92 * k.x, k.y, k.z
    low = 0.14 * z
    k.soft(-x, x, -0.7 * y, 0.5 * y, low, z, 0.012, k.dark)
    count = max(6, min(24, round(2 * x / 0.05)))
    wide = 2 * (x - 0.02) / count
    for i in range(count):
        at = -x + 0.02 + i * wide
        rib = (at + 0.12 * wide, at + 0.88 * wide, -0.7 * y, -0.6 * y)
        k.frustum((rib[0], rib[1], -y, -0.7 * y), (rib[0], rib[1], -y, -0.7 * y), low + 0.02, z - 0.02)
    for i in range(count // 2):
        at = -x + 0.03 + 2 * i * wide
        k.box(at, at + wide, -0.5 * y, 0.3 * y, z, z + 0.004, DARK)
    for side in (-0.7, 0.7):
        k.box(side * x - 0.02, side * x + 0.02, 0.5 * y, y, 0.5 * z, 0.9 * z, STEEL)
    _valve(k, low + 0.06 * z)


@part("radiator")
def ladder_radiator(k: Kit) -> None:
    """Two flat headers joined by many upright round tubes."""
    x, y, z = 0.92 * k.x, k.y, k.z
    low = 0.12 * z
    for level in (low, z - 0.09 * z):
        k.soft(-x, x, -0.5 * y, 0.5 * y, level, level + 0.09 * z, 0.01)
    count = max(6, min(22, round(2 * x / 0.06)))
    for i in range(count):
        at = -x + (i + 0.5) * 2 * x / count
        k.tube((at, -0.35 * y, low + 0.02), (at, -0.35 * y, z - 0.02), 0.36 * 2 * x / count, None, 7)
    for side in (-0.8, 0.8):
        k.box(side * x - 0.02, side * x + 0.02, -y, y, low + 0.2 * z, low + 0.24 * z, k.dark)
    _valve(k, low + 0.04 * z)


def _cord(k: Kit, low: float) -> None:
    k.tube((0.9 * k.x, -0.9 * k.y, low), (0.9 * k.x, -0.9 * k.y, k.z - 0.03), 0.004, WHITE, 4)
    k.ball((0.9 * k.x, -0.9 * k.y, low), 0.012, WHITE, 5)


@part("blinds")
def venetian_blinds(k: Kit) -> None:
    """Many thin tilted slats below a head rail, drawn part of the way down, with ladder tapes."""
    x, y, z = k.x, k.y, k.z
    low = k.pick(0.0, 0.0, 0.3) * z
    k.soft(-x, x, -y, y, z - 0.05, z, 0.008)
    count = max(6, min(34, round((z - low) / 0.045)))
    step = (z - 0.05 - low) / count
    for i in range(count):
        at = low + (i + 0.5) * step
        slat = shapes.box(-0.985 * x, 0.985 * x, -0.45 * step - 0.006, 0.45 * step + 0.006, -0.0015, 0.0015)
        k.add(shapes.turned(slat, 0, 34), k.main if i % 2 else k.light, (0, 0, at))
    k.soft(-x, x, -0.6 * y, 0.6 * y, low, low + 0.022, 0.005)
    for side in (-0.6, 0.6):
        k.box(side * x - 0.008, side * x + 0.008, -0.62 * y, -0.58 * y, low, z - 0.04, k.dark)
    _cord(k, 0.3 * z)
    if low:
        k.box(-0.002, 0.002, -0.002, 0.002, 0, low, WHITE)


@part("blinds")
def roller_blind(k: Kit) -> None:
    """A roll of cloth at the top, a flat sheet down to a bar, a chain."""
    x, y, z = k.x, k.y, k.z
    low = k.pick(0.0, 0.12, 0.3) * z
    cloth = k.main._replace(texture=5)
    roll = min(0.9 * y, 0.04)
    k.add(shapes.facing_side(shapes.cylinder(roll, -x + 0.02, x - 0.02, 12)), cloth, (0, 0, z - roll))
    for side in (-1, 1):
        k.box(side * (x - 0.01) - 0.01, side * (x - 0.01) + 0.01, -y, y, z - 2 * roll, z, STEEL)
    k.box(-x + 0.03, x - 0.03, -roll - 0.002, -roll + 0.002, low, z - roll, cloth)
    k.soft(-x + 0.03, x - 0.03, -roll - 0.01, -roll + 0.01, low, low + 0.03, 0.006, k.dark)
    k.tube((0, -roll, low), (0, -roll, low - 0.08), 0.004, WHITE, 4)
    k.lathe([(0, low - 0.1), (0.014, low - 0.1), (0, low - 0.07)], WHITE, (0, -roll), 6)
    _cord(k, 0.2 * z)
    if low > 0.1:
        k.box(x - 0.015, x - 0.012, -0.2 * y, -0.1 * y, 0, low, WHITE)


@part("blinds")
def vertical_blinds(k: Kit) -> None:
    """Upright strips of cloth that hang half turned from a rail, joined by a chain below."""
    x, y, z = k.x, k.y, k.z
    cloth = k.main._replace(texture=5)
    k.soft(-x, x, -0.7 * y, 0.7 * y, z - 0.045, z, 0.008, k.light)
    count = max(5, min(22, round(2 * x / 0.11)))
    step = 2 * x / count
    for i in range(count):
        at = -x + (i + 0.5) * step
        strip = shapes.box(-0.44 * step, 0.44 * step, -0.002, 0.002, 0.0, z - 0.05)
        k.add(shapes.turned(strip, 2, 38), cloth if i % 2 else shade(cloth, 0.94), (at, 0, 0))
        k.box(at - 0.004, at + 0.004, -0.004, 0.004, z - 0.055, z - 0.04, STEEL)
    k.tube((-0.98 * x, 0, 0.012), (0.98 * x, 0, 0.012), 0.003, WHITE, 3)
    _cord(k, 0.3 * z)


@part("ceiling fan")
def ceiling_fan(k: Kit) -> None:
    """Blades around a motor on a rod from the ceiling, some with a lamp below."""
    x, y, z = k.x, k.y, k.z
    radius = min(x, y)
    blades = k.pick(4, 5, 3)
    lamp = k.pick("bowl", "spots", "none")
    level = 0.42 * z
    k.lathe([(0, 0.9 * z), (0.1 * radius, 0.92 * z), (0.13 * radius, z), (0, z)], STEEL)
    k.tube((0, 0, level), (0, 0, 0.95 * z), 0.014, STEEL, 6)
    motor = [(0, 0.26), (0.14, 0.28), (0.19, 0.38), (0.19, 0.5), (0.12, 0.58), (0, 0.6)]
    k.lathe(motor, k.dark, sides=14, scale=(radius, z))
    ox, oy = k.oval
    for i in range(blades):
        blade = _fan_blade(radius, blades)
        blade = shapes.turned(shapes.turned(blade, 0, 9), 2, 360 * i / blades)
        k.add(shapes.stretched(blade, ox, oy), None, (0, 0, level))
        a = math.tau * i / blades
        k.tube((0, 0, level), (0.3 * radius * math.cos(a) * ox, 0.3 * radius * math.sin(a) * oy, level), 0.02,
               STEEL, 5)  # fmt: skip
    if lamp == "bowl":
        k.lathe([(0, 0), (0.1, 0.04), (0.16, 0.16), (0.17, 0.27)], LIGHT, sides=14, scale=(radius, z))
    elif lamp == "spots":
        for i in range(3):
            a = math.tau * (i / 3 + 0.1)
            at = (0.16 * radius * math.cos(a), 0.16 * radius * math.sin(a))
            k.lathe([(0, 0.02), (0.08, 0.0), (0.05, 0.2), (0, 0.28)], LIGHT, at, 8, scale=(radius, z))
    else:
        k.lathe([(0, 0), (0.03, 0.03), (0.1, 0.24), (0.14, 0.28)], STEEL, sides=10, scale=(radius, z))


def _fan_blade(radius: float, blades: int) -> shapes.Shape:
    wide = 0.15 if blades > 3 else 0.2
    half = [(0.2, 0.5), (0.85, 1.0), (0.97, 0.8), (1.0, 0.0)]
    outline = [(a * radius, -b * wide * radius) for a, b in half]
    outline += [(a * radius, b * wide * radius) for a, b in reversed(half[:-1])]
    return shapes.prism(outline, -0.006, 0.006)


@part("air conditioner")
def split_air_conditioner(k: Kit) -> None:
    """A long unit with a curved front, a slot with a flap below, and a display."""
    x, y, z = k.x, k.y, k.z
    outline = [(-y, 0.3 * z), (-0.2 * y, 0), (y, 0.02 * z), (y, z), (-0.7 * y, z), (-y, 0.88 * z)]
    k.add(shapes.facing_side(shapes.prism(outline, -x, x)))
    _outlet(k, -0.92 * x, 0.92 * x, 0.03 * z, 0.26 * z)
    for i in range(3):
        low = (0.38 + 0.03 * i) * z
        k.box(-0.94 * x, 0.94 * x, -y - 0.002, -y, low, low + 0.012 * z, k.dark)
    k.box(0.62 * x, 0.84 * x, -y - 0.003, -y, 0.66 * z, 0.76 * z, Paint(60, 200, 160))


def _outlet(k: Kit, x0: float, x1: float, z0: float, z1: float) -> None:
    """A dark slot below the front and a flap that is open in it."""
    y = k.y
    k.frustum((x0, x1, -0.3 * y, -0.1 * y), (x0, x1, -1.02 * y, -0.9 * y), z0, z1, DARK)
    k.frustum((x0, x1, -0.75 * y, -0.7 * y), (x0, x1, -1.05 * y, -0.98 * y), 0.0, 0.75 * z1, k.light)


@part("air conditioner")
def flat_air_conditioner(k: Kit) -> None:
    """A flat front panel in a frame, louvres along its lower half and a badge."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.8 * y, y, 0, z, 0.02)
    k.soft(-0.97 * x, 0.97 * x, -y, -0.7 * y, 0.48 * z, 0.96 * z, 0.015, k.light)
    for i in range(5):
        slat = shapes.box(-0.94 * x, 0.94 * x, -0.012, 0.012, -0.002, 0.004)
        k.add(shapes.turned(slat, 0, 30), k.light, (0, -0.85 * y, (0.1 + 0.075 * i) * z))
    k.box(-0.94 * x, 0.94 * x, -0.82 * y, -0.8 * y, 0.06 * z, 0.44 * z, DARK)
    k.box(-0.92 * x, -0.75 * x, -y - 0.002, -y, 0.56 * z, 0.62 * z, STEEL)
    k.box(0.72 * x, 0.9 * x, -y - 0.002, -y, 0.56 * z, 0.64 * z, Paint(90, 190, 230))


@part("air conditioner")
def round_air_conditioner(k: Kit) -> None:
    """A barrel-shaped long unit with a wide flap that stands open and a strip of lights."""
    x, y, z = k.x, k.y, k.z
    arc = [math.radians(a) for a in range(100, 271, 17)]
    outline = [(y * math.cos(a) * 1.0, 0.5 * z + 0.5 * z * math.sin(a)) for a in arc]
    k.add(shapes.facing_side(shapes.prism([*outline, (y, 0), (y, z)], -x, x)))
    for _, a, b in ((-1, -x, -0.96 * x), (1, 0.96 * x, x)):
        k.add(shapes.facing_side(shapes.prism([*outline, (y, 0), (y, z)], a, b)), k.dark)
    k.box(-0.9 * x, 0.9 * x, -0.86 * y, -0.5 * y, 0.16 * z, 0.3 * z, DARK)
    flap = shapes.box(-0.9 * x, 0.9 * x, -0.5 * y, 0, -0.004, 0.004)
    k.add(shapes.turned(flap, 0, 35), k.light, (0, -0.5 * y, 0.14 * z))
    k.box(0.5 * x, 0.7 * x, -y - 0.003, -0.9 * y, 0.46 * z, 0.5 * z, Paint(90, 190, 230))
