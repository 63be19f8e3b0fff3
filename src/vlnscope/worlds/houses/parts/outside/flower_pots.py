"""Pots with flowers."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    LEAF,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking

_PETALS = ("red", "yellow", "pink", "orange", "lavender", "white")


def _bloom(k: Kit, at: shapes.Point, size: float, tint: Paint, petals: int = 5) -> None:
    """A flower seen from above and the side: petals around a yellow heart."""
    x, y, z = at
    for i in range(petals):
        a = math.tau * i / petals
        c, s = math.cos(a), math.sin(a)
        tip = (x + 0.9 * size * c, y + 0.9 * size * s, z + 0.45 * size)
        line = [(x, y, z), (x + 0.6 * size * c, y + 0.6 * size * s, z + 0.2 * size), tip]
        k.add(shapes.blade(line, [0.12 * size, 0.4 * size, 0.16 * size], (-s, c, 0)), tint)
    k.ball((x, y, z + 0.2 * size), (0.26 * size, 0.26 * size, 0.2 * size), Paint(240, 196, 60), 5)


def _flowers(k: Kit, low: float, count: int, reach: float) -> None:
    """Leaves and a bunch of blooms up to the top of the item."""
    x, y, z = k.x, k.y, k.z
    tint = paint(_PETALS[int(k.rng.integers(len(_PETALS)))])
    for i in range(10):
        a = math.tau * i / 10
        c, s = math.cos(a), math.sin(a)
        rise = (0.25 + 0.3 * (i % 2)) * (z - low)
        line = [
            (0.1 * x * c, 0.1 * y * s, low),
            (0.6 * reach * x * c, 0.6 * reach * y * s, low + rise),
            (reach * x * c, reach * y * s, low + 0.7 * rise),
        ]
        k.add(shapes.blade(line, [0.04 * x, 0.22 * x, 0.0], (-s, c, 0)), LEAF if i % 2 else shade(LEAF, 1.2))
    for i in range(count):
        a = i * 2.399
        out = 0.72 * reach * math.sqrt((i + 0.3) / count)
        top = (out * x * math.cos(a), out * y * math.sin(a), z - 0.06 * z - 0.3 * (z - low) * out / reach)
        k.tube((0.2 * top[0], 0.2 * top[1], low), top, 0.006, LEAF, 3)
        _bloom(k, top, 0.36 * min(x, y), tint if i % 3 else shade(tint, 1.25))


@part("flower pot")
def clay_flower_pot(k: Kit) -> None:
    """A conical pot with a rim, leaves and a bunch of flowers."""
    z = k.z
    tall = 0.45 * z
    k.round([(0, 0), (0.55, 0), (0.74, 0.34), (0.82, 0.34), (0.84, 0.45), (0.72, 0.45), (0.7, 0.4)], None, 16)
    k.round([(0.72, 0.41), (0, 0.42)], looking(Paint(70, 50, 36), "soil"), 12)
    _flowers(k, 0.92 * tall, 6, 1.0)


@part("flower pot")
def bellied_flower_pot(k: Kit) -> None:
    """A round glazed pot on a foot with leaves and flowers."""
    look = looking(k.main, "gloss") if k.item.material == "ceramic" else k.main
    k.round(
        [(0, 0), (0.45, 0), (0.4, 0.05), (0.78, 0.18), (0.86, 0.3), (0.7, 0.42), (0.76, 0.46), (0.64, 0.46)],
        look,
        16,
    )
    k.round([(0.66, 0.43), (0, 0.44)], looking(Paint(70, 50, 36), "soil"), 12)
    _flowers(k, 0.43 * k.z, 6, 0.96)


@part("flower pot")
def square_flower_pot(k: Kit) -> None:
    """A square planter with a panel on each side, leaves and flowers."""
    x, y, z = k.x, k.y, k.z
    top = 0.46 * z
    k.frustum((-0.62 * x, 0.62 * x, -0.62 * y, 0.62 * y), (-0.8 * x, 0.8 * x, -0.8 * y, 0.8 * y), 0, top)
    for a, b, c, d in (
        (-0.85, 0.85, -0.85, -0.7),
        (-0.85, 0.85, 0.7, 0.85),
        (-0.85, -0.7, -0.85, 0.85),
        (0.7, 0.85, -0.85, 0.85),
    ):
        k.soft(a * x, b * x, c * y, d * y, top - 0.05 * z, top, 0.008, k.dark)
    k.box(-0.7 * x, 0.7 * x, -0.7 * y, 0.7 * y, 0.9 * top, 0.97 * top, looking(Paint(70, 50, 36), "soil"))
    _flowers(k, 0.95 * top, 6, 1.0)
