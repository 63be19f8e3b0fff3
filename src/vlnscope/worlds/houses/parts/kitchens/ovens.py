"""Ovens and range hoods."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, SCREEN, STEEL, Kit, part

_GREEN_DIGITS = Paint(96, 214, 160)


def _oven_door(k: Kit, z0: float, z1: float, front: float) -> None:
    """A door with a dark window, racks behind it and a bar to pull."""
    x, tall = k.x, z1 - z0
    k.soft(-0.97 * x, 0.97 * x, front, front + 0.03, z0, z1, 0.01)
    k.box(-0.74 * x, 0.74 * x, front - 0.004, front, z0 + 0.16 * tall, z0 + 0.74 * tall, SCREEN)
    for share in (0.34, 0.54):
        k.box(
            -0.7 * x,
            0.7 * x,
            front - 0.006,
            front - 0.004,
            z0 + share * tall,
            z0 + (share + 0.02) * tall,
            STEEL,
        )
    bar = z0 + 0.88 * tall
    k.path(
        [
            (-0.75 * x, front, bar),
            (-0.75 * x, front - 0.035, bar),
            (0.75 * x, front - 0.035, bar),
            (0.75 * x, front, bar),
        ],
        0.012,
        CHROME,
    )


def _dials(k: Kit, count: int, level: float, front: float, radius: float) -> None:
    for i in range(count):
        at = (2 * i / (count - 1) - 1) * 0.78 * k.x
        k.disc((at, front, level), radius, 0.025, STEEL, 10)
        k.box(at - 0.003, at + 0.003, front - 0.028, front - 0.025, level, level + 0.8 * radius, BLACK)


def _housing(k: Kit, z0: float, z1: float) -> None:
    """A tall case with plain doors above and below the part from `z0` to `z1`, on a plinth."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -y + 0.05, y, 0.08, z, k.dark)
    k.box(-x + 0.02, x - 0.02, -y + 0.1, y, 0, 0.08, DARK)
    for low, high, pull in ((0.09, z0 - 0.01, z0 - 0.08), (z1 + 0.01, z - 0.005, z1 + 0.08)):
        if high - low > 0.12:
            k.soft(-x + 0.004, x - 0.004, -y + 0.025, -y + 0.05, low, high, 0.006)
            k.tube((-0.35 * x, -y + 0.01, pull), (0.35 * x, -y + 0.01, pull), 0.009, CHROME, 5)


def _span(k: Kit, tall: float, high: float) -> tuple[float, float]:
    """Where an oven `tall` metres high is in its case: all of it, or up to the share `high` if it is tall."""
    return (0.02, k.z) if k.z < 1.2 else (high * k.z - tall, high * k.z)


def _oven_front(k: Kit, z0: float, z1: float, dials: int) -> None:
    """A door and a strip with a clock and dials above it."""
    x, y, tall = k.x, k.y, z1 - z0
    front = -y + 0.035
    _oven_door(k, z0, z0 + 0.78 * tall, front)
    k.soft(-0.97 * x, 0.97 * x, front, front + 0.03, z0 + 0.8 * tall, z1, 0.006, shade(k.main, 0.9))
    middle = z0 + 0.9 * tall
    k.box(-0.24 * x, 0.24 * x, front - 0.004, front, middle - 0.05 * tall, middle + 0.05 * tall, SCREEN)
    k.box(
        -0.14 * x,
        0.14 * x,
        front - 0.006,
        front - 0.004,
        middle - 0.02 * tall,
        middle + 0.02 * tall,
        _GREEN_DIGITS,
    )
    _dials(k, dials, middle, front, min(0.028, 0.06 * tall))


@part("oven")
def built_in_oven(k: Kit) -> None:
    """A door with a window and a bar, dials beside a clock above; a tall one is built into a case."""
    z0, z1 = _span(k, 0.6, 0.68)
    _housing(k, z0, z1)
    _oven_front(k, z0, z1, 2)


@part("oven")
def double_oven(k: Kit) -> None:
    """Two oven doors one above the other with one strip of dials; a tall one is built into a case."""
    z0, z1 = _span(k, 0.95, 0.8)
    tall = z1 - z0
    _housing(k, z0, z1)
    _oven_door(k, z0, z0 + 0.44 * tall, -k.y + 0.035)
    _oven_front(k, z0 + 0.46 * tall, z1, 4)


@part("oven")
def oven_under_a_microwave(k: Kit) -> None:
    """An oven below a microwave with keys at its side, built into a case if it is tall."""
    x, y = k.x, k.y
    z0, z1 = _span(k, 1.0, 0.82)
    tall = z1 - z0
    _housing(k, z0, z1)
    _oven_front(k, z0, z0 + 0.62 * tall, 2)
    low, front = z0 + 0.65 * tall, -y + 0.035
    k.soft(-0.97 * x, 0.97 * x, front, front + 0.03, low, z1, 0.008)
    k.box(-0.85 * x, 0.4 * x, front - 0.004, front, low + 0.05 * tall, z1 - 0.05 * tall, SCREEN)
    k.box(0.55 * x, 0.88 * x, front - 0.004, front, z1 - 0.1 * tall, z1 - 0.05 * tall, _GREEN_DIGITS)
    for i in range(3):
        for j in range(3):
            left, base = (0.56 + 0.11 * i) * x, low + (0.04 + 0.05 * j) * tall
            k.box(left, left + 0.08 * x, front - 0.004, front, base, base + 0.03 * tall, STEEL)
    k.tube(
        (0.47 * x, front - 0.03, low + 0.05 * tall),
        (0.47 * x, front - 0.03, z1 - 0.05 * tall),
        0.01,
        CHROME,
        6,
    )


@part("range hood")
def pyramid_hood(k: Kit) -> None:
    """A steel pyramid over a rim with lamps, a square chimney up to the ceiling."""
    x, y, z = k.x, k.y, k.z
    rim, body = 0.1 * z, 0.36 * z
    k.box(-x, x, -y, y, 0.012, rim)
    k.frustum((-x, x, -y, y), (-0.34 * x, 0.34 * x, 0.2 * y, y), rim, body)
    k.box(-0.32 * x, 0.32 * x, 0.22 * y, y, body, z, k.light)
    _hood_underside(k)


def _hood_underside(k: Kit) -> None:
    x, y, z = k.x, k.y, k.z
    k.box(-0.95 * x, 0.95 * x, -0.92 * y, 0.9 * y, 0, 0.012, DARK)
    for side in (-0.6, 0.6):
        k.lathe(
            [(0, -0.004), (0.04, -0.002), (0.04, 0.012)], Paint(255, 243, 206, 13), (side * x, -0.5 * y), 8
        )
    for i in range(4):
        at = 0.3 * x + 0.09 * x * i
        k.box(at, at + 0.05 * x, -y - 0.004, -y, 0.035 * z, 0.065 * z, BLACK)


@part("range hood")
def flat_hood(k: Kit) -> None:
    """A flat slab under a round chimney."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, 0.012, 0.14 * z, 0.012)
    k.lathe([(0, 0.12 * z), (1, 0.12 * z), (1, z), (0, z)], k.light, (0, 0.4 * y), 16, (0.32 * x, 0.55 * y))
    k.box(-x, x, -y - 0.004, -y, 0.1 * z, 0.11 * z, DARK)
    _hood_underside(k)


@part("range hood")
def curved_glass_hood(k: Kit) -> None:
    """A chimney with a bent shade spread to both sides."""
    x, y, z = k.x, k.y, k.z
    n = 8
    low = [(-x + 2 * x * i / n, 0.06 * z + 0.14 * z * (1 - (2 * i / n - 1) ** 2)) for i in range(n + 1)]
    k.plate([*low, *((a, b + 0.05 * z) for a, b in reversed(low))], -y, y, Paint(70, 84, 92, 0))
    k.box(-0.34 * x, 0.34 * x, -0.5 * y, y, 0.012, 0.24 * z, k.dark)
    k.box(-0.3 * x, 0.3 * x, 0.1 * y, y, 0.24 * z, z)
    k.frustum((-0.34 * x, 0.34 * x, -0.5 * y, y), (-0.3 * x, 0.3 * x, 0.1 * y, y), 0.24 * z, 0.36 * z)
    k.box(-0.3 * x, 0.3 * x, -0.45 * y, 0.9 * y, 0, 0.012, DARK)
    k.box(-0.2 * x, 0.2 * x, -0.51 * y, -0.5 * y, 0.1 * z, 0.15 * z, _GREEN_DIGITS)
