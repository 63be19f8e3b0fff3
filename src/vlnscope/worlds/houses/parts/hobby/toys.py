"""Doll houses."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import WHITE, Kit, part

_ROOMS = (Paint(250, 214, 170), Paint(190, 220, 240), Paint(244, 190, 206), Paint(200, 230, 190))


def _storeys(k: Kit, eaves: float, floors: int) -> None:
    """Open rooms side by side on floors, each papered in its own colour and with small furniture."""
    x, y = k.x, 0.94 * k.y
    tall = eaves / floors
    for i in range(floors + 1):
        k.box(-x, x, -y, y, max(0.0, i * tall - 0.012), i * tall + 0.012)
    for at in (-0.97 * x, 0.0, 0.97 * x):
        k.box(at - 0.012, at + 0.012, -y, y, 0, eaves)
    for i in range(floors):
        for j in range(2):
            left, low = (j - 1) * x, i * tall
            k.box(left + 0.012, left + x - 0.012, y - 0.012, y, low, low + tall, _ROOMS[(2 * i + j) % 4])
            _window(k, left + 0.5 * x, low + 0.6 * tall, 0.16 * x, 0.16 * tall, y - 0.014)
            _furniture(k, left + 0.5 * x, low + 0.012, 0.34 * x, tall, (2 * i + j) % 4)


def _window(k: Kit, x: float, z: float, wide: float, tall: float, front: float) -> None:
    k.box(x - wide, x + wide, front - 0.003, front, z - tall, z + tall, Paint(150, 200, 236))
    k.frame((x - wide, x + wide), (front - 0.006, front), (z - tall, z + tall), 0.2 * wide, WHITE)
    k.box(x - 0.08 * wide, x + 0.08 * wide, front - 0.005, front, z - tall, z + tall, WHITE)


def _furniture(k: Kit, x: float, z: float, wide: float, tall: float, kind: int) -> None:
    y, look = 0.3 * k.y, paint(("red", "blue", "purple", "orange")[kind])
    if kind % 2:
        k.box(x - wide, x + wide, -y, y, z + 0.2 * tall, z + 0.24 * tall, look)
        for side in (-0.85, 0.85):
            k.box(x + side * wide - 0.01, x + side * wide + 0.01, -0.8 * y, 0.8 * y, z, z + 0.2 * tall, look)
    else:
        k.box(x - wide, x + wide, -y, y, z, z + 0.16 * tall, look)
        k.box(x - wide, x - 0.8 * wide, -y, y, z, z + 0.34 * tall, shade(look, 0.8))
        k.box(x - 0.75 * wide, x - 0.4 * wide, -0.8 * y, 0.8 * y, z + 0.16 * tall, z + 0.22 * tall, WHITE)


def _roof(k: Kit, eaves: float, ridge: float, look: Paint, overhang: float) -> None:
    x, y = k.x, k.y
    for side in (-1, 1):
        low = sorted((side * x, side * (x - 0.05)))
        high = sorted((side * 0.06, -side * 0.0))
        k.frustum((low[0], low[1], -y, y), (high[0], high[1], -y, y), eaves - overhang, ridge, look)


@part("doll house")
def gabled_doll_house(k: Kit) -> None:
    """An open house with two floors of coloured rooms, small furniture, a pitched roof and a chimney."""
    z = k.z
    eaves, roof = 0.68 * z, paint("red")
    _storeys(k, eaves, 2)
    k.plate([(-k.x, eaves), (k.x, eaves), (0, 0.98 * z)], 0.8 * k.y, 0.94 * k.y, _ROOMS[0])
    _window(k, 0, 0.78 * z, 0.12 * k.x, 0.05 * z, 0.79 * k.y)
    _roof(k, eaves, 0.98 * z, roof, 0.02 * z)
    k.box(0.4 * k.x, 0.55 * k.x, 0.1 * k.y, 0.4 * k.y, 0.8 * z, z, Paint(158, 92, 72, 6))


@part("doll house")
def flat_doll_house(k: Kit) -> None:
    """An open house with three floors of coloured rooms under a low roof with a parapet."""
    z = k.z
    eaves = 0.88 * z
    _storeys(k, eaves, 3)
    k.soft(-k.x - 0.01, k.x + 0.01, -k.y, k.y, eaves, 0.93 * z, 0.01, paint("teal"))
    k.plate(
        [(-0.6 * k.x, 0.93 * z), (0.6 * k.x, 0.93 * z), (0.4 * k.x, z), (-0.4 * k.x, z)],
        -0.9 * k.y,
        0.9 * k.y,
        paint("teal"),
    )


@part("doll house")
def front_doll_house(k: Kit) -> None:
    """A closed front with a door, windows with shutters, a pitched roof with a dormer and a chimney."""
    x, y, z = k.x, k.y, k.z
    eaves, roof = 0.62 * z, Paint(96, 110, 136)
    k.box(-0.95 * x, 0.95 * x, -0.9 * y, 0.9 * y, 0, eaves)
    k.plate([(-0.95 * x, eaves), (0.95 * x, eaves), (0, 0.96 * z)], -0.9 * y, 0.9 * y)
    _roof(k, eaves, 0.98 * z, roof, 0.03 * z)
    for sx in (-0.55, 0.55):
        for level in (0.18, 0.45):
            _window(k, sx * x, level * z, 0.17 * x, 0.08 * z, -0.9 * y)
            for side in (-1, 1):
                at = sx * x + side * 0.25 * x
                k.box(
                    at - 0.06 * x,
                    at + 0.06 * x,
                    -0.93 * y,
                    -0.9 * y,
                    (level - 0.09) * z,
                    (level + 0.09) * z,
                    paint("green"),
                )
    _window(k, 0, 0.45 * z, 0.15 * x, 0.08 * z, -0.9 * y)
    _window(k, 0, 0.72 * z, 0.14 * x, 0.07 * z, -0.9 * y)
    k.box(-0.16 * x, 0.16 * x, -0.93 * y, -0.9 * y, 0.0, 0.26 * z, paint("red"))
    k.box(-0.24 * x, 0.24 * x, -y, -0.9 * y, 0.0, 0.02 * z, WHITE)
    k.box(-0.24 * x, 0.24 * x, -y, -0.9 * y, 0.28 * z, 0.31 * z, WHITE)
    k.ball((0.1 * x, -0.95 * y, 0.12 * z), 0.01, paint("gold"), 5)
    k.box(0.45 * x, 0.6 * x, -0.1 * y, 0.2 * y, 0.75 * z, z, Paint(158, 92, 72, 6))
