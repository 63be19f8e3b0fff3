"""Backpacks and suitcases."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    STEEL,
    WHITE,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking


def _straps(k: Kit, look: Paint) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path(
            [
                (side * 0.4 * x, 0.75 * y, 0.88 * z),
                (side * 0.55 * x, y, 0.7 * z),
                (side * 0.65 * x, y, 0.35 * z),
                (side * 0.75 * x, 0.7 * y, 0.1 * z),
            ],
            0.02,
            look,
            5,
        )
    k.path(
        [
            (-0.25 * x, 0.5 * y, 0.92 * z),
            (-0.18 * x, 0.5 * y, z),
            (0.18 * x, 0.5 * y, z),
            (0.25 * x, 0.5 * y, 0.92 * z),
        ],
        0.014,
        look,
        5,
    )


@part("backpack")
def school_backpack(k: Kit) -> None:
    """A rounded bag with a zipped front pocket, a grip and shoulder straps."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-0.88 * x, 0.88 * x, -0.6 * y, 0.8 * y, 0, 0.95 * z, None, 14, 6, 0.5, 0.5)
    k.pillow(-0.72 * x, 0.72 * x, -y, 0, 0.06 * z, 0.48 * z, k.dark, 12, 4, 0.5, 0.5)
    k.path(
        [(-0.6 * x, -0.93 * y, 0.38 * z), (0, -y, 0.4 * z), (0.6 * x, -0.93 * y, 0.38 * z)], 0.008, STEEL, 4
    )
    k.path(
        [
            (-0.8 * x, -0.45 * y, 0.5 * z),
            (-0.7 * x, -0.5 * y, 0.78 * z),
            (0, -0.5 * y, 0.9 * z),
            (0.7 * x, -0.5 * y, 0.78 * z),
            (0.8 * x, -0.45 * y, 0.5 * z),
        ],
        0.009,
        STEEL,
        4,
    )
    for side in (-1, 1):
        k.pillow(
            side * 0.86 * x - 0.14 * x,
            side * 0.86 * x + 0.14 * x,
            -0.3 * y,
            0.5 * y,
            0.04 * z,
            0.4 * z,
            k.dark,
            8,
            4,
        )
    _straps(k, DARK)


@part("backpack")
def flap_backpack(k: Kit) -> None:
    """A rucksack with a flap held by two leather belts with buckles, and side pockets."""
    x, y, z = k.x, k.y, k.z
    leather = looking(Paint(120, 74, 40), "leather")
    k.pillow(-0.8 * x, 0.8 * x, -0.75 * y, 0.8 * y, 0, 0.9 * z, None, 14, 6, 0.45, 0.4)
    k.pillow(-0.84 * x, 0.84 * x, -0.85 * y, 0.82 * y, 0.58 * z, 0.97 * z, k.dark, 14, 4, 0.4, 0.4)
    for side in (-0.4, 0.4):
        k.soft(side * x - 0.02, side * x + 0.02, -0.92 * y, -0.7 * y, 0.25 * z, 0.86 * z, 0.005, leather)
        k.frame((side * x - 0.03, side * x + 0.03), (-0.98 * y, -0.9 * y), (0.36 * z, 0.46 * z), 0.01, BRASS)
    for side in (-1, 1):
        k.pillow(
            side * 0.86 * x - 0.16 * x,
            side * 0.86 * x + 0.14 * x,
            -0.5 * y,
            0.5 * y,
            0.03 * z,
            0.45 * z,
            k.dark,
            8,
            4,
        )
    k.pillow(-0.5 * x, 0.5 * x, -y, -0.5 * y, 0.06 * z, 0.4 * z, k.light, 10, 4)
    _straps(k, leather)


@part("backpack")
def hiking_backpack(k: Kit) -> None:
    """A tall pack with a lid, a rolled mat on its top, cords and side pockets."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-0.75 * x, 0.75 * x, -0.6 * y, 0.8 * y, 0, 0.82 * z, None, 14, 6, 0.5, 0.35)
    k.pillow(-0.8 * x, 0.8 * x, -0.75 * y, 0.8 * y, 0.68 * z, 0.88 * z, k.dark, 14, 4, 0.5, 0.6)
    k.add(
        shapes.facing_side(shapes.cylinder(0.075 * z, -0.98 * x, 0.98 * x, 12)),
        paint("orange"),
        (0, 0.1 * y, 0.92 * z),
    )
    k.pillow(-0.6 * x, 0.6 * x, -y, -0.2 * y, 0.05 * z, 0.45 * z, k.light, 12, 4, 0.5, 0.5)
    for i in range(3):
        k.tube(
            (-0.5 * x, -0.66 * y, (0.48 + 0.06 * i) * z),
            (0.5 * x, -0.66 * y, (0.5 + 0.06 * i) * z),
            0.006,
            WHITE,
            4,
        )
    for side in (-1, 1):
        k.pillow(
            side * 0.82 * x - 0.16 * x,
            side * 0.82 * x + 0.16 * x,
            -0.3 * y,
            0.5 * y,
            0.04 * z,
            0.35 * z,
            k.dark,
            8,
            4,
        )
        k.box(side * 0.4 * x - 0.012, side * 0.4 * x + 0.012, -0.78 * y, -0.72 * y, 0.45 * z, 0.85 * z, DARK)
    _straps(k, DARK)


@part("suitcase", "plastic", "metal", "fabric")
def trolley_suitcase(k: Kit) -> None:
    """An upright hard case with grooves, four wheels and a pulled-out handle."""
    x, y, z = k.x, k.y, k.z
    low, top = 0.07 * z, 0.76 * z
    look = looking(k.main, "gloss") if k.item.material != "fabric" else k.main
    k.soft(-x, x, -y, y, low, top, 0.05, look)
    for i in range(5):
        at = (i - 2) * 0.36 * x
        k.soft(
            at - 0.08 * x,
            at + 0.08 * x,
            -y - 0.008,
            -y + 0.01,
            low + 0.06 * z,
            top - 0.06 * z,
            0.006,
            shade(look, 0.85),
        )
    k.box(-x - 0.002, x + 0.002, -0.03 * y, 0.05 * y, low + 0.02, top - 0.02, DARK)
    for sx in (-0.8, 0.8):
        for sy in (-0.7, 0.7):
            k.add(shapes.facing_side(shapes.cylinder(0.03, -0.015, 0.015, 10)), BLACK, (sx * x, sy * y, 0.03))
            k.box(sx * x - 0.02, sx * x + 0.02, sy * y - 0.02, sy * y + 0.02, 0.03, low + 0.01, DARK)
    _pull(k, top)


def _pull(k: Kit, top: float) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-0.35, 0.35):
        k.tube((side * x, 0.6 * y, top - 0.02), (side * x, 0.6 * y, z - 0.015), 0.01, CHROME, 6)
    k.soft(-0.42 * x, 0.42 * x, 0.5 * y, 0.7 * y, z - 0.035, z, 0.012, BLACK)
    k.path(
        [(-0.25 * x, 0, top), (-0.22 * x, 0, top + 0.035), (0.22 * x, 0, top + 0.035), (0.25 * x, 0, top)],
        0.011,
        BLACK,
        5,
    )


@part("suitcase", "plastic", "metal", "fabric")
def soft_suitcase(k: Kit) -> None:
    """An upright cloth case with two zipped pockets, two wheels and a handle."""
    x, y, z = k.x, k.y, k.z
    low, top = 0.05 * z, 0.78 * z
    cloth = k.main._replace(texture=5)
    k.soft(-0.96 * x, 0.96 * x, -0.6 * y, y, low, top, 0.04, cloth)
    for a, b in ((0.1, 0.46), (0.5, 0.72)):
        k.soft(-0.8 * x, 0.8 * x, -y, -0.5 * y, a * z, b * z, 0.03, shade(cloth, 0.85))
        k.box(-0.7 * x, 0.7 * x, -y - 0.004, -y, (b - 0.04) * z, (b - 0.03) * z, STEEL)
    for sx in (-0.8, 0.8):
        k.add(shapes.facing_side(shapes.cylinder(0.035, -0.02, 0.02, 10)), BLACK, (sx * x, 0.8 * y, 0.035))
        k.box(sx * x - 0.03, sx * x + 0.03, -0.5 * y, -0.3 * y, 0, low + 0.01, BLACK)
    k.box(x - 0.01, x, -0.2 * y, 0.4 * y, 0.35 * z, 0.5 * z, DARK)
    _pull(k, top)


@part("suitcase", "plastic", "leather")
def leather_suitcase(k: Kit) -> None:
    """An old case with two belts, brass corners and locks, a grip on its top."""
    x, y, z = k.x, k.y, k.z
    top, belt = 0.9 * z, looking(Paint(96, 58, 32), "leather")
    k.soft(-0.98 * x, 0.98 * x, -0.94 * y, 0.94 * y, 0, top, 0.025, looking(k.main, "leather"))
    for side in (-0.55, 0.55):
        k.soft(side * x - 0.022, side * x + 0.022, -y, y, 0.0, top + 0.006, 0.006, belt)
        k.frame((side * x - 0.032, side * x + 0.032), (-1.06 * y, -y), (0.6 * top, 0.72 * top), 0.01, BRASS)
    for sx in (-1, 1):
        for low in (0.0, 0.88):
            a, b = sorted((sx * x, sx * 0.84 * x))
            k.soft(a, b, -0.98 * y, 0.98 * y, low * top, (low + 0.12) * top, 0.02, belt)
    k.path(
        [(-0.25 * x, 0, top), (-0.22 * x, 0, z - 0.012), (0.22 * x, 0, z - 0.012), (0.25 * x, 0, top)],
        0.014,
        belt,
        6,
    )
    for side in (-0.22, 0.22):
        k.box(side * x - 0.03, side * x + 0.03, -1.0 * y, -0.9 * y, 0.82 * top, 0.92 * top, BRASS)


@part("suitcase", "leather", "metal")
def trunk_suitcase(k: Kit) -> None:
    """A flat case that lies in two halves on its side, with ribs, corners and a grip at the front."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.9 * y, y, 0, z, 0.03, looking(k.main, "leather"))
    k.box(-1.005 * x, 1.005 * x, -0.92 * y, 1.005 * y, 0.49 * z, 0.52 * z, BRASS)
    for sx in (-1, 1):
        for low in (0.0, 0.9):
            a, b = sorted((sx * x * 1.01, sx * 0.86 * x))
            k.soft(a, b, -0.93 * y, y, low * z, (low + 0.1) * z, 0.02, BRASS)
        k.box(sx * 0.5 * x - 0.03, sx * 0.5 * x + 0.03, -0.94 * y, -0.88 * y, 0.44 * z, 0.58 * z, STEEL)
    k.path(
        [
            (-0.25 * x, -0.9 * y, 0.56 * z),
            (-0.2 * x, -y, 0.56 * z),
            (0.2 * x, -y, 0.56 * z),
            (0.25 * x, -0.9 * y, 0.56 * z),
        ],
        0.014,
        DARK,
        6,
    )
