"""Beds and seats for children."""

from __future__ import annotations

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import CORNERS, DARK, WHITE, WOOD, Kit, both_sides, part

_SHEET = Paint(238, 236, 230, 5)


def _frame_look(k: Kit) -> Paint:
    return k.main if k.item.material not in ("fabric", "leather") else WOOD


def _bunk(k: Kit, level: float, blanket: Paint) -> None:
    """A mattress in a tray of boards at a height, with a pillow and a blanket."""
    x, y = k.x - 0.04, k.y - 0.04
    look = _frame_look(k)
    for _, a, b in both_sides(x + 0.03, x):
        k.box(a, b, -y, y, level, level + 0.16, look)
    for _, a, b in both_sides(y + 0.03, y):
        k.box(-x, x, a, b, level, level + 0.16, look)
    k.soft(-x, x, -y, y, level + 0.05, level + 0.2, 0.04, _SHEET)
    k.soft(-x - 0.005, x + 0.005, -y, 0.45 * y, level + 0.1, level + 0.225, 0.04, blanket)
    k.pillow(-0.7 * x, 0.7 * x, 0.58 * y, 0.95 * y, level + 0.16, level + 0.31, WHITE)


def _rails(k: Kit, level: float, count: int = 2) -> None:
    look = _frame_look(k)
    for i in range(count):
        low = level + 0.05 + 0.12 * i
        for side in (-1, 1):
            at = side * (k.x - 0.03)
            front = -0.3 * k.y if side > 0 else -k.y
            k.box(at - 0.014, at + 0.014, front, k.y, low, low + 0.06, look)
        for side in (-1, 1):
            at = side * (k.y - 0.03)
            k.box(-k.x, k.x, at - 0.014, at + 0.014, low, low + 0.06, look)


def _ladder(k: Kit, at: float, top: float) -> None:
    """Rungs between two uprights at the right side, near the foot end."""
    x, look = k.x, _frame_look(k)
    for y in (at - 0.2, at + 0.2):
        k.box(x - 0.035, x, y - 0.02, y + 0.02, 0, top, look)
    for i in range(5):
        low = 0.14 * top + i * 0.19 * top
        k.box(x - 0.03, x - 0.005, at - 0.19, at + 0.19, low, low + 0.035, look)


@part("bunk bed")
def bunk_bed(k: Kit) -> None:
    """Two beds one above the other between four posts, rails around the upper one and a ladder."""
    y, z = k.y, k.z
    for sx, sy in CORNERS:
        px, py = sx * (k.x - 0.035), sy * (y - 0.035)
        k.box(px - 0.035, px + 0.035, py - 0.035, py + 0.035, 0, z, _frame_look(k))
    _bunk(k, 0.14 * z, k.main._replace(texture=5))
    _bunk(k, 0.62 * z, shade(k.main._replace(texture=5), 1.3))
    _rails(k, 0.75 * z)
    for low in (0.3, 0.42):
        k.box(-k.x, k.x, y - 0.04, y - 0.01, low * z, (low + 0.07) * z, _frame_look(k))
    _ladder(k, -0.62 * y, 0.9 * z)


@part("bunk bed")
def metal_bunk_bed(k: Kit) -> None:
    """Two beds in a frame of round tubes with arched ends and a slanting ladder."""
    x, y, z = k.x - 0.03, k.y - 0.03, k.z
    metal = k.main
    for side in (-1, 1):
        end = side * y
        k.path(
            [
                (-x, end, 0),
                (-x, end, 0.94 * z),
                (-0.8 * x, end, z),
                (0.8 * x, end, z),
                (x, end, 0.94 * z),
                (x, end, 0),
            ],
            0.025,
            metal,
            6,
        )
        for i in range(3):
            for low, high in ((0.24, 0.45), (0.75, 0.98)):
                at = (i - 1) * 0.5 * x
                k.tube((at, end, low * z), (at, end, high * z), 0.01, metal, 5)
        k.tube((-x, end, 0.45 * z), (x, end, 0.45 * z), 0.018, metal, 5)
        k.tube((side * x, -y, 0.86 * z), (side * x, y, 0.86 * z), 0.018, metal, 5)
    _bunk(k, 0.14 * z, paint("navy", "fabric"))
    _bunk(k, 0.62 * z, paint("red", "fabric"))
    for shift in (-0.2, 0.2):
        k.tube((x, -0.5 * y + shift, 0), (x, -0.5 * y + shift, 0.9 * z), 0.016, metal, 5)
    for i in range(5):
        level = (0.12 + 0.13 * i) * z
        k.tube((x, -0.5 * y - 0.2, level), (x, -0.5 * y + 0.2, level), 0.014, metal, 5)


@part("bunk bed")
def loft_bed(k: Kit) -> None:
    """A bunk of broad boards with steps that are drawers, closed ends and a rail with slats."""
    x, y, z = k.x, k.y, k.z
    look = _frame_look(k)
    for side, a, b in both_sides(y, y - 0.04):
        for low, high in ((0.0, 0.24), (0.6, 0.72), (0.86, 1.0)) if side < 0 else ((0.0, 0.72), (0.86, 1.0)):
            k.box(-x, x, a, b, low * z, high * z, look)
        for sx in (-0.96, -0.3, 0.3, 0.96):
            low = 0.72 if abs(sx) < 0.9 else 0.2
            k.box(sx * x - 0.04, sx * x + 0.04, a, b, low * z, 0.88 * z, look)
    _bunk(k, 0.1 * z, paint("green", "fabric"))
    _bunk(k, 0.62 * z, k.main._replace(texture=5))
    for i in range(9):
        at = -0.25 * y + i * 1.15 * y / 9
        k.box(x - 0.05, x - 0.02, at, at + 0.07, 0.7 * z, 0.94 * z, look)
    k.box(x - 0.06, x, -0.3 * y, y, 0.94 * z, z, look)
    k.box(-x, -x + 0.03, -y, y, 0.4 * z, z, look)
    _ladder(k, -0.6 * y, 0.86 * z)


def _crib_side(k: Kit, at: float, along_x: bool, low: float, high: float) -> None:
    """Spindles between two rails."""
    reach = (k.x if along_x else k.y) - 0.03
    count = max(5, min(14, round(2 * reach / 0.09)))

    def bar(a: float, b: float, z0: float, z1: float, thin: float) -> None:
        if along_x:
            k.box(a, b, at - thin, at + thin, z0, z1)
        else:
            k.box(at - thin, at + thin, a, b, z0, z1)

    bar(-reach, reach, low, low + 0.05, 0.015)
    bar(-reach, reach, high - 0.045, high, 0.018)
    for i in range(count):
        middle = -reach + (i + 0.5) * 2 * reach / count
        bar(middle - 0.009, middle + 0.009, low, high, 0.009)


def _baby_bedding(k: Kit, level: float) -> None:
    x, y = k.x - 0.05, k.y - 0.05
    k.soft(-x, x, -y, y, level, level + 0.12, 0.03, _SHEET)
    k.soft(-0.98 * x, 0.3 * x, -y, y, level + 0.08, level + 0.145, 0.03, paint("sky blue", "fabric"))
    k.pillow(0.45 * x, 0.92 * x, -0.6 * y, 0.6 * y, level + 0.1, level + 0.2, WHITE)
    k.ball((0.2 * x, 0.5 * y, level + 0.2), 0.08, paint("tan", "plush"), 8)
    k.ball((0.2 * x, 0.5 * y, level + 0.31), 0.055, paint("tan", "plush"), 8)


@part("crib")
def crib(k: Kit) -> None:
    """A cot with bars on all sides on four posts, a mattress and a small blanket."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    for sx, sy in CORNERS:
        px, py = sx * (x - 0.025), sy * (y - 0.025)
        k.box(px - 0.025, px + 0.025, py - 0.025, py + 0.025, 0, 0.97 * z)
        k.ball((px, py, 0.97 * z), 0.03, None, 6)
    for side in (-1, 1):
        _crib_side(k, side * (y - 0.025), True, 0.3 * z, 0.95 * z)
        _crib_side(k, side * (x - 0.025), False, 0.3 * z, 0.95 * z)
    _baby_bedding(k, 0.33 * z)


@part("crib")
def sleigh_crib(k: Kit) -> None:
    """A cot whose ends are solid and curl outwards, with bars along its sides."""
    k.lengthwise()
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        outline = [
            (side * (x - 0.1), 0.0),
            (side * (x - 0.06), 0.0),
            (side * (x - 0.06), 0.7 * z),
            (side * x, z),
            (side * (x - 0.05), z),
            (side * (x - 0.1), 0.7 * z),
        ]
        if side < 0:
            outline.reverse()
        k.plate(outline, -y, y)
        _crib_side(k, side * (y - 0.02), True, 0.3 * z, 0.82 * z)
    k.box(-x + 0.1, x - 0.1, -y, y, 0.24 * z, 0.3 * z)
    _baby_bedding(k, 0.33 * z)


@part("crib")
def crib_with_mobile(k: Kit) -> None:
    """A low cot on castors with an arm from which toys hang."""
    k.lengthwise()
    x, y, z = k.x, k.y, 0.62 * k.z
    for sx, sy in CORNERS:
        px, py = sx * (x - 0.02), sy * (y - 0.02)
        k.box(px - 0.02, px + 0.02, py - 0.02, py + 0.02, 0.06, z)
        k.ball((px, py, 0.035), 0.035, DARK, 6)
    for side in (-1, 1):
        _crib_side(k, side * (y - 0.02), True, 0.3 * z, z)
        _crib_side(k, side * (x - 0.02), False, 0.3 * z, z)
    _baby_bedding(k, 0.33 * z)
    k.path(
        [(0.9 * x, y, 0.8 * z), (0.9 * x, y, 0.9 * k.z), (0.7 * x, 0.6 * y, k.z), (0.3 * x, 0.0, k.z)],
        0.012,
        WHITE,
    )
    for i, tint in enumerate(("yellow", "red", "sky blue", "mint")):
        at = ((0.3 + (-0.2, 0.2, 0.0, 0.0)[i]) * x, (0.0, 0.0, -0.35, 0.35)[i] * y)
        k.tube((0.3 * x, 0, k.z - 0.01), (at[0], at[1], k.z - 0.03), 0.006, WHITE, 4)
        k.tube((at[0], at[1], k.z - 0.03), (at[0], at[1], 0.84 * k.z), 0.003, WHITE, 3)
        k.ball((at[0], at[1], 0.8 * k.z), 0.05, paint(tint), 7)


def _high_seat(k: Kit, seat: float, look: Paint) -> None:
    """Seat, back, arms and a tray in front of a high chair."""
    x, y, z = k.x, k.y, k.z
    pad = k.main._replace(texture=5) if k.item.material != "plastic" else k.light
    k.soft(-0.72 * x, 0.72 * x, -0.5 * y, 0.6 * y, seat - 0.03, seat + 0.04, 0.02, pad)
    back = shapes.soft(-0.7 * x, 0.7 * x, -0.03, 0.03, 0, z - seat, 0.025)
    k.add(shapes.turned(back, 0, -10), pad, (0, 0.55 * y, seat))
    for _, a, b in both_sides(0.82 * x, 0.7 * x):
        k.box(a, b, -0.55 * y, 0.6 * y, seat + 0.14, seat + 0.17, look)
        k.box(a, b, -0.4 * y, -0.3 * y, seat, seat + 0.15, look)
    tray = shapes.rounded(-0.98 * x, 0.98 * x, -y, -0.35 * y, 0.08)
    k.slab(tray, seat + 0.17, seat + 0.19, WHITE)
    rim = shapes.rounded(-0.85 * x, 0.85 * x, -0.94 * y, -0.42 * y, 0.06)
    k.slab(rim, seat + 0.19, seat + 0.193, k.light)
    k.add(
        shapes.cylinder(0.045, seat + 0.193, seat + 0.27, 8, 0.05), paint("orange"), (0.45 * x, -0.68 * y, 0)
    )


@part("high chair")
def high_chair(k: Kit) -> None:
    """A child's seat with a tray on four long splayed legs and a foot rest."""
    x, y, z = k.x, k.y, k.z
    seat = 0.56 * z
    look = _frame_look(k)
    for sx, sy in CORNERS:
        k.tube((sx * 0.97 * x, sy * 0.97 * y, 0), (sx * 0.6 * x, sy * 0.5 * y, seat), 0.02, look, 6)
    k.box(-0.78 * x, 0.78 * x, -0.86 * y, -0.62 * y, 0.28 * z, 0.3 * z, look)
    for side in (-1, 1):
        k.tube((side * 0.85 * x, -0.82 * y, 0.2 * z), (side * 0.85 * x, 0.82 * y, 0.2 * z), 0.014, look, 5)
    _high_seat(k, seat, look)


@part("high chair")
def folding_high_chair(k: Kit) -> None:
    """A child's seat with a tray on crossed metal legs."""
    x, y, z = k.x, k.y, k.z
    seat = 0.56 * z
    metal = paint("silver", "metal")
    for side in (-1, 1):
        at = side * 0.9 * x
        k.path([(at, -0.95 * y, 0.015), (0.8 * at, 0.45 * y, seat + 0.1)], 0.018, metal, 6)
        k.path([(at, 0.95 * y, 0.015), (0.8 * at, -0.45 * y, seat + 0.1)], 0.018, metal, 6)
        k.tube((-0.9 * x, side * 0.95 * y, 0.015), (0.9 * x, side * 0.95 * y, 0.015), 0.018, DARK, 6)
    k.box(-0.6 * x, 0.6 * x, -0.8 * y, -0.55 * y, 0.3 * z, 0.32 * z, k.dark)
    _high_seat(k, seat, DARK)


@part("high chair")
def stepped_high_chair(k: Kit) -> None:
    """A child's seat between two slanting boards with steps, and a tray."""
    x, y, z = k.x, k.y, k.z
    seat = 0.56 * z
    look = _frame_look(k)
    for _, a, b in both_sides(0.85 * x, 0.75 * x):
        k.add(
            shapes.facing_side(shapes.prism([(-y, 0), (-0.8 * y, 0), (0.75 * y, z), (0.6 * y, z)], a, b)),
            look,
        )
        k.box(a, b, -y, y, 0, 0.035, look)
    for level, front in ((0.2, -0.85), (0.36, -0.7)):
        k.box(-0.78 * x, 0.78 * x, front * y, (front + 0.7) * y, level * z, level * z + 0.025, look)
    _high_seat(k, seat, look)
