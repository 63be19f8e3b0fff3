"""Stools and benches."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.parts.kit import CHROME, CORNERS, STEEL, Kit, both_sides, part
from vlnscope.worlds.houses.parts.seats.chairs import frame_look
from vlnscope.worlds.houses.parts.surfaces import looking


def _round_seat(k: Kit, thick: float, look: Paint | None = None) -> None:
    z = k.z
    k.lathe(
        [(0, z - thick), (0.9, z - thick), (1.0, z - 0.6 * thick), (0.96, z - 0.1 * thick), (0.8, z), (0, z)],
        look,
        (0, 0),
        16,
        (0.94 * k.x, 0.94 * k.y),
    )


@part("stool")
def splayed_stool(k: Kit) -> None:
    """A round seat on four splayed legs with a foot ring."""
    radius, z = min(k.x, k.y), k.z
    _round_seat(k, 0.05)
    for sx, sy in CORNERS:
        k.path(
            [(sx * (k.x - 0.02), sy * (k.y - 0.02), 0.0), (sx * 0.5 * k.x, sy * 0.5 * k.y, z - 0.04)],
            [0.014, 0.02],
            frame_look(k),
            6,
        )
    k.add(shapes.stretched(shapes.ring(1.0, 0.012 / radius, 14), k.x, k.y, radius), STEEL, (0, 0, 0.3 * z))


@part("stool")
def square_stool(k: Kit) -> None:
    """A square seat on four upright legs with rungs at two heights."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.045, z, 0.015)
    k.legs(0.036, z - 0.04, frame_look(k), inset=0.01, taper=0.85)
    for level, along in ((0.22, True), (0.34, False)):
        for side in (-1, 1):
            at = side * ((y if along else x) - 0.028)
            reach = (x if along else y) - 0.03
            if along:
                k.box(-reach, reach, at - 0.011, at + 0.011, level * z, level * z + 0.025, frame_look(k))
            else:
                k.box(at - 0.011, at + 0.011, -reach, reach, level * z, level * z + 0.025, frame_look(k))


@part("stool")
def screw_stool(k: Kit) -> None:
    """A padded round seat on a screw over three curved legs."""
    z = k.z
    _round_seat(k, 0.08)
    k.lathe(
        [(0.96, z - 0.075), (0.99, z - 0.06), (0.96, z - 0.045)], CHROME, (0, 0), 16, (0.94 * k.x, 0.94 * k.y)
    )
    k.tube((0, 0, 0.3 * z), (0, 0, z - 0.05), 0.022, STEEL, 8)
    k.lathe([(0.05, 0.34 * z), (0.06, 0.4 * z), (0.05, 0.46 * z), (0, 0.46 * z)], frame_look(k), (0, 0), 10)
    for i in range(3):
        a = math.tau * (i / 3 + 0.08)
        c, s = math.cos(a), math.sin(a)
        k.path(
            [(0, 0, 0.42 * z), (0.6 * k.x * c, 0.6 * k.y * s, 0.3 * z), (0.97 * k.x * c, 0.97 * k.y * s, 0)],
            0.018,
            frame_look(k),
            6,
        )


def _bench_seat(k: Kit, planks: int, z0: float, z1: float) -> None:
    wide = 2 * k.y / planks
    for i in range(planks):
        k.soft(-k.x, k.x, -k.y + i * wide + 0.006, -k.y + (i + 1) * wide - 0.006, z0, z1, 0.008)


@part("bench")
def plank_bench(k: Kit) -> None:
    """A long seat of planks on two pairs of legs with a rail between them."""
    x, y, z = k.x, k.y, k.z
    _bench_seat(k, 3, z - 0.045, z)
    for side in (-1, 1):
        middle = side * (x - 0.16)
        k.box(middle - 0.03, middle + 0.03, -y + 0.02, y - 0.02, z - 0.09, z - 0.045, k.dark)
        for _, a, b in both_sides(y - 0.02, y - 0.08):
            k.box(middle - 0.03, middle + 0.03, a, b, 0, z - 0.09, k.dark)
    k.box(-x + 0.16, x - 0.16, -0.02, 0.02, 0.25 * z, 0.25 * z + 0.04, k.dark)


@part("bench")
def trestle_bench(k: Kit) -> None:
    """A thick one-piece seat on two broad cut-out ends joined by a wedged beam."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y, y, z - 0.06, z, 0.015)
    for side in (-1, 1):
        at = side * 0.72 * x
        end = [
            (-0.95 * y, 0),
            (-0.4 * y, 0),
            (-0.25 * y, 0.14 * z),
            (0.25 * y, 0.14 * z),
            (0.4 * y, 0),
            (0.95 * y, 0),
            (0.7 * y, z - 0.06),
            (-0.7 * y, z - 0.06),
        ]
        k.add(shapes.facing_side(shapes.prism(end, at - 0.03, at + 0.03)), k.dark)
    k.box(-0.85 * x, 0.85 * x, -0.035, 0.035, 0.4 * z, 0.56 * z, k.dark)


@part("bench")
def upholstered_bench(k: Kit) -> None:
    """A padded seat with seams on slim turned or metal legs."""
    x, y, z = k.x, k.y, k.z
    pad = looking(k.main, "leather" if k.item.material == "metal" else "fabric")
    count = max(2, round(2 * x / 0.45))
    wide = 2 * x / count
    for i in range(count):
        k.pillow(-x + i * wide, -x + (i + 1) * wide, -y, y, z - 0.11, z, pad, 12, 4, 0.3, 0.5)
    k.box(-0.98 * x, 0.98 * x, -0.96 * y, 0.96 * y, z - 0.12, z - 0.07, k.dark)
    for sx in (-0.9, 0.0, 0.9) if x > 0.6 else (-0.9, 0.9):
        for sy in (-0.8, 0.8):
            k.path(
                [(sx * x, sy * y, 0), (sx * x * 0.98, sy * y * 0.95, z - 0.11)],
                [0.012, 0.022],
                frame_look(k),
                6,
            )
