"""Seats that are not plain chairs: bar stools, rocking chairs, bean bags."""

from __future__ import annotations

import itertools
import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import shade
from vlnscope.worlds.houses.parts.kit import CHROME, CORNERS, DARK, DARK_WOOD, Kit, both_sides, part


@part("bar stool")
def pedestal_bar_stool(k: Kit) -> None:
    """A padded round seat with a low back on a chrome column, a foot ring and a round base."""
    radius, z = min(k.x, k.y), k.z
    seat = 0.76 * z
    k.round([(0, 0), (0.95, 0), (0.9, 0.02), (0.2, 0.045), (0, 0.045)], CHROME, 18)
    k.tube((0, 0, 0.03 * z), (0, 0, seat), 0.03, CHROME, 8)
    k.add(shapes.ring(0.55 * radius, 0.013, 16, 5), CHROME, (0, 0, 0.32 * z))
    k.tube((0, 0, 0.32 * z), (0, -0.55 * radius, 0.32 * z), 0.012, CHROME, 5)
    k.pillow(-k.x, k.x, -k.y, k.y, seat - 0.05, seat + 0.06, None, 16, 4, 0.9, 0.5)
    points, faces = shapes.ring(0.9, 0.1, 10, 6, 160)
    arc = shapes.turned((points * (1, 1, 1.2), faces), 2, 10)
    k.add(shapes.stretched(arc, k.x, k.y, 1.0), None, (0, 0, z - 0.1))
    for a in (40, 90, 140):
        c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
        k.tube(
            (0.7 * k.x * c, 0.7 * k.y * s, seat), (0.88 * k.x * c, 0.88 * k.y * s, z - 0.1), 0.012, CHROME, 5
        )


@part("bar stool")
def wooden_bar_stool(k: Kit) -> None:
    """Four high straight legs with rungs, a square seat and a back of two rails."""
    x, y, z = k.x, k.y, k.z
    seat = 0.72 * z
    frame = k.dark if k.item.material in ("wood", "metal") else DARK_WOOD
    k.legs(0.04, seat, frame, taper=0.8)
    for level in (0.24, 0.4):
        for _, a, b in both_sides(x - 0.005, x - 0.03):
            k.box(a, b, -y + 0.02, y - 0.02, level * z, level * z + 0.03, frame)
        for _, a, b in both_sides(y - 0.005, y - 0.03):
            k.box(-x + 0.02, x - 0.02, a, b, (level - 0.05) * z, (level - 0.05) * z + 0.03, frame)
    k.soft(-x, x, -y, y, seat, seat + 0.05, 0.02)
    for _, a, b in both_sides(x, x - 0.035):
        k.box(a, b, y - 0.035, y, seat, z, frame)
    for low in (0.82, 0.93):
        k.box(-x + 0.03, x - 0.03, y - 0.03, y - 0.01, low * z, (low + 0.06) * z)


@part("bar stool")
def saddle_bar_stool(k: Kit) -> None:
    """A curved saddle seat without a back on four splayed legs with rungs."""
    x, y, z = k.x, k.y, k.z
    frame = k.dark if k.item.material in ("wood", "metal") else DARK
    n, low = 7, 0.93 * z
    outline = [
        (-x + 2 * x * i / (n - 1), low + (z - low - 0.01) * (2 * i / (n - 1) - 1) ** 2) for i in range(n)
    ]
    top = [(a, b + 0.035) for a, b in outline]
    k.plate([*outline, *reversed(top)], -0.8 * y, 0.8 * y)
    for sx, sy in CORNERS:
        k.tube((sx * 0.97 * x, sy * 0.97 * y, 0), (sx * 0.6 * x, sy * 0.5 * y, low), 0.02, frame, 6)
    for level in (0.25, 0.45):
        f = 0.97 - 0.4 * level
        for side in (-1, 1):
            k.tube((-f * x, side * f * y, level * z), (f * x, side * f * y, level * z), 0.013, frame, 5)
            k.tube((side * f * x, -f * y, level * z), (side * f * x, f * y, level * z), 0.013, frame, 5)


def _rockers(k: Kit, frame: bool = True) -> None:
    """Two curved runners on the floor."""
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        at = side * 0.86 * x
        line = [(at, -y + 2 * y * i / 8, 0.02 + 0.11 * z * (2 * i / 8 - 1) ** 2) for i in range(9)]
        k.path(line, 0.022, k.dark, 6)
        for end, top in ((-0.55, 0.62), (0.5, 0.46)):
            k.tube((at, end * y, 0.05 * z), (at, end * 0.95 * y, top * z), 0.02, k.dark, 6)
        if frame:
            k.path(
                [(at, -0.62 * y, 0.62 * z), (at, 0.1 * y, 0.62 * z), (0.9 * at, 0.55 * y, 0.6 * z)],
                0.024,
                k.main,
                6,
            )


@part("rocking chair")
def spindle_rocking_chair(k: Kit) -> None:
    """A wooden seat on two curved runners, a high back of spindles under a broad rail, arm rests."""
    x, y, z = k.x, k.y, k.z
    seat = 0.38 * z
    _rockers(k)
    k.soft(-0.86 * x, 0.86 * x, -0.7 * y, 0.5 * y, seat, seat + 0.04, 0.015)
    start = 0.42 * y
    for i in range(6):
        at = (i - 2.5) * 0.27 * x
        k.tube((at, start, seat + 0.03), (1.05 * at, start + 0.4 * y, z - 0.08), 0.011, None, 5)
    for side in (-1, 1):
        k.tube((side * 0.82 * x, start, seat), (side * 0.86 * x, start + 0.43 * y, z - 0.03), 0.022, None, 6)
    rail = shapes.soft(-0.9 * x, 0.9 * x, -0.02, 0.02, 0, 0.13 * z, 0.015)
    k.add(shapes.turned(rail, 0, -14), None, (0, start + 0.38 * y, z - 0.13 * z))
    k.soft(
        -0.75 * x,
        0.75 * x,
        -0.62 * y,
        0.4 * y,
        seat + 0.04,
        seat + 0.08,
        0.02,
        shade(k.main, 1.4)._replace(texture=5),
    )


@part("rocking chair")
def padded_rocking_chair(k: Kit) -> None:
    """A padded shell with buttons on two curved runners."""
    x, y, z = k.x, k.y, k.z
    seat = 0.38 * z
    cloth = k.main._replace(texture=5) if k.item.material in ("wood", "metal") else k.main
    _rockers(k, False)
    k.pillow(-0.85 * x, 0.85 * x, -0.8 * y, 0.5 * y, seat - 0.04, seat + 0.13, cloth)
    back = shapes.pillow((-0.85 * x, -0.07, 0), (0.85 * x, 0.07, z - seat - 0.02), 12, 5, 0.5, 0.45)
    k.add(shapes.turned(back, 0, -16), cloth, (0, 0.45 * y, seat + 0.04))
    for _, a, b in both_sides(x, 0.78 * x):
        k.pillow(a, b, -0.7 * y, 0.6 * y, seat, seat + 0.27 * z, shade(cloth, 0.85))
    for i in range(6):
        k.ball(
            ((i % 3 - 1) * 0.4 * x, 0.42 * y + 0.1 * (i // 3), seat + (0.3 + 0.15 * (i // 3)) * z),
            0.018,
            shade(cloth, 0.7),
            5,
        )


@part("rocking chair")
def bentwood_rocking_chair(k: Kit) -> None:
    """Runners that sweep up in one curve into arms, with a woven seat and back."""
    x, y, z = k.x, k.y, k.z
    seat = 0.36 * z
    for side in (-1, 1):
        at = side * 0.9 * x
        loop = [
            (-0.2, 0.46),
            (-0.75, 0.56),
            (-1.0, 0.4),
            (-0.9, 0.16),
            (-0.5, 0.03),
            (0.0, 0.0),
            (0.5, 0.03),
            (0.95, 0.12),
            (0.9, 0.2),
            (0.55, 0.3),
            (0.45, 0.45),
            (0.75, 1.0),
        ]
        k.path([(at, a * y, b * z + 0.02) for a, b in loop], 0.022, None, 6)
        k.path([(at, -0.75 * y, 0.56 * z), (at, -0.2 * y, 0.62 * z), (at, 0.5 * y, 0.58 * z)], 0.02, None, 6)
        k.tube((at, -0.6 * y, seat), (at, 0.5 * y, seat), 0.018, None, 6)
        k.tube((at, -0.85 * y, 0.1 * z), (at, -0.5 * y, seat), 0.016, None, 6)
    cane = shade(k.main, 1.5)._replace(texture=k.main.texture)
    k.box(-0.88 * x, 0.88 * x, -0.65 * y, 0.5 * y, seat - 0.012, seat + 0.012, cane)
    back = shapes.box(-0.86 * x, 0.86 * x, -0.012, 0.012, 0, 0.6 * z)
    k.add(shapes.turned(back, 0, -20), cane, (0, 0.47 * y, seat + 0.04))
    k.tube((-0.9 * x, 0.75 * y, z), (0.9 * x, 0.75 * y, z), 0.024, None, 6)
    k.tube((-0.9 * x, -0.65 * y, seat), (0.9 * x, -0.65 * y, seat), 0.02, None, 6)


@part("bean bag")
def pear_bean_bag(k: Kit) -> None:
    """A slumped pear-shaped bag with seams, a dented seat and a loop."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-x, x, -y, y, 0, 0.56 * z, None, 16, 6, 0.8, 0.6)
    back = shapes.pillow((-0.72 * x, -0.1 * y, 0.25 * z), (0.72 * x, 0.92 * y, 0.97 * z), 14, 6, 0.85, 0.8)
    k.add(back)
    k.ball((0, -0.25 * y, 0.56 * z), (0.6 * x, 0.5 * y, 0.04 * z), k.dark, 10)
    _seams(k, 0.97)


def _seams(k: Kit, top: float) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        line = [(0.985, 0.2), (0.8, 0.5), (0.55, 0.75), (0.05, top)]
        k.path([(side * a * x, 0.2 * y, b * z) for a, b in line], 0.012, k.dark, 4)
    k.add(shapes.turned(shapes.ring(0.05, 0.012, 8, 4), 0, 90), k.dark, (0, 0.4 * y, z - 0.04))


@part("bean bag")
def ball_bean_bag(k: Kit) -> None:
    """A round bag of panels in two tones, sat in."""
    x, y, z = k.x, k.y, k.z
    panels = 8
    for i in range(panels):
        rows = []
        for j in range(7):
            t = math.pi * j / 6 - math.pi / 2
            ring = []
            for s in range(3):
                a = math.tau * (i + s / 2) / panels
                puff = 1.0 if s == 1 else 0.93
                dent = 0.16 * z * max(0.0, math.sin(t)) * (1 + math.sin(-a)) / 2
                ring.append(
                    (
                        x * puff * math.cos(t) ** 0.7 * math.cos(a),
                        y * puff * math.cos(t) ** 0.7 * math.sin(a),
                        z / 2 * (1 + math.copysign(abs(math.sin(t)) ** 0.8, t)) - dent,
                    )
                )
            rows.append(ring)
        for lower, upper in itertools.pairwise(rows):
            for s in range(2):
                k.add(
                    shapes.facet(lower[s], lower[s + 1], upper[s + 1], upper[s]), k.main if i % 2 else k.light
                )
    k.lathe([(0.1, 0.84 * z), (0, 0.87 * z)], k.dark, sides=8)


@part("bean bag")
def lounge_bean_bag(k: Kit) -> None:
    """A long soft bag bent into a seat and a high back."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-x, x, -y, 0.7 * y, 0, 0.5 * z, None, 14, 6, 0.6, 0.6)
    back = shapes.pillow((-0.92 * x, -0.3 * y, 0), (0.92 * x, 0.3 * y, 0.95 * z), 14, 6, 0.6, 0.5)
    k.add(shapes.turned(back, 0, -18), None, (0, 0.45 * y, 0.05 * z))
    k.path(
        [(-0.98 * x, -0.2 * y, 0.25 * z), (-0.9 * x, 0.3 * y, 0.5 * z), (-0.8 * x, 0.8 * y, 0.9 * z)],
        0.014,
        k.dark,
        4,
    )
    k.path(
        [(0.98 * x, -0.2 * y, 0.25 * z), (0.9 * x, 0.3 * y, 0.5 * z), (0.8 * x, 0.8 * y, 0.9 * z)],
        0.014,
        k.dark,
        4,
    )
    k.path(
        [
            (-0.3 * x, 0.78 * y, 0.95 * z),
            (-0.2 * x, 0.85 * y, z),
            (0.2 * x, 0.85 * y, z),
            (0.3 * x, 0.78 * y, 0.95 * z),
        ],
        0.016,
        k.dark,
        5,
    )
