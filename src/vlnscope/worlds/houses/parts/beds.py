"""Beds."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import CORNERS, DARK_WOOD, WHITE, WOOD, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_LINEN = looking(WHITE, "fabric")


def _frame(k: Kit) -> Paint:
    wooden = k.item.material in ("wood", "oak", "walnut", "pine")
    return k.dark if wooden else (DARK_WOOD if sum(k.main[:3]) > 380 else WOOD)


def _bedding(k: Kit, low: float, foot: float = 0.05) -> None:
    """A mattress from `low`, a duvet in the main colour turned down at its head, pillows, a throw."""
    x, y, z = k.x - 0.03, k.y, k.z
    top = 0.56 * z
    cloth = k.main if k.main.texture not in (0, 1) else k.main._replace(texture=5)
    k.soft(-x, x, -y + foot, y - 0.08, low, top - 0.01, 0.04, _LINEN)
    fold = y - 0.62 if y > 0.8 else 0.35 * y
    k.soft(-x - 0.02, x + 0.02, -y + foot - 0.015, fold + 0.02, low + 0.03, top + 0.005, 0.05, cloth)
    k.pillow(-x - 0.01, x + 0.01, -y + foot, fold, top - 0.1, top + 0.05, cloth, 20, 4, 0.2, 0.6)
    turned = shapes.pillow((-x - 0.03, -0.13, 0), (x + 0.03, 0.13, 0.09), 16, 4, 0.2, 0.7)
    k.add(turned, _LINEN if sum(cloth[:3]) < 600 else shade(cloth, 0.85), (0, fold, top - 0.02))
    _pillows(k, top)


def _pillows(k: Kit, top: float) -> None:
    x, y = k.x, k.y
    count = 2 if x > 0.58 else 1
    width = min(0.68, (2 * x - 0.1) / count - 0.04)
    accent = shade(k.main, 1.35) if sum(k.main[:3]) < 500 else shade(k.main, 0.75)
    for i in range(count):
        middle = (i - (count - 1) / 2) * (width + 0.06)
        pillow = shapes.pillow((-width / 2, -0.22, -0.085), (width / 2, 0.22, 0.085), 16, 4, 0.4, 0.75)
        k.add(shapes.turned(pillow, 0, 24), _LINEN, (middle, y - 0.3, top + 0.1))
        if count > 1:
            small = shapes.pillow((-0.19, -0.07, 0), (0.19, 0.07, 0.3), 14, 4, 0.45, 0.6)
            k.add(shapes.turned(small, 0, -32), accent._replace(texture=5), (0.5 * middle, y - 0.58, top))


def _legs(k: Kit, top: float, look: Paint) -> None:
    for sx, sy in CORNERS:
        px, py = sx * (k.x - 0.04), sy * (k.y - 0.04)
        k.box(px - 0.04, px + 0.04, py - 0.04, py + 0.04, 0, top, look)


def _side_boards(k: Kit, look: Paint) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.02, y - 0.06, 0.14 * z, 0.32 * z, look)


@part("bed", "wood", "fabric")
def panel_bed(k: Kit) -> None:
    """A panelled headboard and a low footboard of wood, a duvet and pillows."""
    x, y, z = k.x, k.y, k.z
    frame = _frame(k)
    k.soft(-x, x, y - 0.07, y, 0, z, 0.02, frame)
    for side in (-0.5, 0.5):
        k.soft(
            side * x - 0.42 * x,
            side * x + 0.42 * x,
            y - 0.09,
            y - 0.06,
            0.6 * z,
            0.93 * z,
            0.012,
            shade(frame, 1.2),
        )
    _side_boards(k, frame)
    k.soft(-x, x, -y, -y + 0.05, 0.0, 0.4 * z, 0.012, frame)
    _bedding(k, 0.3 * z)


@part("bed", "wood")
def slatted_bed(k: Kit) -> None:
    """A headboard and footboard of upright slats between posts with balls."""
    x, y, z = k.x, k.y, k.z
    frame = _frame(k)
    for end, top in ((y - 0.04, z), (-y + 0.03, 0.52 * z)):
        for side in (-1, 1):
            k.box(
                side * (x - 0.035) - 0.035,
                side * (x - 0.035) + 0.035,
                end - 0.03,
                end + 0.03,
                0,
                top - 0.04,
                frame,
            )
            k.ball((side * (x - 0.035), end, top - 0.03), 0.035, frame, 8)
        k.box(-x, x, end - 0.02, end + 0.02, top - 0.16, top - 0.08, frame)
        count = max(5, round(2 * x / 0.16))
        for i in range(count):
            at = -x + 0.06 + (i + 0.5) * (2 * x - 0.12) / count
            k.box(at - 0.018, at + 0.018, end - 0.012, end + 0.012, 0.3 * z, top - 0.12, shade(frame, 1.15))
    _side_boards(k, frame)
    _bedding(k, 0.3 * z, 0.07)


@part("bed", "fabric")
def upholstered_bed(k: Kit) -> None:
    """A high buttoned headboard and a padded frame in the main colour."""
    x, y, z = k.x, k.y, k.z
    cloth = looking(k.dark, "velvet")
    _legs(k, 0.08 * z, DARK_WOOD)
    k.soft(-x, x, -y, y - 0.05, 0.08 * z, 0.36 * z, 0.04, cloth)
    columns, rows = max(2, min(5, round(2 * x / 0.42))), 2
    wide, tall = 2 * x / columns, 0.62 * z / rows
    k.box(-x, x, y - 0.06, y, 0.05 * z, z - 0.01, cloth)
    for i in range(columns):
        for j in range(rows):
            left, low = -x + i * wide, 0.38 * z + j * tall
            k.pillow(left, left + wide, y - 0.13, y - 0.03, low, low + tall, cloth, 8, 4, 0.5, 0.6)
    _bedding(k, 0.3 * z, 0.09)


@part("bed", "metal")
def iron_bed(k: Kit) -> None:
    """Arched ends of iron bars with brass knobs."""
    x, y, z = k.x, k.y, k.z
    iron = (
        looking(Paint(56, 54, 54), "metal")
        if sum(k.main[:3]) > 500
        else looking(Paint(214, 210, 202), "metal")
    )
    for end, top in ((y - 0.03, z), (-y + 0.03, 0.66 * z)):
        arch = (
            [(-x + 0.03, end, 0)]
            + [
                ((x - 0.03) * -math.cos(a), end, 0.74 * top + 0.24 * top * math.sin(a))
                for a in (math.pi * i / 8 for i in range(9))
            ]
            + [(x - 0.03, end, 0)]
        )
        k.path(arch, 0.022, iron, 6)
        k.tube((-x + 0.03, end, 0.4 * top + 0.1 * z), (x - 0.03, end, 0.4 * top + 0.1 * z), 0.014, iron, 5)
        for i in range(5):
            s = (i - 2) / 3
            k.tube(
                (s * x, end, 0.4 * top + 0.1 * z),
                (s * x, end, 0.74 * top + 0.24 * top * math.sqrt(1 - s * s)),
                0.01,
                iron,
                5,
            )
        for side in (-1, 1):
            k.ball((side * (x - 0.03), end, 0.76 * top), 0.032, paint("gold", "metal"), 7)
    k.box(-x + 0.02, x - 0.02, -y + 0.03, y - 0.03, 0.26 * z, 0.31 * z, iron)
    _bedding(k, 0.3 * z, 0.07)


@part("bed", "metal", "wood", "fabric")
def platform_bed(k: Kit) -> None:
    """A low broad platform with a plain headboard that carries a shelf and two cushions."""
    x, y, z = k.x, k.y, k.z
    frame = _frame(k)
    k.box(-0.9 * x, 0.9 * x, -y + 0.14, y - 0.1, 0, 0.12 * z, shade(frame, 0.5))
    k.soft(-x, x, -y, y - 0.04, 0.12 * z, 0.3 * z, 0.012, frame)
    k.soft(-x, x, y - 0.06, y, 0.1 * z, 0.94 * z, 0.012, frame)
    k.soft(-x, x, y - 0.1, y, 0.93 * z, z, 0.01, shade(frame, 1.15))
    for side in (-1, 1):
        k.soft(
            side * 0.5 * x - 0.46 * x,
            side * 0.5 * x + 0.46 * x,
            y - 0.11,
            y - 0.05,
            0.58 * z,
            0.9 * z,
            0.025,
            looking(k.light, "fabric"),
        )
    _bedding(k, 0.3 * z, 0.06)
