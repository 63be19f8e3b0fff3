"""What people carry and wear, and put down in halls."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    DARK_WOOD,
    STEEL,
    WHITE,
    Kit,
    both_sides,
    part,
)
from vlnscope.worlds.houses.parts.surfaces import looking
from vlnscope.worlds.rendering.pictures.gallery import picture


def _umbrella(k: Kit, at: tuple[float, float], lean: tuple[float, float], top: float, look: Paint) -> None:
    """A furled umbrella that leans in the stand, its crook up."""
    x, y = at
    end = (x + lean[0], y + lean[1], 0.86 * top)
    k.path(
        [
            (x, y, 0.03 * top),
            (x + 0.3 * lean[0], y + 0.3 * lean[1], 0.12 * top),
            (x + 0.75 * lean[0], y + 0.75 * lean[1], 0.62 * top),
            end,
        ],
        [0.006, 0.022, 0.03, 0.01],
        look,
        6,
    )
    crook = [
        (end[0], end[1], 0.86 * top),
        (end[0], end[1], 0.95 * top),
        (end[0] + 0.02, end[1], top),
        (end[0] + 0.055, end[1], 0.99 * top),
        (end[0] + 0.06, end[1], 0.93 * top),
    ]
    k.path(crook, 0.011, DARK_WOOD, 6)


def _umbrellas(k: Kit) -> None:
    x, y, z = 0.4 * k.x, 0.4 * k.y, k.z
    for i, tint in enumerate(("red", "navy", "black")):
        a = math.tau * (i / 3 + 0.1)
        lean = (0.5 * x * math.cos(a), 0.5 * y * math.sin(a))
        _umbrella(
            k,
            (0.4 * x * math.cos(a), 0.4 * y * math.sin(a)),
            lean,
            (1.0, 0.93, 0.88)[i] * z,
            paint(tint, "fabric"),
        )


@part("umbrella stand")
def tube_umbrella_stand(k: Kit) -> None:
    """A tall open vessel with three umbrellas."""
    k.round(
        [
            (0, 0),
            (0.85, 0),
            (0.9, 0.03),
            (0.8, 0.3),
            (0.97, 0.56),
            (1, 0.58),
            (0.92, 0.58),
            (0.7, 0.3),
            (0, 0.04),
        ],
        None,
        16,
    )
    _umbrellas(k)


@part("umbrella stand")
def ring_umbrella_stand(k: Kit) -> None:
    """A frame of rods between rings over a tray, with three umbrellas."""
    x, y, z = k.x, k.y, k.z
    k.round([(0, 0), (1, 0), (1, 0.07), (0.93, 0.07), (0.93, 0.02), (0, 0.02)], None, 16)
    for level in (0.32, 0.6):
        k.add(shapes.stretched(shapes.ring(0.95, 0.06, 16, 5), x, y, min(x, y)), None, (0, 0, level * z))
    for i in range(8):
        a = math.tau * i / 8
        k.tube(
            (0.95 * x * math.cos(a), 0.95 * y * math.sin(a), 0.05 * z),
            (0.95 * x * math.cos(a), 0.95 * y * math.sin(a), 0.6 * z),
            0.008,
            None,
            5,
        )
    _umbrellas(k)


@part("umbrella stand")
def square_umbrella_stand(k: Kit) -> None:
    """A square box of panels with cut-outs, with three umbrellas."""
    x, y, z = k.x, k.y, k.z
    for _, a, b in both_sides(x, x - 0.012):
        k.box(a, b, -y, y, 0.02, 0.58 * z)
    for _, a, b in both_sides(y, y - 0.012):
        k.box(-x, x, a, b, 0.02, 0.58 * z)
        k.box(-0.5 * x, 0.5 * x, a - 0.002, b + 0.002, 0.2 * z, 0.4 * z, k.dark)
    k.soft(-x - 0.01, x + 0.01, -y - 0.01, y + 0.01, 0, 0.03, 0.005, k.dark)
    k.box(-x + 0.012, x - 0.012, -y + 0.012, y - 0.012, 0.02, 0.3 * z, BLACK)
    _umbrellas(k)


def _straps(k: Kit, look: Paint) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-1, 1):
        k.path(
            [
                (side * 0.4 * x, 0.75 * y, 0.88 * z),
                (side * 0.55 * x, y, 0.7 * z),
                (side * 0.65 * x, y, 0.35 * z),
                (side * 0.75 * x, 0.7 * y, 0.1 * z),
            ],
            0.02,
            look,
            5,
        )
    k.path(
        [
            (-0.25 * x, 0.5 * y, 0.92 * z),
            (-0.18 * x, 0.5 * y, z),
            (0.18 * x, 0.5 * y, z),
            (0.25 * x, 0.5 * y, 0.92 * z),
        ],
        0.014,
        look,
        5,
    )


@part("backpack")
def school_backpack(k: Kit) -> None:
    """A rounded bag with a zipped front pocket, a grip and shoulder straps."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-0.88 * x, 0.88 * x, -0.6 * y, 0.8 * y, 0, 0.95 * z, None, 14, 6, 0.5, 0.5)
    k.pillow(-0.72 * x, 0.72 * x, -y, 0, 0.06 * z, 0.48 * z, k.dark, 12, 4, 0.5, 0.5)
    k.path(
        [(-0.6 * x, -0.93 * y, 0.38 * z), (0, -y, 0.4 * z), (0.6 * x, -0.93 * y, 0.38 * z)], 0.008, STEEL, 4
    )
    k.path(
        [
            (-0.8 * x, -0.45 * y, 0.5 * z),
            (-0.7 * x, -0.5 * y, 0.78 * z),
            (0, -0.5 * y, 0.9 * z),
            (0.7 * x, -0.5 * y, 0.78 * z),
            (0.8 * x, -0.45 * y, 0.5 * z),
        ],
        0.009,
        STEEL,
        4,
    )
    for side in (-1, 1):
        k.pillow(
            side * 0.86 * x - 0.14 * x,
            side * 0.86 * x + 0.14 * x,
            -0.3 * y,
            0.5 * y,
            0.04 * z,
            0.4 * z,
            k.dark,
            8,
            4,
        )
    _straps(k, DARK)


@part("backpack")
def flap_backpack(k: Kit) -> None:
    """A rucksack with a flap held by two leather belts with buckles, and side pockets."""
    x, y, z = k.x, k.y, k.z
    leather = looking(Paint(120, 74, 40), "leather")
    k.pillow(-0.8 * x, 0.8 * x, -0.75 * y, 0.8 * y, 0, 0.9 * z, None, 14, 6, 0.45, 0.4)
    k.pillow(-0.84 * x, 0.84 * x, -0.85 * y, 0.82 * y, 0.58 * z, 0.97 * z, k.dark, 14, 4, 0.4, 0.4)
    for side in (-0.4, 0.4):
        k.soft(side * x - 0.02, side * x + 0.02, -0.92 * y, -0.7 * y, 0.25 * z, 0.86 * z, 0.005, leather)
        k.frame((side * x - 0.03, side * x + 0.03), (-0.98 * y, -0.9 * y), (0.36 * z, 0.46 * z), 0.01, BRASS)
    for side in (-1, 1):
        k.pillow(
            side * 0.86 * x - 0.16 * x,
            side * 0.86 * x + 0.14 * x,
            -0.5 * y,
            0.5 * y,
            0.03 * z,
            0.45 * z,
            k.dark,
            8,
            4,
        )
    k.pillow(-0.5 * x, 0.5 * x, -y, -0.5 * y, 0.06 * z, 0.4 * z, k.light, 10, 4)
    _straps(k, leather)


@part("backpack")
def hiking_backpack(k: Kit) -> None:
    """A tall pack with a lid, a rolled mat on its top, cords and side pockets."""
    x, y, z = k.x, k.y, k.z
    k.pillow(-0.75 * x, 0.75 * x, -0.6 * y, 0.8 * y, 0, 0.82 * z, None, 14, 6, 0.5, 0.35)
    k.pillow(-0.8 * x, 0.8 * x, -0.75 * y, 0.8 * y, 0.68 * z, 0.88 * z, k.dark, 14, 4, 0.5, 0.6)
    k.add(
        shapes.facing_side(shapes.cylinder(0.075 * z, -0.98 * x, 0.98 * x, 12)),
        paint("orange"),
        (0, 0.1 * y, 0.92 * z),
    )
    k.pillow(-0.6 * x, 0.6 * x, -y, -0.2 * y, 0.05 * z, 0.45 * z, k.light, 12, 4, 0.5, 0.5)
    for i in range(3):
        k.tube(
            (-0.5 * x, -0.66 * y, (0.48 + 0.06 * i) * z),
            (0.5 * x, -0.66 * y, (0.5 + 0.06 * i) * z),
            0.006,
            WHITE,
            4,
        )
    for side in (-1, 1):
        k.pillow(
            side * 0.82 * x - 0.16 * x,
            side * 0.82 * x + 0.16 * x,
            -0.3 * y,
            0.5 * y,
            0.04 * z,
            0.35 * z,
            k.dark,
            8,
            4,
        )
        k.box(side * 0.4 * x - 0.012, side * 0.4 * x + 0.012, -0.78 * y, -0.72 * y, 0.45 * z, 0.85 * z, DARK)
    _straps(k, DARK)


@part("suitcase", "plastic", "metal", "fabric")
def trolley_suitcase(k: Kit) -> None:
    """An upright hard case with grooves, four wheels and a pulled-out handle."""
    x, y, z = k.x, k.y, k.z
    low, top = 0.07 * z, 0.76 * z
    look = looking(k.main, "gloss") if k.item.material != "fabric" else k.main
    k.soft(-x, x, -y, y, low, top, 0.05, look)
    for i in range(5):
        at = (i - 2) * 0.36 * x
        k.soft(
            at - 0.08 * x,
            at + 0.08 * x,
            -y - 0.008,
            -y + 0.01,
            low + 0.06 * z,
            top - 0.06 * z,
            0.006,
            shade(look, 0.85),
        )
    k.box(-x - 0.002, x + 0.002, -0.03 * y, 0.05 * y, low + 0.02, top - 0.02, DARK)
    for sx in (-0.8, 0.8):
        for sy in (-0.7, 0.7):
            k.add(shapes.facing_side(shapes.cylinder(0.03, -0.015, 0.015, 10)), BLACK, (sx * x, sy * y, 0.03))
            k.box(sx * x - 0.02, sx * x + 0.02, sy * y - 0.02, sy * y + 0.02, 0.03, low + 0.01, DARK)
    _pull(k, top)


def _pull(k: Kit, top: float) -> None:
    x, y, z = k.x, k.y, k.z
    for side in (-0.35, 0.35):
        k.tube((side * x, 0.6 * y, top - 0.02), (side * x, 0.6 * y, z - 0.015), 0.01, CHROME, 6)
    k.soft(-0.42 * x, 0.42 * x, 0.5 * y, 0.7 * y, z - 0.035, z, 0.012, BLACK)
    k.path(
        [(-0.25 * x, 0, top), (-0.22 * x, 0, top + 0.035), (0.22 * x, 0, top + 0.035), (0.25 * x, 0, top)],
        0.011,
        BLACK,
        5,
    )


@part("suitcase", "plastic", "metal", "fabric")
def soft_suitcase(k: Kit) -> None:
    """An upright cloth case with two zipped pockets, two wheels and a handle."""
    x, y, z = k.x, k.y, k.z
    low, top = 0.05 * z, 0.78 * z
    cloth = k.main._replace(texture=5)
    k.soft(-0.96 * x, 0.96 * x, -0.6 * y, y, low, top, 0.04, cloth)
    for a, b in ((0.1, 0.46), (0.5, 0.72)):
        k.soft(-0.8 * x, 0.8 * x, -y, -0.5 * y, a * z, b * z, 0.03, shade(cloth, 0.85))
        k.box(-0.7 * x, 0.7 * x, -y - 0.004, -y, (b - 0.04) * z, (b - 0.03) * z, STEEL)
    for sx in (-0.8, 0.8):
        k.add(shapes.facing_side(shapes.cylinder(0.035, -0.02, 0.02, 10)), BLACK, (sx * x, 0.8 * y, 0.035))
        k.box(sx * x - 0.03, sx * x + 0.03, -0.5 * y, -0.3 * y, 0, low + 0.01, BLACK)
    k.box(x - 0.01, x, -0.2 * y, 0.4 * y, 0.35 * z, 0.5 * z, DARK)
    _pull(k, top)


@part("suitcase", "plastic", "leather")
def leather_suitcase(k: Kit) -> None:
    """An old case with two belts, brass corners and locks, a grip on its top."""
    x, y, z = k.x, k.y, k.z
    top, belt = 0.9 * z, looking(Paint(96, 58, 32), "leather")
    k.soft(-0.98 * x, 0.98 * x, -0.94 * y, 0.94 * y, 0, top, 0.025, looking(k.main, "leather"))
    for side in (-0.55, 0.55):
        k.soft(side * x - 0.022, side * x + 0.022, -y, y, 0.0, top + 0.006, 0.006, belt)
        k.frame((side * x - 0.032, side * x + 0.032), (-1.06 * y, -y), (0.6 * top, 0.72 * top), 0.01, BRASS)
    for sx in (-1, 1):
        for low in (0.0, 0.88):
            a, b = sorted((sx * x, sx * 0.84 * x))
            k.soft(a, b, -0.98 * y, 0.98 * y, low * top, (low + 0.12) * top, 0.02, belt)
    k.path(
        [(-0.25 * x, 0, top), (-0.22 * x, 0, z - 0.012), (0.22 * x, 0, z - 0.012), (0.25 * x, 0, top)],
        0.014,
        belt,
        6,
    )
    for side in (-0.22, 0.22):
        k.box(side * x - 0.03, side * x + 0.03, -1.0 * y, -0.9 * y, 0.82 * top, 0.92 * top, BRASS)


@part("suitcase", "leather", "metal")
def trunk_suitcase(k: Kit) -> None:
    """A flat case that lies in two halves on its side, with ribs, corners and a grip at the front."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -0.9 * y, y, 0, z, 0.03, looking(k.main, "leather"))
    k.box(-1.005 * x, 1.005 * x, -0.92 * y, 1.005 * y, 0.49 * z, 0.52 * z, BRASS)
    for sx in (-1, 1):
        for low in (0.0, 0.9):
            a, b = sorted((sx * x * 1.01, sx * 0.86 * x))
            k.soft(a, b, -0.93 * y, y, low * z, (low + 0.1) * z, 0.02, BRASS)
        k.box(sx * 0.5 * x - 0.03, sx * 0.5 * x + 0.03, -0.94 * y, -0.88 * y, 0.44 * z, 0.58 * z, STEEL)
    k.path(
        [
            (-0.25 * x, -0.9 * y, 0.56 * z),
            (-0.2 * x, -y, 0.56 * z),
            (0.2 * x, -y, 0.56 * z),
            (0.25 * x, -0.9 * y, 0.56 * z),
        ],
        0.014,
        DARK,
        6,
    )


def shoe(k: Kit, at: float, half: float, tall: float, wide: float, look: Paint, kind: str) -> None:
    """A shoe whose toe looks to the front: a ``sneaker``, a ``boot`` or a ``pump``."""
    sole = WHITE if kind == "sneaker" else shade(look, 0.45)
    low = 0.16 * tall
    outline = [
        (at + wide * a, half * b)
        for a, b in (
            (-0.55, -0.85),
            (-0.2, -1.0),
            (0.25, -1.0),
            (0.6, -0.8),
            (0.65, -0.3),
            (0.45, 0.2),
            (0.5, 0.8),
            (0.2, 1.0),
            (-0.2, 1.0),
            (-0.5, 0.8),
            (-0.45, 0.1),
            (-0.6, -0.4),
        )
    ]
    if kind == "pump":
        k.slab(outline, 0.0, 0.04 * tall, sole)
        k.box(at - 0.12 * wide, at + 0.12 * wide, 0.72 * half, 0.92 * half, 0, 0.5 * tall, sole)
        side = [
            (-half, 0.04 * tall),
            (-0.2 * half, 0.06 * tall),
            (half, 0.45 * tall),
            (0.95 * half, tall),
            (0.5 * half, 0.62 * tall),
            (-0.3 * half, 0.32 * tall),
            (-0.95 * half, 0.2 * tall),
        ]
        k.add(shapes.facing_side(shapes.prism(side, at - 0.42 * wide, at + 0.42 * wide)), look)
        return
    k.slab(outline, 0.0, low, sole)
    top = tall if kind == "boot" else 0.94 * tall
    instep = 0.62 if kind == "sneaker" else 0.5
    k.pillow(
        at - 0.55 * wide,
        at + 0.58 * wide,
        -0.97 * half,
        0.4 * half,
        low * 0.6,
        instep * tall,
        look,
        12,
        4,
        0.7,
        0.7,
    )
    k.frustum(
        (at - 0.48 * wide, at + 0.5 * wide, -0.25 * half, 0.97 * half),
        (at - 0.36 * wide, at + 0.36 * wide, 0.1 * half, 0.95 * half),
        low,
        top,
        look,
    )
    k.box(at - 0.3 * wide, at + 0.3 * wide, 0.16 * half, 0.88 * half, top, top + 0.01 * tall, DARK)
    for i in range(3):
        share = i / 3
        level = (instep - 0.02 + 0.3 * share) * tall
        k.box(
            at - 0.28 * wide,
            at + 0.28 * wide,
            (-0.42 + 0.3 * share) * half,
            (-0.36 + 0.3 * share) * half,
            level,
            level + 0.03 * tall,
            WHITE if kind == "sneaker" else BLACK,
        )


@part("shoes")
def sneakers(k: Kit) -> None:
    """A pair of laced shoes with white soles, one a little ahead."""
    for side in (-1, 1):
        shoe(k, side * 0.5 * k.x, 0.92 * k.y, k.z, 0.44 * k.x * 1.6, k.main, "sneaker")


@part("shoes")
def boots(k: Kit) -> None:
    """A pair of laced boots."""
    for side in (-1, 1):
        shoe(k, side * 0.52 * k.x, k.y, k.z, 0.4 * k.x * 1.6, k.main, "boot")


@part("shoes")
def pumps(k: Kit) -> None:
    """A pair of shoes with heels."""
    for side in (-1, 1):
        shoe(k, side * 0.5 * k.x, k.y, k.z, 0.42 * k.x * 1.5, looking(k.main, "gloss"), "pump")


@part("photo frame")
def photo_frame(k: Kit) -> None:
    """A leaning frame with a photograph of people, held by a stay behind."""
    _standing_photo(k, k.main, False)


@part("photo frame")
def oval_photo_frame(k: Kit) -> None:
    """A leaning frame with an oval photograph."""
    _standing_photo(k, BRASS if k.item.material == "metal" else k.main, True)


@part("photo frame")
def double_photo_frame(k: Kit) -> None:
    """Two frames hinged like a book, each with a photograph."""
    x = k.x
    for side in (-1, 1):
        _leaning(k, side * 0.5 * x, 0.48 * x, k.main, False, side * 14)


def _standing_photo(k: Kit, look: Paint, oval: bool) -> None:
    _leaning(k, 0.0, k.x, look, oval, 0.0)
    k.path([(0, 0.2 * k.y, 0.62 * k.z), (0, k.y, 0)], 0.012, DARK, 4)


def _leaning(k: Kit, at: float, half: float, look: Paint, oval: bool, turn: float) -> None:
    tall, lean = 1.02 * k.z, math.degrees(math.atan2(0.8 * k.y, k.z))
    edge = 0.16 * half

    def put(shape: shapes.Shape, paint_: Paint) -> None:
        k.add(shapes.turned(shapes.turned(shape, 0, -lean), 2, turn), paint_, (at, -0.9 * k.y, 0))

    put(shapes.soft(-half, half, 0, 0.014, 0, tall, 0.005), look)
    if oval:
        disc = shapes.facing_front(shapes.cylinder(1, 0, 0.002, 16))
        pane = shapes.moved(shapes.stretched(disc, half - edge, 1, tall / 2 - edge), 0, 0, tall / 2)
    else:
        pane = shapes.box(-half + edge, half - edge, -0.002, 0, edge, tall - edge)
    kind = ("photograph", "portrait", "photograph", "seascape")[int(k.rng.integers(4))]
    shown = picture(kind, f"{k.item.id} {turn}", round(2 * half, 2), round(tall, 2))
    pane = shapes.moved(shapes.turned(shapes.turned(pane, 0, -lean), 2, turn), at, -0.9 * k.y, 0)
    k.printed(pane, shown, looking(Paint(150, 160, 170), "gloss"))
