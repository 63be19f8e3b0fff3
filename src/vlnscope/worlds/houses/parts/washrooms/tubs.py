"""Bathtubs and showers."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import CHROME, CORNERS, GLASS, PORCELAIN, STEEL, Kit, part
from vlnscope.worlds.houses.parts.kitchens.sinks import basin
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.houses.parts.washrooms.bath import WATER, ceramic

_TILES = Paint(206, 220, 224, 3)


def _taps(k: Kit, end: float, rim: float) -> None:
    """A spout and two handles at the right end."""
    z = k.z
    k.path(
        [(end, 0, rim - 0.02), (end, 0, z - 0.02), (end - 0.12, 0, z - 0.015), (end - 0.18, 0, z - 0.07)],
        0.02,
        CHROME,
        6,
    )
    for side in (-0.14, 0.14):
        k.tube((end, side, rim - 0.01), (end, side, rim + 0.04), 0.014, CHROME, 6)
        k.ball((end, side, rim + 0.05), 0.028, CHROME, 6)


@part("bathtub")
def built_in_bathtub(k: Kit) -> None:
    """A panelled tub, hollow, with water, a broad rim and a tap at one end."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    look, rim = ceramic(k), 0.8 * z
    k.soft(-x, x, -y, y, 0, 0.25 * z, 0.03, look)
    basin(k, -x, x, -y, y, 0.12 * z, rim - 0.02, look, 0.07)
    for a, b, c, d in (
        (-x, x, -y, -y + 0.09),
        (-x, x, y - 0.09, y),
        (-x, -x + 0.12, -y, y),
        (x - 0.1, x, -y, y),
    ):
        k.soft(a, b, c, d, rim - 0.05, rim, 0.02, shade(look, 1.2))
    for i in range(3):
        left = -0.9 * x + i * 0.6 * x
        k.frame(
            (left + 0.02, left + 0.6 * x - 0.02),
            (-y - 0.006, -y),
            (0.08 * z, rim - 0.1),
            0.02,
            shade(look, 0.9),
        )
    k.box(-x + 0.05, x - 0.05, -y + 0.05, y - 0.05, 0.5 * rim, 0.62 * rim, WATER)
    _taps(k, x - 0.06, rim)


def _tub_shell(k: Kit, low: float, rim: float, flare: float) -> None:
    """An oval shell, hollow, with water."""
    x, y = k.x, k.y
    look = ceramic(k)
    outside = [
        (0, low),
        (0.62, low),
        (0.76, low + 0.2 * (rim - low)),
        (1 - flare, 0.9 * rim),
        (1, rim - 0.02),
        (1, rim),
    ]
    k.lathe(outside, look, (0, 0), 24, (x, y))
    inside = [
        (1, rim),
        (0.92, rim),
        (0.88 - flare, 0.8 * rim),
        (0.66, low + 0.15 * (rim - low)),
        (0, low + 0.12 * (rim - low)),
    ]
    k.lathe(inside, shade(look, 1.15), (0, 0), 24, (x, y))
    k.lathe([(0.82, low + 0.62 * (rim - low)), (0, low + 0.62 * (rim - low))], WATER, (0, 0), 20, (x, y))


@part("bathtub")
def claw_foot_bathtub(k: Kit) -> None:
    """A free-standing tub with a rolled rim on four lion's feet, a tap at its end."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    rim = 0.82 * z
    _tub_shell(k, 0.16 * z, rim, 0.05)
    for sx, sy in CORNERS:
        k.path(
            [
                (sx * 0.5 * x, sy * 0.5 * y, 0.26 * z),
                (sx * 0.66 * x, sy * 0.66 * y, 0.14 * z),
                (sx * 0.6 * x, sy * 0.6 * y, 0.04 * z),
            ],
            [0.05, 0.035, 0.025],
            paint("gold", "metal"),
            6,
        )
        k.ball((sx * 0.62 * x, sy * 0.62 * y, 0.035 * z + 0.01), 0.035, paint("gold", "metal"), 6)
    k.add(shapes.stretched(shapes.ring(0.98, 0.035, 24, 5), x, y, y), ceramic(k), (0, 0, rim))
    k.path(
        [(0.99 * x, 0, 0), (0.99 * x, 0, z - 0.05), (0.9 * x, 0, z - 0.01), (0.78 * x, 0, z - 0.08)],
        0.018,
        CHROME,
        6,
    )


@part("bathtub")
def free_standing_bathtub(k: Kit) -> None:
    """A smooth oval shell without feet, with a tap that stands on the floor beside it."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    _tub_shell(k, 0.0, 0.86 * z, 0.02)
    k.path(
        [
            (0.1 * x, 0.99 * y, 0),
            (0.1 * x, 0.99 * y, z - 0.02),
            (0.1 * x, 0.85 * y, z - 0.005),
            (0.1 * x, 0.55 * y, z - 0.03),
        ],
        0.018,
        CHROME,
        6,
    )
    k.ball((0.16 * x, 0.97 * y, 0.92 * z), 0.026, CHROME, 6)


def _tray(k: Kit) -> None:
    x, y = k.x, k.y
    k.soft(-x, x, -y, y, 0, 0.08, 0.015, PORCELAIN)
    k.box(-x + 0.06, x - 0.06, -y + 0.06, y - 0.06, 0.08, 0.085, shade(PORCELAIN, 0.85))
    k.lathe([(0, 0.085), (0.05, 0.085), (0, 0.09)], STEEL, sides=8)


def _head(k: Kit, x: float, y: float, low: float, top: float, out: float) -> None:
    """A pole on the wall with a mixer, an arm and a round head."""
    z = k.z
    k.tube((x, y, low), (x, y, top), 0.014, CHROME, 6)
    k.path(
        [(x, y, top - 0.01), (x, y - 0.4 * out, top + 0.05 * z), (x, y - out, top + 0.02 * z)],
        0.014,
        CHROME,
        6,
    )
    k.lathe(
        [
            (0, top - 0.02 * z),
            (0.12, top - 0.02 * z),
            (0.11, top),
            (0.02, top + 0.02 * z),
            (0, top + 0.02 * z),
        ],
        STEEL,
        (x, y - out),
        12,
    )
    k.box(x - 0.09, x + 0.09, y - 0.03, y + 0.03, low, low + 0.05, CHROME)
    k.path(
        [(x + 0.05, y - 0.03, low), (x + 0.12, y - 0.08, low - 0.3), (x + 0.1, y - 0.05, low + 0.25)],
        0.008,
        STEEL,
        4,
    )


@part("shower")
def framed_shower(k: Kit) -> None:
    """A tray, glass panels in a frame, a tiled back, a pole with a shower head."""
    x, y, z = k.x, k.y, k.z
    _tray(k)
    k.box(-x, x, y - 0.02, y, 0.08, z, _TILES)
    k.box(x - 0.02, x, -0.2 * y, y - 0.02, 0.08, z, _TILES)
    bar = 0.018
    for px, py in ((-x + bar, -y + bar), (x - bar, -y + bar), (-x + bar, y - bar), (-0.4 * x, -y + bar)):
        k.box(px - bar, px + bar, py - bar, py + bar, 0.08, z, k.main)
    k.box(-x, x, -y, -y + 2 * bar, z - 2 * bar, z, k.main)
    k.box(-x, -x + 2 * bar, -y, y, z - 2 * bar, z, k.main)
    k.box(-x + 0.014, -x + 0.022, -y + 0.03, y - 0.03, 0.08, z - 0.03, GLASS)
    k.box(-x + 0.04, -0.42 * x, -y + 0.014, -y + 0.022, 0.08, z - 0.03, GLASS)
    _head(k, 0.2 * x, y - 0.05, 0.48 * z, 0.9 * z, 0.5 * y)


@part("shower")
def round_shower(k: Kit) -> None:
    """A corner shower: a quarter-round tray and a curved glass front, two tiled walls, a broad head."""
    x, y, z = k.x, k.y, k.z
    arc = [
        (x - 2 * x * math.cos(a), y - 2 * y * math.sin(a)) for a in (math.pi / 2 * i / 8 for i in range(9))
    ]
    k.slab([(x, y), *arc], 0, 0.09, PORCELAIN)
    k.box(-x, x, y - 0.02, y, 0.09, z, _TILES)
    k.box(x - 0.02, x, -y, y, 0.09, z, _TILES)
    for i, ((a, b), (c, d)) in enumerate(itertools.pairwise(arc)):
        if i not in (3, 4):
            k.add(shapes.quad((a, b, 0.09), (c, d, 0.09), (c, d, z - 0.04), (a, b, z - 0.04)), GLASS)
    for a, b in (arc[0], arc[3], arc[5], arc[8]):
        k.box(a - 0.015, a + 0.015, b - 0.015, b + 0.015, 0.09, z, k.main)
    k.path([(a, b, z - 0.02) for a, b in arc], 0.016, k.main, 4)
    _head(k, 0.3 * x, y - 0.05, 0.48 * z, 0.88 * z, 0.6 * y)


@part("shower")
def curtain_shower(k: Kit) -> None:
    """A tiled niche with a tray, a drawn curtain on a rail, a shower head and a shelf with bottles."""
    x, y, z = k.x, k.y, k.z
    _tray(k)
    k.box(-x, x, y - 0.03, y, 0.08, z, _TILES)
    for side in (-1, 1):
        a, b = sorted((side * x, side * (x - 0.03)))
        k.box(a, b, -0.2 * y, y, 0.08, z, _TILES)
    k.tube((-x, -y + 0.05, z - 0.06), (x, -y + 0.05, z - 0.06), 0.014, k.main, 6)
    cloth = looking(paint("sky blue") if k.item.colour == "white" else WATER, "striped fabric")
    folds = 12
    line = [(-x + 0.02 + 0.95 * x * i / folds, -y + (0.02 if i % 2 else 0.09)) for i in range(folds + 1)]
    for (a, b), (c, d) in itertools.pairwise(line):
        k.add(shapes.quad((a, b, 0.12), (c, d, 0.12), (c, d, z - 0.06), (a, b, z - 0.06)), cloth)
    for i in range(0, folds + 1, 2):
        k.add(shapes.facing_side(shapes.ring(0.025, 0.004, 8, 3)), STEEL, (line[i][0], -y + 0.05, z - 0.06))
    _head(k, 0.3 * x, y - 0.06, 0.48 * z, 0.88 * z, 0.5 * y)
    k.box(-0.7 * x, -0.2 * x, y - 0.14, y - 0.03, 0.52 * z, 0.53 * z, STEEL)
    for i, tint in enumerate(("orange", "green", "white")):
        k.lathe(
            [(0, 0.53 * z), (0.03, 0.53 * z), (0.03, 0.6 * z), (0.012, 0.62 * z), (0, 0.63 * z)],
            paint(tint),
            ((-0.62 + 0.17 * i) * x, y - 0.085),
            8,
        )
