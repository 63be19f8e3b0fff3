"""Fountains and mailboxes."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    STEEL,
    WHITE,
    WOOD,
    Kit,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking

_WATER = looking(Paint(120, 180, 200), "water")


def _basin(k: Kit, radius: float, low: float, high: float, sides: int = 18) -> None:
    """A round pool with a broad rim, full of water."""
    k.lathe(
        [
            (0, low),
            (0.92, low),
            (0.94, high - 0.06),
            (1, high - 0.04),
            (1, high),
            (0.86, high),
            (0.84, high - 0.06),
        ],
        None,
        (0, 0),
        sides,
        (radius * k.x, radius * k.y),
    )
    k.lathe([(0.86, high - 0.035), (0, high - 0.03)], _WATER, (0, 0), sides, (radius * k.x, radius * k.y))


def _falls(k: Kit, r0: float, z0: float, r1: float, z1: float, count: int) -> None:
    """Thin arcs of water from a rim to the pool below."""
    for i in range(count):
        a = math.tau * i / count
        c, s = math.cos(a) * k.x, math.sin(a) * k.y
        k.path(
            [
                (r0 * c, r0 * s, z0),
                ((r0 + 0.7 * (r1 - r0)) * c, (r0 + 0.7 * (r1 - r0)) * s, z0 - 0.1 * (z0 - z1)),
                (r1 * c, r1 * s, z1),
            ],
            0.012,
            Paint(206, 230, 240),
            4,
        )


def _jet(k: Kit, low: float) -> None:
    k.lathe(
        [(0.02, low), (0.03, low + 0.5 * (k.z - low)), (0.012, k.z), (0, k.z)], Paint(214, 236, 244), sides=6
    )


@part("fountain")
def tiered_fountain(k: Kit) -> None:
    """A pool with two bowls one above the other on a column, water that falls from each."""
    z = k.z
    _basin(k, 1.0, 0.0, 0.24 * z)
    k.lathe([(0.16, 0.1 * z), (0.1, 0.3 * z), (0.14, 0.4 * z), (0.1, 0.5 * z)], None, (0, 0), 12, (k.x, k.y))
    k.lathe(
        [(0.1, 0.46 * z), (0.4, 0.5 * z), (0.56, 0.58 * z), (0.5, 0.58 * z), (0, 0.54 * z)],
        None,
        (0, 0),
        16,
        (k.x, k.y),
    )
    k.lathe([(0.51, 0.57 * z), (0, 0.575 * z)], _WATER, (0, 0), 16, (k.x, k.y))
    k.lathe(
        [
            (0.08, 0.55 * z),
            (0.06, 0.74 * z),
            (0.2, 0.78 * z),
            (0.3, 0.84 * z),
            (0.26, 0.84 * z),
            (0, 0.8 * z),
        ],
        None,
        (0, 0),
        12,
        (k.x, k.y),
    )
    _falls(k, 0.3, 0.84 * z, 0.44, 0.57 * z, 8)
    _falls(k, 0.56, 0.58 * z, 0.74, 0.22 * z, 10)
    _jet(k, 0.82 * z)


@part("fountain")
def statue_fountain(k: Kit) -> None:
    """A pool with a fish on a column that spouts water."""
    z = k.z
    _basin(k, 1.0, 0.0, 0.26 * z)
    k.lathe(
        [(0.26, 0.1 * z), (0.22, 0.3 * z), (0.3, 0.36 * z), (0.2, 0.42 * z), (0, 0.42 * z)],
        None,
        (0, 0),
        12,
        (k.x, k.y),
    )
    body = [
        (0, 0.25 * k.y, 0.42 * z),
        (0, 0.05 * k.y, 0.5 * z),
        (0, 0.1 * k.y, 0.66 * z),
        (0, -0.05 * k.y, 0.8 * z),
        (0, -0.2 * k.y, 0.84 * z),
    ]
    k.path(body, [0.05, 0.11, 0.14, 0.13, 0.06], k.dark, 8)
    k.add(shapes.blade([(0, 0.2 * k.y, 0.44 * z), (0, 0.45 * k.y, 0.5 * z)], [0.05, 0.2], (1, 0, 0)), k.dark)
    k.path(
        [
            (0, -0.22 * k.y, 0.86 * z),
            (0, -0.4 * k.y, z),
            (0, -0.6 * k.y, 0.8 * z),
            (0, -0.72 * k.y, 0.24 * z),
        ],
        0.02,
        Paint(206, 230, 240),
        5,
    )


@part("fountain")
def pool_fountain(k: Kit) -> None:
    """A low eight-sided pool with a high jet in its middle and a ring of small ones."""
    z = k.z
    _basin(k, 1.0, 0.0, 0.32 * z, 8)
    k.lathe([(0.12, 0.2 * z), (0.2, 0.36 * z), (0.26, 0.4 * z), (0, 0.38 * z)], None, (0, 0), 10, (k.x, k.y))
    _jet(k, 0.38 * z)
    for i in range(8):
        a = math.tau * i / 8
        c, s = math.cos(a) * k.x, math.sin(a) * k.y
        k.path(
            [
                (0.7 * c, 0.7 * s, 0.28 * z),
                (0.6 * c, 0.6 * s, 0.6 * z),
                (0.42 * c, 0.42 * s, 0.68 * z),
                (0.22 * c, 0.22 * s, 0.4 * z),
            ],
            0.013,
            Paint(206, 230, 240),
            4,
        )
    _falls(k, 0.03, 0.9 * z, 0.16, 0.42 * z, 6)


@part("mailbox")
def american_mailbox(k: Kit) -> None:
    """A box with a round top on a post, a door with a grip and a red flag at its side."""
    x, y, z = k.x, k.y, k.z
    low = 0.72 * z
    k.box(-0.22 * x, 0.22 * x, -0.22 * x, 0.22 * x, 0, low, looking(WOOD, "wood"))
    arc = [
        (0.8 * x * math.cos(a), low + 0.5 * (z - low) + 0.48 * (z - low) * math.sin(a))
        for a in (math.pi * i / 8 for i in range(9))
    ]
    k.plate([(0.8 * x, low), *arc, (-0.8 * x, low)], -y, y)
    k.plate(
        [(a * 1.03, low + (b - low) * 1.02) for a, b in [(0.8 * x, low), *arc, (-0.8 * x, low)]],
        -1.03 * y,
        -0.94 * y,
        k.dark,
    )
    k.tube(
        (-0.15 * x, -1.08 * y, low + 0.75 * (z - low)),
        (0.15 * x, -1.08 * y, low + 0.75 * (z - low)),
        0.012,
        CHROME,
        5,
    )
    k.box(0.8 * x, 0.88 * x, -0.5 * y, -0.42 * y, low + 0.3 * (z - low), 0.99 * z, paint("red"))
    k.box(0.8 * x, 0.9 * x, -0.5 * y, -0.1 * y, low + 0.7 * (z - low), 0.99 * z, paint("red"))
    k.box(-0.9 * x, -0.8 * x, -0.5 * y, -0.45 * y, low + 0.1 * (z - low), low + 0.12 * (z - low), STEEL)


@part("mailbox")
def post_mailbox(k: Kit) -> None:
    """A box with a sloped roof, a slot and a lock on a steel post with a foot."""
    x, y, z = k.x, k.y, k.z
    low, eaves = 0.62 * z, 0.94 * z
    k.box(-0.12 * x, 0.12 * x, -0.12 * x, 0.12 * x, 0, low, STEEL)
    k.soft(-0.5 * x, 0.5 * x, -0.9 * y, 0.9 * y, 0, 0.02, 0.005, DARK)
    k.box(-0.92 * x, 0.92 * x, -0.85 * y, 0.9 * y, low, eaves)
    k.frustum((-x, x, -y, y), (-x, x, -0.1 * y, y), eaves, z, k.dark)
    k.box(
        -0.6 * x, 0.6 * x, -0.88 * y, -0.85 * y, low + 0.74 * (eaves - low), low + 0.82 * (eaves - low), BLACK
    )
    k.box(
        -0.66 * x,
        0.66 * x,
        -0.95 * y,
        -0.85 * y,
        low + 0.82 * (eaves - low),
        low + 0.87 * (eaves - low),
        k.light,
    )
    letter = [
        (-0.3 * x, low + 0.1 * z),
        (0.3 * x, low + 0.1 * z),
        (0.3 * x, low + 0.17 * z),
        (-0.3 * x, low + 0.17 * z),
    ]
    k.plate(letter, -0.89 * y, -0.86 * y, WHITE)
    k.plate(
        [(-0.3 * x, low + 0.17 * z), (0.0, low + 0.125 * z), (0.3 * x, low + 0.17 * z)],
        -0.91 * y,
        -0.89 * y,
        Paint(206, 206, 200),
    )
    k.disc((0, -0.86 * y, low + 0.05 * z), 0.015, 0.01, BRASS, 8)


@part("mailbox")
def round_mailbox(k: Kit) -> None:
    """A pillar box: a tall drum with a cap, a slot, a plate and a black foot."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (0.92, 0), (0.92, 0.1), (0.86, 0.12)], BLACK, 16)
    k.round([(0.86, 0.12), (0.86, 0.82), (1, 0.84), (1, 0.88), (0.8, 0.95), (0.3, 0.99), (0, 1)], None, 16)
    k.box(-0.5 * x, 0.5 * x, -0.9 * y, -0.6 * y, 0.7 * z, 0.735 * z, BLACK)
    k.box(-0.35 * x, 0.35 * x, -0.9 * y, -0.7 * y, 0.48 * z, 0.62 * z, WHITE)
    k.path(
        [
            (-0.5 * x, -0.74 * y, 0.16 * z),
            (-0.5 * x, -0.76 * y, 0.44 * z),
            (0.5 * x, -0.76 * y, 0.44 * z),
            (0.5 * x, -0.74 * y, 0.16 * z),
        ],
        0.006,
        k.dark,
        4,
    )
