"""Parasols and swings."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    DARK,
    STEEL,
    WHITE,
    WOOD,
    Kit,
    both_sides,
    part,
)


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
