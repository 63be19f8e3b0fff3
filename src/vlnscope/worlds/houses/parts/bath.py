"""Bathroom and laundry."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, DARK, GLASS, PORCELAIN, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.kitchen import basin, painted_fronts, tap
from vlnscope.worlds.houses.parts.storage import panelled_door

_WATER = Paint(150, 196, 214)


def _ceramic(k: Kit) -> Paint:
    return PORCELAIN if k.item.colour == "white" else k.main


@part("toilet")
def toilet(k: Kit) -> None:
    """A bowl with an open seat, a foot, a tank with a lid and a lever."""
    x, y, z = k.x, k.y, k.z
    look, seat = _ceramic(k), 0.53 * z
    middle, long = -0.24 * y, 0.76 * y
    wide = 0.88 * x
    k.lathe(
        [(0, 0), (0.6, 0), (0.5, 0.3 * seat), (0.62, 0.55 * seat), (0.96, 0.88 * seat), (1.0, 0.94 * seat)],
        look,
        (0, middle),
        18,
        (wide, long),
    )
    k.lathe(
        [(1.0, 0.94 * seat), (1.03, seat), (0.62, seat), (0.55, 0.72 * seat), (0, 0.62 * seat)],
        shade(look, 1.3),
        (0, middle),
        18,
        (wide, long),
    )
    k.lathe([(0.5, 0.7 * seat), (0, 0.7 * seat)], _WATER, (0, middle), 12, (wide, long))
    k.box(-0.45 * x, 0.45 * x, 0.2 * y, 0.8 * y, 0, 0.9 * seat, look)
    lid = shapes.lathe([(0, 0), (1, 0), (1, 0.03), (0, 0.03)], 16)
    lid = shapes.moved(
        shapes.turned(shapes.stretched(lid, 0.9 * wide, 0.42 * z), 0, 82), 0, 0.5 * y, seat + 0.4 * z
    )
    k.add(lid, shade(look, 0.93))
    k.soft(-x, x, 0.58 * y, y, 0.45 * z, 0.95 * z, 0.03, look)
    k.soft(-x - 0.01, x + 0.01, 0.55 * y, y, 0.95 * z, z, 0.01, look)
    k.tube((-0.7 * x, 0.54 * y, 0.86 * z), (-0.4 * x, 0.53 * y, 0.85 * z), 0.014, CHROME)


@part("bathtub")
def bathtub(k: Kit) -> None:
    """A rounded tub, hollow, with water, a tap at one end."""
    x, y, z = k.x, k.y, k.z
    look, rim = _ceramic(k), 0.8 * z
    k.soft(-x, x, -y, y, 0, 0.25 * z, 0.04, look)
    basin(k, -x, x, -y, y, 0.12 * z, rim - 0.02, look, 0.07)
    for a, b, c, d in (
        (-x, x, -y, -y + 0.09),
        (-x, x, y - 0.09, y),
        (-x, -x + 0.12, -y, y),
        (x - 0.1, x, -y, y),
    ):
        k.soft(a, b, c, d, rim - 0.05, rim, 0.02, shade(look, 1.2))
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.5 * rim, 0.62 * rim, _WATER)
    end = x - 0.06
    k.path(
        [(end, 0, rim), (end, 0, z - 0.02), (end - 0.16, 0, z - 0.02), (end - 0.18, 0, z - 0.08)],
        0.022,
        CHROME,
    )
    for side in (-0.14, 0.14):
        k.ball((end, side, rim + 0.03), 0.032, CHROME, 6)


@part("shower")
def shower(k: Kit) -> None:
    """A tray, glass panels in a frame, a tiled back, a pole with a shower head."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y, y, 0, 0.08, PORCELAIN)
    k.box(-x + 0.06, x - 0.06, -y + 0.06, y - 0.06, 0.08, 0.085, shade(PORCELAIN, 0.85))
    k.lathe([(0, 0.085), (0.05, 0.085), (0, 0.09)], STEEL, sides=8)
    k.box(-x, x, y - 0.02, y, 0.08, z, Paint(196, 214, 220, 3))
    k.box(x - 0.02, x, 0.0, y - 0.02, 0.08, z, Paint(196, 214, 220, 3))
    bar = 0.018
    for px, py in ((-x + bar, -y + bar), (x - bar, -y + bar), (-x + bar, y - bar), (-x + bar, 0.0)):
        k.box(px - bar, px + bar, py - bar, py + bar, 0.08, z, k.main)
    k.box(-x, x, -y, -y + 2 * bar, z - 2 * bar, z, k.main)
    k.box(-x, -x + 2 * bar, -y, y, z - 2 * bar, z, k.main)
    k.box(-x + 0.014, -x + 0.022, 0.0, y - 0.03, 0.08, z - 0.03, GLASS)
    k.box(-x + 0.014, -x + 0.022, -y + 0.03, 0.0, 0.08, 0.5 * z, GLASS)
    k.box(-x + 0.04, -0.5 * x, -y + 0.014, -y + 0.022, 0.08, z - 0.03, GLASS)
    k.box(-0.5 * x - bar, -0.5 * x + bar, -y, -y + 2 * bar, 0.08, z, k.main)
    k.tube((0.0, y - 0.06, 0.45 * z), (0.0, y - 0.06, 0.9 * z), 0.016, CHROME)
    k.tube((0.0, y - 0.06, 0.9 * z), (0.0, 0.2 * y, 0.95 * z), 0.016, CHROME)
    k.lathe(
        [(0, 0.91 * z), (0.13, 0.91 * z), (0.12, 0.925 * z), (0.03, 0.945 * z), (0, 0.945 * z)],
        STEEL,
        (0.0, 0.15 * y),
        12,
    )
    k.box(-0.08, 0.08, y - 0.08, y - 0.02, 0.44 * z, 0.47 * z, k.main)


@part("bathroom sink")
def bathroom_sink(k: Kit) -> None:
    """An oval basin with a tap, on a vanity with doors if it is wide or coloured, else on a pedestal."""
    painted_fronts(k)
    x, y, z = k.x, k.y, k.z
    rim = 0.84 * z
    radius = min(x, y)
    if x > 0.36 or k.item.colour != "white":
        k.box(-x + 0.04, x - 0.04, -y + 0.08, y, 0, 0.08, DARK)
        k.box(-x + 0.015, x - 0.015, -y + 0.04, y, 0.08, rim - 0.12, k.dark)
        for side, a, b in both_sides(0.008, x - 0.02):
            panelled_door(k, a, b, 0.1, rim - 0.14, -y + 0.04, k.main)
            k.ball((side * 0.05, -y + 0.01, 0.55 * rim), 0.018, STEEL, 6)
        k.soft(-x, x, -y, y, rim - 0.12, rim - 0.08, 0.01, PORCELAIN)
        width, depth = min(0.8 * x, 0.32), 0.72 * y
    else:
        k.lathe(
            [(0, 0), (0.55, 0), (0.32, 0.12 * z), (0.3, 0.6 * z), (0.5, rim - 0.14)],
            PORCELAIN,
            (0, 0.25 * y),
            12,
            (0.75 * radius, 0.75 * radius),
        )
        width, depth = x, 0.85 * y
    at = (0.0, -0.12 * y)
    k.lathe([(0.5, rim - 0.12), (0.9, rim - 0.04), (1, rim)], PORCELAIN, at, 20, (width, depth))
    k.lathe(
        [(1, rim), (0.88, rim), (0.75, rim - 0.06), (0.2, rim - 0.1), (0, rim - 0.1)],
        shade(PORCELAIN, 0.92),
        at,
        20,
        (width, depth),
    )
    k.lathe([(0.12, rim - 0.098), (0, rim - 0.096)], DARK, at, 8, (width, width))
    k.box(-0.5 * width, 0.5 * width, 0.55 * y, y, rim - 0.12, rim, PORCELAIN)
    tap(k, 0, 0.78 * y, rim, z - rim, 0.62 * y)
