"""Parasols, swings, fountains, flower pots and mailboxes."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    LEAF,
    STEEL,
    WHITE,
    WOOD,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking

_WATER = looking(Paint(120, 180, 200), "water")
_PETALS = ("red", "yellow", "pink", "orange", "lavender", "white")


def _canopy(k: Kit, panels: int, low: float, top: float, valance: float, second: Paint) -> None:
    """Cloth panels around a tip, in two tones, with a strip that hangs from the edge."""
    x, y = k.x, k.y
    cloth = k.main._replace(texture=5)

    def rim(i: float, out: float) -> tuple[float, float]:
        a = math.tau * (i + 0.5) / panels
        return out * x * math.cos(a), out * y * math.sin(a)

    for i in range(panels):
        tone = cloth if i % 2 else second
        rows = ((1.0, low), (0.55, low + 0.62 * (top - low)), (0.0, top))
        for (r, z0), (s, z1) in itertools.pairwise(rows):
            a, b, c, d = rim(i, r), rim(i + 1, r), rim(i + 1, s), rim(i, s)
            k.add(shapes.facet((*a, z0), (*b, z0), (*c, z1), (*d, z1)), tone)
            k.tube((*a, z0 - 0.01), (*d, z1 - 0.01), 0.008, WOOD, 3)
        if valance:
            a, b = rim(i, 1.0), rim(i + 1, 1.0)
            k.add(
                shapes.quad((*a, low - valance), (*b, low - valance), (*b, low), (*a, low)), shade(tone, 0.9)
            )


def _parasol_foot(k: Kit, look: Paint) -> None:
    k.lathe([(0, 0), (0.26, 0), (0.26, 0.05), (0.08, 0.09), (0.05, 0.3), (0, 0.3)], look, sides=14)


@part("parasol")
def market_parasol(k: Kit) -> None:
    """A wooden pole in a heavy foot, an eight-sided canopy with ribs and a knob."""
    z = k.z
    _parasol_foot(k, paint("grey", "stone"))
    k.tube((0, 0, 0.05), (0, 0, z - 0.05), 0.026, WOOD, 8)
    _canopy(k, 8, 0.8 * z, z - 0.06, 0.0, k.main._replace(texture=5))
    k.ball((0, 0, z - 0.04), 0.04, WOOD, 7)


@part("parasol")
def striped_parasol(k: Kit) -> None:
    """A beach parasol with panels in two colours and a valance."""
    z = k.z
    _parasol_foot(k, WHITE)
    k.tube((0, 0, 0.05), (0, 0, z - 0.04), 0.022, WHITE, 8)
    pale = Paint(240, 236, 226, 5) if sum(k.main[:3]) < 560 else paint("navy", "fabric")
    _canopy(k, 10, 0.82 * z, z - 0.04, 0.09, pale)
    k.ball((0, 0, z - 0.03), 0.03, WHITE, 6)


@part("parasol")
def square_parasol(k: Kit) -> None:
    """A four-sided canopy with a vent on a steel pole over a cross of slabs."""
    x, y, z = k.x, k.y, k.z
    for a, b, c, d in ((-0.45, 0.45, -0.16, 0.16), (-0.16, 0.16, -0.45, 0.45)):
        k.box(a, b, c, d, 0, 0.05, paint("grey", "stone"))
    k.tube((0, 0, 0.05), (0, 0, z - 0.06), 0.028, STEEL, 8)
    cloth = k.main._replace(texture=5)
    k.frustum((-x, x, -y, y), (-0.1 * x, 0.1 * x, -0.1 * y, 0.1 * y), 0.8 * z, 0.96 * z, cloth)
    k.frustum(
        (-0.26 * x, 0.26 * x, -0.26 * y, 0.26 * y), (-0.02, 0.02, -0.02, 0.02), 0.95 * z, z, shade(cloth, 0.9)
    )
    for side, a, b in both_sides(x, x - 0.005):
        k.box(a, b, -y, y, 0.77 * z, 0.8 * z, shade(cloth, 0.88))
        c, d = sorted((side * y, side * (y - 0.005)))
        k.box(-x, x, c, d, 0.77 * z, 0.8 * z, shade(cloth, 0.88))
        for end in (-1, 1):
            k.tube((0, 0, 0.74 * z), (side * 0.6 * x, end * 0.6 * y, 0.86 * z), 0.01, STEEL, 4)


def _swing_frame(k: Kit, look: Paint) -> None:
    """Two A-shaped ends and a beam."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        at = side * (x - 0.05)
        for end in (-1, 1):
            k.path([(at, end * (y - 0.03), 0), (0.94 * at, end * 0.08, z - 0.04)], 0.035, look, 6)
        k.tube((at, -0.5 * y, 0.45 * z), (at, 0.5 * y, 0.45 * z), 0.022, look, 5)
    k.tube((-0.96 * x, 0, z - 0.04), (0.96 * x, 0, z - 0.04), 0.04, look, 8)


def _hung(k: Kit, points: tuple[tuple[float, float], ...], low: float, look: Paint) -> None:
    for a, b in points:
        k.tube((a, b, low), (a, 0, k.z - 0.05), 0.008, look, 4)


@part("swing")
def board_swing(k: Kit) -> None:
    """Two board seats on ropes below a beam between A-frames."""
    x, z = k.x, k.z
    _swing_frame(k, k.main)
    for i, middle in enumerate((-0.42 * x, 0.42 * x)):
        seat = 0.26 * z
        tint = (paint("red"), paint("blue"))[i]
        k.soft(middle - 0.22, middle + 0.22, -0.09, 0.09, seat, seat + 0.035, 0.008, tint)
        _hung(k, ((middle - 0.19, 0.0), (middle + 0.19, 0.0)), seat, Paint(206, 180, 130))


def _bench_swing(k: Kit, seat: float, half: float, cloth: Paint) -> None:
    deep = 0.34 * k.y
    k.soft(-half, half, -deep, deep, seat, seat + 0.1, 0.03, cloth)
    back = shapes.soft(-half, half, -0.04, 0.04, 0, 0.26 * k.z, 0.03)
    k.add(shapes.turned(back, 0, -14), cloth, (0, deep, seat + 0.06))
    for _, a, b in both_sides(half + 0.03, half - 0.01):
        k.box(a, b, -deep, deep, seat + 0.2, seat + 0.23, DARK)
        k.box(a, b, -deep, -deep + 0.03, seat, seat + 0.2, DARK)
    _hung(k, ((-half, -deep), (half, -deep), (-half, deep), (half, deep)), seat + 0.2, STEEL)


@part("swing")
def canopy_swing(k: Kit) -> None:
    """A padded bench that hangs between A-frames under a cloth roof."""
    x, y, z = k.x, k.y, k.z
    _swing_frame(k, STEEL)
    cloth = k.main._replace(texture=5)
    _bench_swing(k, 0.24 * z, 0.78 * x, cloth)
    k.frustum((-x, x, -0.7 * y, 0.7 * y), (-0.96 * x, 0.96 * x, -0.05, 0.05), z - 0.14, z, shade(cloth, 0.85))
    for side in (-1, 1):
        k.box(-x, x, side * 0.7 * y - 0.005, side * 0.7 * y + 0.005, z - 0.24, z - 0.13, cloth)


@part("swing")
def porch_swing(k: Kit) -> None:
    """A slatted wooden bench on chains below a beam between A-frames."""
    x, y, z = k.x, k.y, k.z
    _swing_frame(k, k.main)
    seat, half, deep = 0.25 * z, 0.7 * x, 0.36 * y
    for i in range(5):
        at = -deep + i * 2 * deep / 5
        k.box(-half, half, at, at + 0.3 * deep, seat, seat + 0.025)
        low = seat + 0.08 + 0.045 * z * i
        k.box(-half, half, deep + 0.05 * i * y * 0.5, deep + 0.05 * i * y * 0.5 + 0.02, low, low + 0.03 * z)
    for _, a, b in both_sides(half, half - 0.04):
        k.box(a, b, -deep, deep, seat - 0.04, seat, k.dark)
        k.box(a, b, deep, deep + 0.12 * y, seat, seat + 0.26 * z, k.dark)
        k.box(a, b, -deep, deep, seat + 0.18, seat + 0.21, k.dark)
        k.box(a, b, -deep, -deep + 0.04, seat, seat + 0.18, k.dark)
    _hung(k, ((-half, -deep), (half, -deep), (-half, deep), (half, deep)), seat + 0.2, STEEL)


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
