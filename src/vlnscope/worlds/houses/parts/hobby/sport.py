"""Things for sport and games."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, CHROME, DARK, STEEL, WHITE, Kit, both_sides, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _sector(inner: float, outer: float, start: float, end: float, front: float) -> shapes.Shape:
    a, b = math.radians(start), math.radians(end)
    corners = [
        (r * math.cos(t), -front, r * math.sin(t))
        for r, t in ((inner, a), (outer, a), (outer, b), (inner, b))
    ]
    return shapes.quad(*corners)


def _dart_face(k: Kit, radius: float, front: float, sides: int = 20) -> None:
    """Twenty wedges black and cream with red and green rings and a bull's eye."""
    cream, red, green = Paint(232, 216, 178), paint("red"), Paint(40, 120, 60)
    at = (0.0, 0.0, k.z / 2)
    for i in range(sides):
        start, end = 360 * (i - 0.5) / sides, 360 * (i + 0.5) / sides
        wedge, ring = (BLACK, red) if i % 2 else (cream, green)
        for inner, outer, look in (
            (0.1, 0.42, wedge),
            (0.42, 0.47, ring),
            (0.47, 0.72, wedge),
            (0.72, 0.78, ring),
        ):
            k.add(_sector(inner * radius, outer * radius, start, end, front), look, at)
    k.disc((0, -front, k.z / 2), 0.1 * radius, 0.004, green, 12)
    k.disc((0, -front - 0.003, k.z / 2), 0.045 * radius, 0.004, red, 10)


def _dart(k: Kit, x: float, z: float, front: float, tint: str) -> None:
    k.tube((x, -front, z), (x, -front - 0.5 * k.y, z + 0.008), 0.005, CHROME, 5)
    for turn in (0, 90):
        flight = shapes.box(-0.016, 0.016, -0.001, 0.001, 0, 0.02)
        k.add(
            shapes.turned(shapes.facing_front(flight), 1, turn),
            paint(tint),
            (x, -front - 0.42 * k.y, z + 0.008),
        )


@part("dart board")
def dart_board(k: Kit) -> None:
    """A round board of wedges with a bull's eye, three darts in it."""
    _plain_dart_board(k, k.main)


@part("dart board")
def wooden_rim_dart_board(k: Kit) -> None:
    """A dart board within a broad red or wooden surround."""
    radius = min(k.x, k.z / 2)
    k.disc((0, k.y, k.z / 2), radius, 0.9 * k.y, looking(k.main, "fabric"), 24)
    _face_on(k, 0.8 * radius)


@part("dart board")
def square_dart_board(k: Kit) -> None:
    """A dart board on a square wooden back."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, 0.1 * y, y, 0, z, 0.01, looking(k.main, "wood"))
    k.frame((-x, x), (0.0, 0.2 * y), (0, z), 0.025, shade(looking(k.main, "wood"), 0.6))
    _face_on(k, 0.86 * min(x, z / 2))


def _plain_dart_board(k: Kit, rim: Paint) -> None:
    radius = min(k.x, k.z / 2)
    k.disc((0, k.y, k.z / 2), radius, 1.2 * k.y, rim, 24)
    _face_on(k, radius)


def _face_on(k: Kit, radius: float) -> None:
    front = 0.3 * k.y
    k.disc((0, k.y, k.z / 2), 0.94 * radius, 1.29 * k.y, BLACK, 24)
    k.add(shapes.facing_front(shapes.ring(0.97 * radius, 0.015 * radius, 20, 4)), STEEL, (0, -front, k.z / 2))
    _dart_face(k, radius, front + 0.001)
    for at, tint in (((0.05, 0.6), "red"), ((-0.1, 0.52), "yellow"), ((0.16, 0.45), "blue")):
        _dart(k, at[0] * 2 * radius, at[1] * k.z, front, tint)


def _dumbbell(k: Kit, at: shapes.Point, length: float, radius: float, look: Paint, sides: int) -> None:
    """A bar along y with a weight at each end."""
    x, y, z = at
    k.tube((x, y - 0.5 * length, z), (x, y + 0.5 * length, z), 0.3 * radius, CHROME, 6)
    for side in (-1, 1):
        low, high = sorted((side * 0.5 * length, side * 0.22 * length))
        k.add(shapes.moved(shapes.facing_front(shapes.cylinder(radius, -high, -low, sides)), x, y, z), look)


def _rack_of(k: Kit, levels: tuple[tuple[float, float], ...], sides: int, look: Paint) -> None:
    """Rows of dumbbells, each row at a height and a depth."""
    x, y, z = k.x, k.y, k.z
    for row, (height, deep) in enumerate(levels):
        count = 4
        wide = 1.8 * x / count
        for i in range(count):
            radius = min(0.4 * wide, (0.1 - 0.012 * row) * z + 0.01)
            _dumbbell(
                k, (-0.9 * x + (i + 0.5) * wide, deep * y, height * z + radius), 0.62 * y, radius, look, sides
            )


@part("dumbbells")
def dumbbell_rack(k: Kit) -> None:
    """A steel rack with two rows of dumbbells."""
    x, y, z = k.x, k.y, k.z
    for _, a, b in both_sides(x, x - 0.05):
        k.add(
            shapes.facing_side(
                shapes.prism(
                    [
                        (-y, 0),
                        (y, 0),
                        (y, 0.06 * z),
                        (0.75 * y, 0.8 * z),
                        (0.45 * y, 0.8 * z),
                        (-y, 0.06 * z),
                    ],
                    a,
                    b,
                )
            ),
            DARK,
        )
    for height, deep in ((0.3, -0.35), (0.78, 0.45)):
        for shift in (-0.2, 0.2):
            k.box(
                -x,
                x,
                (deep + shift) * y - 0.02,
                (deep + shift) * y + 0.02,
                height * z - 0.03,
                height * z,
                DARK,
            )
    _rack_of(k, ((0.3, -0.35), (0.78, 0.45)), 6, k.main)


@part("dumbbells")
def shelf_of_dumbbells(k: Kit) -> None:
    """Three shelves of round dumbbells between two posts."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.box(side * (x - 0.02) - 0.02, side * (x - 0.02) + 0.02, 0.3 * y, y, 0, z, STEEL)
        k.box(side * (x - 0.02) - 0.02, side * (x - 0.02) + 0.02, -y, y, 0, 0.05 * z, STEEL)
    rows = ((0.08, -0.3), (0.42, 0.0), (0.76, 0.3))
    for height, deep in rows:
        k.soft(-x, x, (deep - 0.5) * y, min(1.0, deep + 0.6) * y, height * z - 0.03, height * z, 0.006, DARK)
    _rack_of(k, rows, 8, k.main)


@part("dumbbells")
def dumbbell_tree(k: Kit) -> None:
    """An A-frame with pairs of dumbbells that lie across its arms."""
    x, y, z = k.x, k.y, k.z
    k.box(-x, x, -0.9 * y, -0.75 * y, 0, 0.05 * z, STEEL)
    k.box(-x, x, 0.75 * y, 0.9 * y, 0, 0.05 * z, STEEL)
    for side in (-1, 1):
        k.path([(side * 0.8 * x, -0.8 * y, 0.03 * z), (side * 0.16 * x, -0.5 * y, 0.97 * z)], 0.025, STEEL, 4)
        k.path([(side * 0.8 * x, 0.8 * y, 0.03 * z), (side * 0.16 * x, 0.5 * y, 0.97 * z)], 0.025, STEEL, 4)
        for i, level in enumerate((0.2, 0.46, 0.7)):
            reach = 0.62 - 0.16 * i
            radius = (0.12 - 0.02 * i) * z
            _dumbbell(k, (side * (reach + 0.2) * x, 0, level * z + radius), 1.7 * y, radius, k.main, 8)
    k.box(-0.25 * x, 0.25 * x, -0.55 * y, 0.55 * y, 0.95 * z, z, DARK)


@part("yoga mat")
def flat_yoga_mat(k: Kit) -> None:
    """A thin mat with a border line and marks for hands and feet."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    pale = shade(k.main, 1.45)
    k.slab(shapes.rounded(-x, x, -y, y, 0.04), 0, 0.8 * z)
    for a, b, c, d in (
        (-0.93, 0.93, -0.82, -0.78),
        (-0.93, 0.93, 0.78, 0.82),
        (-0.93, -0.915, -0.82, 0.82),
        (0.915, 0.93, -0.82, 0.82),
    ):
        k.box(a * x, b * x, c * y, d * y, 0.8 * z, 0.9 * z, pale)
    for at in (-0.6, 0.55):
        for side in (-0.4, 0.4):
            k.add(
                shapes.stretched(shapes.cylinder(1, 0.8 * z, z, 10), 0.07 * x, 0.12 * y),
                pale,
                (at * x, side * y, 0),
            )
    _lotus(k, pale)


def _lotus(k: Kit, look: Paint) -> None:
    """A flower of petals in the middle."""
    z, size = k.z, 0.35 * k.y
    for i in range(8):
        petal = shapes.prism(
            [(0.25 * size, 0), (0.7 * size, -0.2 * size), (1.1 * size, 0), (0.7 * size, 0.2 * size)],
            0.8 * z,
            z,
        )
        k.add(shapes.turned(petal, 2, 45 * i), look)


@part("yoga mat")
def striped_yoga_mat(k: Kit) -> None:
    """A thin mat with a stripe along its middle and lines across it."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    k.slab(shapes.rounded(-x, x, -y, y, 0.03), 0, 0.85 * z)
    k.box(-0.97 * x, 0.97 * x, -0.04 * y, 0.04 * y, 0.85 * z, z, k.light)
    for at in (-0.66, -0.33, 0.0, 0.33, 0.66):
        k.box(at * x - 0.012, at * x + 0.012, -0.9 * y, 0.9 * y, 0.85 * z, z, k.light)
    _lotus(k, shade(k.main, 1.6))


@part("yoga mat")
def ribbed_yoga_mat(k: Kit) -> None:
    """A ribbed mat in two tones with a flower near one end."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    k.slab(shapes.rounded(-x, x, -y, y, 0.08), 0, 0.7 * z, k.dark)
    for i in range(24):
        at = -0.97 * x + i * 1.94 * x / 24
        k.box(at, at + 0.06 * x, -0.96 * y, 0.96 * y, 0.7 * z, 0.85 * z)
    k.slab(
        [(0.9 * x, -0.5 * y), (0.9 * x, 0.5 * y), (0.5 * x, 0.5 * y), (0.5 * x, -0.5 * y)],
        0.85 * z,
        0.92 * z,
        k.dark,
    )
    _lotus(k, shade(k.main, 1.5))


def _chains(k: Kit, low: float, radius: float) -> None:
    x, y, z = k.x, k.y, k.z
    for i in range(4):
        a = math.tau * (i + 0.5) / 4
        k.tube((radius * x * math.cos(a), radius * y * math.sin(a), low), (0, 0, 0.9 * z), 0.009, STEEL, 5)
    k.tube((0, 0, 0.88 * z), (0, 0, z), 0.012, STEEL, 6)
    k.ball((0, 0, 0.89 * z), 0.025, CHROME, 6)
    k.lathe([(0, 0.98 * z), (0.06, 0.98 * z), (0.06, z), (0, z)], STEEL, sides=10)


@part("punching bag")
def heavy_punching_bag(k: Kit) -> None:
    """A long leather cylinder with bands that hangs on four chains."""
    look = looking(k.main, "leather")
    k.round([(0, 0), (0.9, 0.005), (1, 0.03), (1, 0.7), (0.92, 0.73), (0, 0.73)], look, 16)
    for level in (0.05, 0.34, 0.66):
        k.round([(1.0, level), (1.02, level + 0.005), (1.02, level + 0.035), (1.0, level + 0.04)], BLACK, 16)
    k.box(-0.4 * k.x, 0.4 * k.x, -1.03 * k.y, -0.85 * k.y, 0.44 * k.z, 0.54 * k.z, WHITE)
    _chains(k, 0.73 * k.z, 0.85)


@part("punching bag")
def pear_punching_bag(k: Kit) -> None:
    """A leather drop with seams that hangs on chains."""
    look = looking(k.main, "leather")
    k.round(
        [(0, 0), (0.6, 0.02), (0.95, 0.1), (1, 0.2), (0.85, 0.4), (0.55, 0.58), (0.4, 0.66), (0, 0.67)],
        look,
        16,
    )
    for level, r in ((0.2, 1.0), (0.45, 0.78)):
        k.round([(r, level), (r + 0.03, level + 0.01), (r, level + 0.03)], BLACK, 16)
    k.round([(0.42, 0.62), (0.44, 0.67), (0, 0.68)], BLACK, 12)
    _chains(k, 0.66 * k.z, 0.36)


@part("punching bag")
def two_tone_punching_bag(k: Kit) -> None:
    """A long bag with a black middle and white letters, on a swivel and chains."""
    look = looking(k.main, "leather")
    k.round([(0, 0), (0.94, 0), (1, 0.02), (1, 0.26)], look, 16)
    k.round([(1, 0.26), (1, 0.5)], BLACK, 16)
    k.round([(1, 0.5), (1, 0.72), (0.94, 0.75), (0, 0.76)], look, 16)
    for i in range(3):
        at = (i - 1) * 0.4 * k.x
        k.box(at - 0.08 * k.x, at + 0.08 * k.x, -1.04 * k.y, -0.8 * k.y, 0.33 * k.z, 0.43 * k.z, WHITE)
    k.round([(1.0, 0.255), (1.03, 0.26), (1.0, 0.265)], WHITE, 16)
    _chains(k, 0.76 * k.z, 0.9)
