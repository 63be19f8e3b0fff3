"""What stands on desks."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, BRASS, DARK, DARK_WOOD, STEEL, WHITE, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.rendering.pictures.gallery import SCREENS, picture

_SHEET = looking(Paint(250, 249, 245), "paper")
_LAND = Paint(150, 160, 84)


@part("printer")
def inkjet_printer(k: Kit) -> None:
    """A low body with paper that stands at its back and a printed sheet on the tray in front."""
    x, y, z = k.x, k.y, k.z
    body = 0.56 * z
    k.soft(-x, x, -0.45 * y, 0.75 * y, 0, body, 0.03)
    k.box(-0.7 * x, 0.7 * x, -0.46 * y, -0.4 * y, 0.14 * z, 0.34 * z, BLACK)
    k.box(-0.7 * x, 0.7 * x, -y, -0.4 * y, 0.04 * z, 0.07 * z, DARK)
    k.frustum(
        (-0.55 * x, 0.55 * x, -0.95 * y, -0.3 * y),
        (-0.55 * x, 0.55 * x, -0.95 * y, -0.3 * y),
        0.1 * z,
        0.12 * z,
        _SHEET,
    )
    _lines(k, 0.122 * z)
    stack = shapes.box(-0.55 * x, 0.55 * x, -0.006, 0.006, 0, 0.55 * z)
    k.add(shapes.turned(stack, 0, -16), _SHEET, (0, 0.5 * y, body - 0.06 * z))
    rest = shapes.box(-0.7 * x, 0.7 * x, 0.01, 0.025, 0, 0.36 * z)
    k.add(shapes.turned(rest, 0, -16), k.dark, (0, 0.52 * y, body - 0.05 * z))
    _panel(k, body)


def _lines(k: Kit, level: float) -> None:
    for i in range(4):
        at = (-0.88 + 0.1 * i) * k.y
        k.box(-0.42 * k.x, (0.4 - 0.2 * (i % 2)) * k.x, at, at + 0.03 * k.y, level, level + 0.002, DARK)


def _panel(k: Kit, body: float) -> None:
    x, y = k.x, k.y
    k.box(0.35 * x, 0.85 * x, -0.35 * y, -0.05 * y, body, body + 0.006, DARK)
    k.box(0.4 * x, 0.65 * x, -0.3 * y, -0.1 * y, body + 0.006, body + 0.009, Paint(120, 190, 220))
    for i in range(2):
        k.box(
            0.7 * x,
            0.8 * x,
            (-0.3 + 0.12 * i) * y,
            (-0.22 + 0.12 * i) * y,
            body + 0.006,
            body + 0.012,
            (paint("green"), paint("red"))[i],
        )


@part("printer")
def laser_printer(k: Kit) -> None:
    """A tall square body, a paper drawer with a grip below, a hollow on top where sheets come out."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.9 * y, y, 0.28 * z, 0.94 * z, 0.02)
    k.soft(-0.98 * x, 0.98 * x, -0.94 * y, y, 0.02, 0.27 * z, 0.012, k.dark)
    k.box(-0.3 * x, 0.3 * x, -y, -0.92 * y, 0.12 * z, 0.19 * z, DARK)
    k.box(-0.75 * x, 0.75 * x, -0.92 * y, -0.88 * y, 0.4 * z, 0.5 * z, k.dark)
    k.frustum(
        (-0.6 * x, 0.6 * x, -0.7 * y, 0.5 * y),
        (-0.6 * x, 0.6 * x, -0.7 * y, 0.5 * y),
        0.94 * z,
        0.955 * z,
        BLACK,
    )
    sheet = shapes.box(-0.48 * x, 0.48 * x, -0.6 * y, 0.6 * y, -0.004, 0.004)
    k.add(shapes.turned(sheet, 0, 5), _SHEET, (0, -0.1 * y, 0.98 * z))
    _panel(k, 0.94 * z)


@part("printer")
def scanner_printer(k: Kit) -> None:
    """A printer with a raised scanner lid, a tray of sheets in front and a screen."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.6 * y, y, 0.0, 0.6 * z, 0.03)
    k.box(-0.7 * x, 0.7 * x, -0.62 * y, -0.55 * y, 0.12 * z, 0.36 * z, BLACK)
    k.box(-0.6 * x, 0.6 * x, -y, -0.5 * y, 0.1 * z, 0.14 * z, DARK)
    k.box(-0.5 * x, 0.5 * x, -0.95 * y, -0.4 * y, 0.14 * z, 0.2 * z, _SHEET)
    _lines(k, 0.2 * z)
    k.box(-0.85 * x, 0.85 * x, -0.45 * y, 0.85 * y, 0.6 * z, 0.615 * z, Paint(120, 150, 170))
    lid = shapes.soft(-0.95 * x, 0.95 * x, -1.4 * y, 0, 0, 0.05 * z, 0.01)
    k.add(shapes.turned(lid, 0, -28), k.dark, (0, 0.9 * y, 0.62 * z))
    k.box(-0.95 * x, -0.45 * x, -0.63 * y, -0.6 * y, 0.4 * z, 0.56 * z, Paint(120, 190, 220))


def _open_laptop(k: Kit, lean: float, wide: float) -> float:
    """A keyboard on a thin base, a screen that leans back and shows something; returns the hinge's y."""
    x, y, z = k.x, k.y, k.z
    hinge = y - z * math.tan(math.radians(lean))
    base = 0.05 * z
    look = looking(k.main, "metal") if k.item.material == "metal" else k.main
    k.soft(-x, x, -y, hinge, 0, base, 0.006, look)
    deep = hinge + y
    keys = shapes.quad(
        *(
            (a * wide * x, -y + b * deep, base + 0.001)
            for a, b in ((-1, 0.36), (1, 0.36), (1, 0.92), (-1, 0.92))
        )
    )
    image = picture("keyboard", k.item.colour, round(2 * wide * x, 2), round(0.56 * deep, 2), k.main[:3])
    k.printed(keys, image, shade(DARK, 1.2), plane="xy")
    k.box(-0.28 * x, 0.28 * x, -y + 0.05 * deep, -y + 0.3 * deep, base, base + 0.0015, shade(look, 0.85))
    tall = z / math.cos(math.radians(lean)) - base

    def put(shape: shapes.Shape) -> shapes.Shape:
        return shapes.moved(shapes.turned(shape, 0, -lean), 0, hinge, 0.5 * base)

    k.add(put(shapes.soft(-x, x, -0.004, 0.006, 0, tall, 0.004)), look)
    k.add(put(shapes.box(-0.97 * x, 0.97 * x, -0.006, -0.004, 0.04 * tall, 0.97 * tall)), BLACK)
    shown = picture(
        SCREENS[int(k.rng.integers(len(SCREENS)))], k.item.id, round(1.84 * x, 2), round(0.82 * tall, 2)
    )
    pane = shapes.quad(
        *((a * 0.92 * x, -0.0065, c * tall) for a, c in ((-1, 0.1), (1, 0.1), (1, 0.92), (-1, 0.92)))
    )
    k.printed(put(pane), shown, looking(Paint(110, 116, 128), "screen"))
    return hinge


@part("laptop")
def laptop(k: Kit) -> None:
    """An open laptop with a lit screen."""
    _open_laptop(k, 14, 0.9)


@part("laptop")
def wide_open_laptop(k: Kit) -> None:
    """A laptop opened far, with loudspeakers beside its keys and a round hinge."""
    hinge = _open_laptop(k, 26, 0.72)
    k.add(
        shapes.facing_side(shapes.cylinder(0.03 * k.z, -0.7 * k.x, 0.7 * k.x, 8)),
        DARK,
        (0, hinge, 0.05 * k.z),
    )
    for side in (-1, 1):
        k.box(
            side * 0.86 * k.x - 0.06 * k.x,
            side * 0.86 * k.x + 0.06 * k.x,
            -0.5 * k.y,
            hinge - 0.02,
            0.05 * k.z,
            0.055 * k.z,
            DARK,
        )


@part("laptop")
def upright_laptop(k: Kit) -> None:
    """A laptop whose screen stands nearly upright, a mouse on its corner."""
    _open_laptop(k, 6, 0.86)
    k.ball((0.75 * k.x, -0.75 * k.y, 0.08 * k.z), (0.1 * k.x, 0.18 * k.y, 0.04 * k.z), DARK, 8)


def _continents(k: Kit, centre: shapes.Point, radius: float) -> None:
    """Land on a ball: patches that lie just above it."""
    for lon, lat, size in (
        (10, 5, 0.5),
        (25, 48, 0.42),
        (75, 35, 0.5),
        (120, 50, 0.5),
        (135, -25, 0.3),
        (-100, 45, 0.46),
        (-70, 5, 0.3),
        (-62, -20, 0.36),
        (-40, 72, 0.24),
        (0, -88, 0.3),
    ):
        cap = shapes.lathe(
            [
                (size, math.sqrt(1 - size * size) * 1.012),
                (0.6 * size, math.sqrt(1 - 0.36 * size * size) * 1.015),
                (0, 1.016),
            ],
            8,
        )
        cap = shapes.stretched(cap, radius, radius * 0.999, radius)
        turned = shapes.turned(shapes.turned(cap, 1, 90 - lat), 2, lon - 80)
        k.add(shapes.moved(turned, *centre), _LAND if abs(lat) < 70 else WHITE)


def _globe(k: Kit, centre: shapes.Point, radius: float) -> None:
    k.ball(centre, radius, looking(k.main, "gloss"), 16)
    _continents(k, centre, radius)


@part("globe")
def desk_globe(k: Kit) -> None:
    """A globe with seas and land in a half ring on a round foot."""
    z = k.z
    r = min(0.86 * min(k.x, k.y), 0.4 * z)
    centre = (0.0, 0.0, z - 1.14 * r)
    _globe(k, centre, r)
    arc = shapes.ring(1.1 * r, 0.05 * r, 14, 5, 200)
    arc = shapes.turned(shapes.facing_front(arc), 1, 60)
    k.add(arc, BRASS, centre)
    k.round([(0, 0), (0.8, 0), (0.75, 0.04), (0.2, 0.08), (0.1, 0.1), (0, 0.1)], DARK_WOOD, 14)
    k.tube((0, 0, 0.06 * z), (0, 0, centre[2] - 1.05 * r), 0.06 * r, BRASS, 8)


@part("globe")
def cradle_globe(k: Kit) -> None:
    """A globe within a broad level ring on three turned legs."""
    z = k.z
    r = 0.74 * min(k.x, k.y, 0.62 * z)
    centre = (0.0, 0.0, z - r)
    _globe(k, centre, r)
    ring = [
        (1.06 * r, centre[2] - 0.03 * z),
        (1.32 * r, centre[2] - 0.03 * z),
        (1.32 * r, centre[2] + 0.01 * z),
        (1.06 * r, centre[2] + 0.01 * z),
        (1.06 * r, centre[2] - 0.03 * z),
    ]
    k.lathe(ring, looking(DARK_WOOD, "wood"), (0, 0), 18)
    for i in range(3):
        a = math.tau * (i / 3 + 0.08)
        c, s = math.cos(a), math.sin(a)
        k.path(
            [
                (1.2 * r * c, 1.2 * r * s, centre[2]),
                (1.0 * r * c, 1.0 * r * s, 0.4 * centre[2]),
                (1.3 * r * c, 1.3 * r * s, 0),
            ],
            [0.03, 0.02, 0.026],
            DARK_WOOD,
            6,
        )
        k.tube((1.05 * r * c, 1.05 * r * s, 0.3 * centre[2]), (0, 0, 0.22 * centre[2]), 0.012, DARK_WOOD, 5)


@part("globe")
def square_foot_globe(k: Kit) -> None:
    """A globe in a full upright ring on a square wooden foot."""
    x, y, z = k.x, k.y, k.z
    r = min(0.84 * min(x, y), 0.4 * z)
    centre = (0.0, 0.0, z - 1.1 * r)
    _globe(k, centre, r)
    k.add(shapes.turned(shapes.facing_front(shapes.ring(1.1 * r, 0.045 * r, 20, 5)), 2, 30), STEEL, centre)
    k.soft(-0.75 * x, 0.75 * x, -0.75 * y, 0.75 * y, 0, 0.06 * z, 0.01, looking(DARK_WOOD, "wood"))
    k.lathe([(0.16 * x, 0.06 * z), (0.06 * x, 0.12 * z), (0.06 * x, centre[2] - 1.08 * r)], BLACK, (0, 0), 10)
