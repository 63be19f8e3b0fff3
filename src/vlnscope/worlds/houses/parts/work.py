"""Furniture of offices and meeting rooms."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WHITE, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.rendering.pictures.gallery import picture


def _file_drawer(k: Kit, x0: float, x1: float, z0: float, z1: float) -> None:
    """A steel drawer front with a label in a holder and a cup pull."""
    front, middle = -k.y + 0.02, (x0 + x1) / 2
    k.box(x0, x1, front - 0.01, front + 0.01, z0, z1)
    top = z1 - 0.2 * (z1 - z0)
    wide = min(0.06, 0.2 * (x1 - x0))
    k.box(middle - wide, middle + wide, front - 0.011, front - 0.01, top - 0.02, top + 0.02, CHROME)
    k.box(
        middle - wide + 0.005,
        middle + wide - 0.005,
        front - 0.012,
        front - 0.01,
        top - 0.015,
        top + 0.015,
        WHITE,
    )
    low = z0 + 0.42 * (z1 - z0)
    k.path(
        [
            (middle - wide, front, low),
            (middle - wide, front - 0.02, low - 0.01),
            (middle + wide, front - 0.02, low - 0.01),
            (middle + wide, front, low),
        ],
        0.008,
        CHROME,
        4,
    )


def _filing(k: Kit, rows: int, columns: int, low: float) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.02, y, low, z, k.dark)
    wide, tall = 2 * x / columns, (z - low - 0.02) / rows
    for i in range(columns):
        for j in range(rows):
            left = -x + i * wide
            _file_drawer(
                k,
                left + 0.012,
                left + wide - 0.012,
                low + 0.01 + j * tall,
                low + 0.01 + (j + 1) * tall - 0.012,
            )


@part("filing cabinet")
def steel_filing_cabinet(k: Kit) -> None:
    """Deep steel drawers above each other, each with a label and a pull."""
    _filing(k, max(2, min(5, round(k.z / 0.33))), 1, 0.02)
    k.box(-k.x + 0.03, k.x - 0.03, -k.y + 0.05, k.y, 0, 0.02, DARK)


@part("filing cabinet")
def rolling_filing_cabinet(k: Kit) -> None:
    """A case on castors: two shallow drawers over a deep one, and a lock."""
    x, y, z = k.x, k.y, k.z
    low = 0.07
    k.soft(-x, x, -y + 0.02, y, low, z, 0.012, k.dark)
    for z0, z1 in ((low + 0.01, 0.54 * z), (0.55 * z, 0.76 * z), (0.77 * z, z - 0.02)):
        _file_drawer(k, -x + 0.012, x - 0.012, z0, z1)
    for sx in (-0.8, 0.8):
        for sy in (-0.75, 0.75):
            k.ball((sx * x, sy * y, 0.035), 0.035, BLACK, 7)
    k.disc((0.8 * x, -y + 0.01, z - 0.05), 0.012, 0.01, CHROME, 8)


@part("filing cabinet")
def card_filing_cabinet(k: Kit) -> None:
    """Two columns of drawers with labels on a plinth, one of them pulled out with folders."""
    x, y, z = k.x, k.y, k.z
    rows = max(3, min(5, round(k.z / 0.28)))
    _filing(k, rows, 2, 0.06)
    k.box(-x + 0.02, x - 0.02, -y + 0.05, y, 0, 0.06, DARK)
    tall = (z - 0.08) / rows
    level = 0.07 + (rows - 2) * tall
    k.soft(0.02, x - 0.012, -y - 0.14, -y - 0.12, level, level + 0.9 * tall, 0.005)
    k.box(0.03, x - 0.03, -y - 0.12, -y + 0.05, level, level + 0.4 * tall, STEEL)
    for i in range(4):
        k.box(
            0.04,
            x - 0.04,
            -y - 0.1 + 0.03 * i,
            -y - 0.095 + 0.03 * i,
            level + 0.4 * tall,
            level + (0.8 - 0.06 * (i % 2)) * tall,
            Paint(232, 204, 140),
        )


def _scribbles(k: Kit, x0: float, x1: float, z0: float, z1: float, front: float) -> None:
    """What somebody drew with coloured pens."""
    panel = shapes.quad((x0, front, z0), (x1, front, z0), (x1, front, z1), (x0, front, z1))
    drawn = picture("scribbles", f"{k.item.id} {x0:.2f}", round(x1 - x0, 2), round(z1 - z0, 2))
    k.printed(panel, drawn, looking(Paint(246, 247, 248), "gloss"))


def _marker_tray(k: Kit, z: float) -> None:
    x, y = k.x, k.y
    k.box(-0.45 * x, 0.45 * x, -y, 0.2 * y, z, z + 0.012, STEEL)
    for i, tint in enumerate(("red", "blue", "green", "black")):
        at = (-0.3 + 0.16 * i) * x
        k.tube((at, -0.6 * y, z + 0.02), (at + 0.12 * x, -0.6 * y, z + 0.02), 0.008, paint(tint), 6)
    k.soft(0.33 * x, 0.43 * x, -0.95 * y, -0.2 * y, z + 0.012, z + 0.035, 0.005, DARK)


def _board(k: Kit, low: float) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(
        -x + 0.02, x - 0.02, -0.1 * y, 0.6 * y, low + 0.02, z - 0.02, looking(Paint(246, 247, 248), "gloss")
    )
    k.frame((-x, x), (-0.5 * y, y), (low, z), 0.025, k.dark)


@part("whiteboard")
def whiteboard(k: Kit) -> None:
    """A white panel in a thin frame with coloured drawings, pens and a wiper on a tray."""
    x, y, z = k.x, k.y, k.z
    _board(k, 0.04 * z)
    _scribbles(k, -0.9 * x, 0.9 * x, 0.12 * z, 0.95 * z, -0.12 * y)
    _marker_tray(k, 0.0)


@part("whiteboard")
def whiteboard_with_notes(k: Kit) -> None:
    """A white panel in a frame with coloured notes stuck on it and a drawing."""
    x, y, z = k.x, k.y, k.z
    _board(k, 0.04 * z)
    _scribbles(k, -0.9 * x, 0.2 * x, 0.12 * z, 0.95 * z, -0.12 * y)
    tints = (Paint(250, 226, 90), Paint(246, 150, 170), Paint(150, 210, 240), Paint(176, 226, 130))
    for i in range(3):
        for j in range(3):
            left, low = (0.3 + 0.22 * i) * x, (0.18 + 0.26 * j) * z
            k.box(left, left + 0.18 * x, -0.2 * y, -0.1 * y, low, low + 0.18 * x, tints[(i + 2 * j) % 4])
    _marker_tray(k, 0.0)


@part("whiteboard")
def split_whiteboard(k: Kit) -> None:
    """Two white panels that slide over each other on rails, both with drawings."""
    x, y, z = k.x, k.y, k.z
    _board(k, 0.04 * z)
    k.box(0.0, 0.96 * x, -0.35 * y, -0.2 * y, 0.07 * z, 0.97 * z, looking(Paint(246, 247, 248), "gloss"))
    k.frame((-0.01, 0.97 * x), (-0.4 * y, -0.15 * y), (0.06 * z, 0.98 * z), 0.015, k.dark)
    _scribbles(k, 0.05 * x, 0.9 * x, 0.12 * z, 0.92 * z, -0.37 * y)
    _scribbles(k, -0.92 * x, -0.08 * x, 0.12 * z, 0.92 * z, -0.12 * y)
    _marker_tray(k, 0.0)


def _boat(x: float, y: float) -> shapes.Outline:
    n = 10
    low = [(-x + 2 * x * i / n, -y * (0.72 + 0.28 * (1 - (2 * i / n - 1) ** 2))) for i in range(n + 1)]
    return [*low, *((-a, -b) for a, b in low)]


def _cable_box(k: Kit) -> None:
    k.box(-0.09, 0.09, -0.05, 0.05, k.z, k.z + 0.002, BLACK)


@part("conference table")
def boat_conference_table(k: Kit) -> None:
    """A very long table with bowed sides on two broad panel feet."""
    x, y, z = k.x, k.y, k.z
    k.slab(_boat(x, y), z - 0.04, z)
    k.slab(_boat(0.98 * x, 0.97 * y), z - 0.06, z - 0.04, k.dark)
    for side in (-1, 1):
        k.soft(
            side * 0.55 * x - 0.05, side * 0.55 * x + 0.05, -0.6 * y, 0.6 * y, 0.03, z - 0.06, 0.01, k.dark
        )
        k.soft(side * 0.55 * x - 0.12, side * 0.55 * x + 0.12, -0.7 * y, 0.7 * y, 0, 0.04, 0.01, DARK)
    k.box(-0.5 * x, 0.5 * x, -0.03, 0.03, 0.3 * z, 0.5 * z, k.dark)
    _cable_box(k)


@part("conference table")
def round_ended_conference_table(k: Kit) -> None:
    """A long table with round ends on two drum feet."""
    x, y, z = k.x, k.y, k.z
    k.slab(shapes.rounded(-x, x, -y, y, y, 6), z - 0.035, z)
    for side in (-1, 1):
        k.lathe(
            [(0, 0), (0.3, 0), (0.26, 0.06 * z), (0.2, 0.1 * z), (0.2, z - 0.035)],
            DARK,
            (side * 0.5 * x, 0),
            14,
        )
    _cable_box(k)


@part("conference table")
def leg_conference_table(k: Kit) -> None:
    """A long thick top on steel legs in pairs with a beam between them."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.05, z, 0.012)
    for at in (-0.82, 0.0, 0.82):
        for side in (-1, 1):
            k.tube((at * x, side * 0.85 * y, 0), (at * x, side * 0.7 * y, z - 0.05), 0.03, STEEL, 8)
        k.box(at * x - 0.03, at * x + 0.03, -0.72 * y, 0.72 * y, z - 0.1, z - 0.05, STEEL)
    k.box(-0.82 * x, 0.82 * x, -0.03, 0.03, z - 0.1, z - 0.05, STEEL)
    _cable_box(k)
