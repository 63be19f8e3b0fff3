"""Bushes and hedges."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import LEAF, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_GREENS = ("green", "olive", "sage", "teal")
_WOOD = looking(Paint(96, 70, 48), "bark")


def _green(k: Kit) -> Paint:
    return looking(k.main if k.item.colour in _GREENS else LEAF, "leaves")


def _stems(k: Kit) -> None:
    for sx, sy in ((0.15, 0.1), (-0.2, 0.05), (0.05, -0.2)):
        k.tube((sx * k.x, sy * k.y, 0), (1.6 * sx * k.x, 1.6 * sy * k.y, 0.4 * k.z), 0.02, _WOOD, 5)


def _clumps(k: Kit, count: int, reach: float, size: float, low: float, high: float) -> None:
    """Round tufts of leaves over an egg-shaped core between two shares of the height."""
    x, y, z = k.x, k.y, k.z
    green = _green(k)
    middle = (low + high) / 2
    k.ball(
        (0, 0, middle * z), (0.9 * reach * x, 0.9 * reach * y, 0.52 * (high - low) * z), shade(green, 0.8), 10
    )
    for i in range(count):
        a, level = i * 2.399, (i + 0.5) / count
        out = reach * math.sqrt(1 - (2 * level - 1) ** 2) + 0.05
        at = (out * x * math.cos(a), out * y * math.sin(a), (low + (high - low) * level) * z)
        r = size * (1.0 + 0.3 * float(k.rng.random()))
        k.ball(at, (r * x, r * y, 0.52 * r * z), shade(green, 0.8 + 0.4 * float(k.rng.random())), 7)


def _blossoms(k: Kit, count: int, reach: float) -> None:
    """Blossoms in the main colour, if this is not green."""
    if k.item.colour in _GREENS:
        return
    x, y, z = k.x, k.y, k.z
    for i in range(count):
        a, level = i * 2.399 + 0.7, (i + 0.5) / count
        out = reach * math.sqrt(1 - (1.6 * level - 0.8) ** 2)
        k.ball(
            (out * x * math.cos(a), out * y * math.sin(a), (0.25 + 0.65 * level) * z),
            0.05 * (x + y) / 1.2,
            k.main,
            5,
        )


@part("bush")
def round_bush(k: Kit) -> None:
    """Clumps of leaves on a few stems, with blossoms unless it is green."""
    _stems(k)
    _clumps(k, 12, 0.66, 0.28, 0.24, 0.82)
    _blossoms(k, 18, 0.92)


@part("bush")
def clipped_bush(k: Kit) -> None:
    """A clipped egg of leaves on a short trunk."""
    x, y, z = k.x, k.y, k.z
    green = _green(k)
    k.tube((0, 0, 0), (0, 0, 0.3 * z), 0.05 * (x + y), _WOOD, 8)
    k.ball((0, 0, 0.58 * z), (x, y, 0.42 * z), green, 14)
    for i in range(16):
        a, level = i * 2.399, (i + 0.5) / 16
        out = 0.82 * math.sqrt(1 - (2 * level - 1) ** 2)
        k.ball(
            (out * x * math.cos(a), out * y * math.sin(a), (0.2 + 0.74 * level) * z),
            (0.2 * x, 0.2 * y, 0.09 * z),
            shade(green, 0.86 + 0.3 * (i % 2)),
            6,
        )
    _blossoms(k, 14, 0.98)


@part("bush")
def spreading_bush(k: Kit) -> None:
    """Several heaps of leaves of unequal heights that grow from one root."""
    x, y, z = k.x, k.y, k.z
    green = _green(k)
    _stems(k)
    for i, (a, b, r, top) in enumerate(
        (
            (0.0, 0.1, 0.6, 1.0),
            (-0.45, -0.2, 0.5, 0.72),
            (0.45, -0.25, 0.52, 0.64),
            (-0.3, 0.45, 0.5, 0.8),
            (0.4, 0.4, 0.5, 0.86),
            (0.0, -0.5, 0.45, 0.5),
        )
    ):
        k.ball(
            (a * x, b * y, 0.5 * top * z + 0.04 * z),
            (r * x, r * y, 0.5 * top * z - 0.02 * z),
            shade(green, (0.85, 1.0, 1.12)[i % 3]),
            8,
        )
        for j in range(3):
            t = math.tau * (j + 0.3 * i) / 3
            k.ball(
                ((a + 0.8 * r * math.cos(t)) * x, (b + 0.8 * r * math.sin(t)) * y, 0.66 * top * z),
                (0.22 * x, 0.22 * y, 0.13 * z),
                shade(green, 0.9 + 0.2 * (j % 2)),
                5,
            )
    _blossoms(k, 12, 0.9)
