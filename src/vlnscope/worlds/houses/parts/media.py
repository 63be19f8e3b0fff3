"""Instruments."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    DARK_WOOD,
    WHITE,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.rendering.mesh import TEXTURES

_IVORY = Paint(246, 244, 236, TEXTURES.index("gloss"))


def _keyboard(k: Kit, inner: float, front: float, back: float, z: float) -> None:
    """White and black keys between -inner and inner, before a red strip of felt."""
    count = 28
    wide = 2 * inner / count
    for i in range(count):
        left = -inner + i * wide
        k.box(left + 0.001, left + wide - 0.001, front, back, z - 0.02, z + 0.01, _IVORY)
        if i % 7 not in (2, 6):
            k.box(
                left + 0.7 * wide,
                left + 1.3 * wide,
                front + 0.4 * (back - front),
                back,
                z + 0.01,
                z + 0.028,
                BLACK,
            )
    k.box(-inner, inner, back, back + 0.02, z - 0.02, z + 0.03, Paint(120, 30, 34, TEXTURES.index("velvet")))


def _sheets(k: Kit, y: float, z: float, tall: float) -> None:
    """Two pages of music that lean on the case."""
    for _, a, b in both_sides(0.01, min(0.2, 0.3 * k.x)):
        k.frustum((a, b, y - 0.02, y - 0.015), (a, b, y + 0.01, y + 0.015), z, z + tall, WHITE)


def _upright(k: Kit, keys: float) -> None:
    """The case, the key bed, the keys and the pedals of an upright piano."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, 0.1 * y, y, 0, z - 0.03)
    k.soft(-x - 0.01, x + 0.01, 0.05 * y, y, z - 0.035, z, 0.01)
    k.box(-x, x, -y, 0.1 * y, keys - 0.12 * z, keys - 0.02)
    for _, a, b in both_sides(x, x - 0.06):
        k.soft(a, b, -y, 0.1 * y, keys - 0.02, keys + 0.06, 0.012)
    _keyboard(k, x - 0.07, -0.92 * y, 0.0, keys)
    for i in (-1, 0, 1):
        k.box(0.08 * i - 0.02, 0.08 * i + 0.02, -0.12 * y, 0.12 * y, 0.04, 0.06, BRASS)


@part("piano")
def upright_piano(k: Kit) -> None:
    """An upright piano with plain panels, posts below the keys and a music stand."""
    x, y, z = k.x, k.y, k.z
    keys = 0.57 * z
    _upright(k, keys)
    k.box(-x + 0.06, x - 0.06, 0.08 * y, 0.1 * y, keys + 0.16 * z, 0.92 * z, k.light)
    k.box(-x + 0.06, x - 0.06, 0.08 * y, 0.1 * y, 0.12 * z, keys - 0.16 * z, k.light)
    for _, a, b in both_sides(x, x - 0.06):
        k.box(a, b, -0.95 * y, -0.8 * y, 0.04, keys - 0.1 * z)
        k.box(a, b, -0.95 * y, 0.1 * y, 0, 0.06)
    k.box(-0.4 * x, 0.4 * x, -0.05 * y, 0.08 * y, keys + 0.17 * z, keys + 0.175 * z, k.dark)
    _sheets(k, 0.0, keys + 0.175 * z, 0.18 * z)


@part("piano")
def carved_piano(k: Kit) -> None:
    """An old upright piano: framed panels, turned legs, and candlesticks beside the music."""
    x, y, z = k.x, k.y, k.z
    keys = 0.56 * z
    _upright(k, keys)
    third = (2 * x - 0.12) / 3
    for i in range(3):
        left = -x + 0.06 + i * third
        k.frame(
            (left + 0.02, left + third - 0.02), (0.06 * y, 0.1 * y), (keys + 0.1 * z, 0.92 * z), 0.03, k.dark
        )
        k.frame(
            (left + 0.02, left + third - 0.02), (0.06 * y, 0.1 * y), (0.1 * z, keys - 0.15 * z), 0.03, k.dark
        )
    leg = [
        (0.02, 0.0),
        (0.035, 0.05),
        (0.02, 0.1),
        (0.05, 0.3 * keys),
        (0.022, 0.55 * keys),
        (0.045, keys - 0.12 * z),
    ]
    for side in (-1, 1):
        k.lathe(leg, k.dark, (side * (x - 0.07), -0.82 * y), 10)
        arm = side * 0.62 * x
        k.tube((arm, 0.08 * y, keys + 0.24 * z), (arm, -0.25 * y, keys + 0.24 * z), 0.008, BRASS)
        for radius, low, high, look in ((0.03, 0.24, 0.25, BRASS), (0.012, 0.25, 0.33, WHITE)):
            stick = shapes.cylinder(radius, keys + low * z, keys + high * z, 8)
            k.add(stick, look, (arm, -0.25 * y, 0.0))
    _sheets(k, 0.0, keys + 0.12 * z, 0.2 * z)


@part("piano")
def studio_piano(k: Kit) -> None:
    """A plain modern piano on two side panels, its fall board open."""
    x, y, z = k.x, k.y, k.z
    keys = 0.6 * z
    k.box(-x, x, 0.35 * y, y, 0.08 * z, z - 0.03)
    k.soft(-x, x, 0.3 * y, y, z - 0.04, z, 0.012)
    k.soft(-x, x, -y, 0.4 * y, keys - 0.1 * z, keys - 0.02, 0.015)
    for _, a, b in both_sides(x, x - 0.04):
        k.box(a, b, -0.9 * y, y, 0, keys - 0.1 * z)
        k.soft(a, b, -y, 0.4 * y, keys - 0.02, keys + 0.05, 0.012)
    _keyboard(k, x - 0.05, -0.92 * y, 0.1 * y, keys)
    k.frustum(
        (-x + 0.05, x - 0.05, 0.12 * y, 0.15 * y),
        (-x + 0.05, x - 0.05, 0.26 * y, 0.3 * y),
        keys + 0.01,
        keys + 0.14 * z,
        k.dark,
    )
    k.box(-0.9 * x, 0.9 * x, -0.2 * y, 0.2 * y, 0.0, 0.06, k.dark)
    for i in (-1, 0, 1):
        k.tube((0.09 * i, -0.3 * y, 0.03), (0.09 * i, 0.0, 0.04), 0.012, BRASS, 6)
    _sheets(k, 0.25 * y, keys + 0.16 * z, 0.2 * z)


def _neck(k: Kit, body: float, look: Paint) -> None:
    """The neck with frets, the head with pegs, and the strings from the bridge on."""
    x, y, z = k.x, k.y, k.z
    k.box(-0.12 * x, 0.12 * x, -0.62 * y, -0.3 * y, 0.72 * body, 0.86 * z, DARK_WOOD)
    for i in range(9):
        at = 0.84 * z - (0.84 * z - body) * (i / 9) ** 0.9
        k.box(-0.12 * x, 0.12 * x, -0.65 * y, -0.62 * y, at, at + 0.004, CHROME)
    k.frustum(
        (-0.14 * x, 0.14 * x, -0.55 * y, -0.2 * y), (-0.2 * x, 0.2 * x, -0.4 * y, 0.0), 0.86 * z, z, look
    )
    for side in (-1, 1):
        for i in range(3):
            k.ball((side * 0.24 * x, -0.3 * y, (0.885 + 0.04 * i) * z), (0.06 * x, 0.02, 0.012), CHROME, 5)
    for i in range(6):
        at = (i - 2.5) * 0.035 * x
        k.box(at - 0.0012, at + 0.0012, -0.68 * y, -0.66 * y, 0.3 * body, 0.86 * z, WHITE)


def _stand(k: Kit, body: float) -> None:
    """A rack that the body leans on."""
    x, y = k.x, k.y
    for side in (-1, 1):
        k.tube((side * 0.3 * x, 0.3 * y, 0.25 * body), (side * 0.75 * x, y, 0), 0.012, DARK, 5)
    k.tube((-0.5 * x, -y, 0.02), (0.5 * x, -y, 0.02), 0.012, DARK, 5)


def _waisted(k: Kit, body: float, waist: float, cut: float) -> list[tuple[float, float]]:
    """The outline (x, z) of a body that is narrow at its waist and at one shoulder by `cut`."""
    outline = []
    for i in range(32):
        a = math.tau * i / 32
        v = -math.cos(a)
        shoulder = (0.22 if v > 0.16 else 0.0) * min(1, (v - 0.16) / 0.4)
        notch = cut * math.exp(-((v - 0.8) ** 2) / 0.05) if math.sin(a) > 0 else 0.0
        half = 0.99 * math.sin(a) * (1.0 - waist * math.exp(-((v - 0.16) ** 2) / 0.06) - shoulder - notch)
        outline.append((half * k.x, (v + 1) / 2 * body))
    return outline


def _acoustic(k: Kit, outline: list[tuple[float, float]], body: float, top: Paint) -> None:
    """A hollow body with a hole, a rosette and a bridge."""
    x, y = k.x, k.y
    side = k.main._replace(texture=TEXTURES.index("wood"))
    k.add(shapes.facing_front(shapes.prism(outline, -0.6 * y, 0.35 * y)), side)
    inner = [(px * 0.94, 0.5 * body + (pz - 0.5 * body) * 0.95) for px, pz in outline]
    k.add(shapes.facing_front(shapes.prism(inner, 0.35 * y, 0.38 * y)), top)
    for radius, front, look in ((0.31, 0.40, DARK_WOOD), (0.25, 0.42, BLACK)):
        hole = shapes.facing_front(shapes.cylinder(radius * x, 0.38 * y, front * y, 14))
        k.add(hole, look, (0, 0, 0.64 * body))
    k.box(-0.34 * x, 0.34 * x, -0.5 * y, -0.38 * y, 0.27 * body, 0.32 * body, DARK_WOOD)


@part("guitar")
def acoustic_guitar(k: Kit) -> None:
    """A waisted hollow body with a light top; it leans on a stand."""
    body = 0.46 * k.z
    _acoustic(
        k, _waisted(k, body, 0.26, 0.0), body, shade(k.main._replace(texture=TEXTURES.index("wood")), 1.35)
    )
    _neck(k, body, k.dark)
    _stand(k, body)


@part("guitar")
def cutaway_guitar(k: Kit) -> None:
    """A hollow body with one shoulder cut away and a pick guard, its top in the main colour."""
    x, y = k.x, k.y
    body = 0.46 * k.z
    _acoustic(
        k, _waisted(k, body, 0.2, 0.45), body, shade(k.main._replace(texture=TEXTURES.index("gloss")), 1.1)
    )
    guard = [(0.1 * x, 0.4 * body), (0.5 * x, 0.42 * body), (0.45 * x, 0.6 * body), (0.24 * x, 0.68 * body)]
    k.add(shapes.facing_front(shapes.prism(guard, 0.38 * y, 0.41 * y)), BLACK)
    _neck(k, body, k.dark)
    _stand(k, body)


@part("guitar")
def electric_guitar(k: Kit) -> None:
    """A solid body with two horns, pick-ups, knobs and a white pick guard."""
    x, y = k.x, k.y
    body = 0.44 * k.z
    shape = [
        (0.0, 0.0), (0.5, 0.02), (0.9, 0.16), (1.0, 0.34), (0.82, 0.52), (0.66, 0.62), (0.7, 0.78),
        (0.62, 0.96), (0.45, 0.92), (0.26, 0.76), (0.0, 0.72), (-0.26, 0.76), (-0.45, 0.98), (-0.64, 1.0),
        (-0.72, 0.8), (-0.68, 0.62), (-0.84, 0.5), (-0.99, 0.3), (-0.86, 0.12), (-0.5, 0.01),
    ]  # fmt: skip
    outline = [(px * x, pz * body) for px, pz in shape]
    paint = k.main._replace(texture=TEXTURES.index("gloss"))
    k.add(shapes.facing_front(shapes.prism(outline, -0.1 * y, 0.38 * y)), paint)
    guard = [(px * 0.62, 0.14 * body + pz * 0.66) for px, pz in outline]
    k.add(shapes.facing_front(shapes.prism(guard, 0.38 * y, 0.41 * y)), WHITE)
    for z in (0.34, 0.46, 0.58):
        k.box(-0.2 * x, 0.2 * x, -0.5 * y, -0.41 * y, z * body, (z + 0.05) * body, BLACK)
    k.box(-0.22 * x, 0.22 * x, -0.5 * y, -0.38 * y, 0.2 * body, 0.26 * body, CHROME)
    for z in (0.16, 0.26, 0.36):
        k.add(
            shapes.facing_front(shapes.cylinder(0.07 * x, 0.38 * y, 0.5 * y, 8)),
            CHROME,
            (0.5 * x, 0, z * body),
        )
    _neck(k, body, k.dark)
    _stand(k, body)
