"""Treadmills and exercise balls."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint
from vlnscope.worlds.houses.parts.kit import BLACK, DARK, STEEL, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking


def _deck(k: Kit, rise: float) -> None:
    """A belt on a deck that rises `rise` metres to the back, on feet."""
    x, y, z = k.x, k.y, k.z
    low, high = 0.03, 0.12 * z
    deck = [(-y, low), (0.72 * y, low + rise), (0.72 * y, high + rise), (-y, high)]
    belt = [
        (-0.99 * y, high - 0.01),
        (0.7 * y, high + rise - 0.01),
        (0.7 * y, high + rise + 0.012),
        (-0.99 * y, high + 0.012),
    ]
    k.add(shapes.facing_side(shapes.prism(deck, -x, x)), k.main)
    k.add(shapes.facing_side(shapes.prism(belt, -0.76 * x, 0.76 * x)), BLACK)
    for i in range(6):
        at = -y + (i + 0.5) * 1.7 * y / 6
        level = high + 0.013 + rise * (at + y) / (1.72 * y)
        k.box(-0.08 * x, 0.08 * x, at, at + 0.05 * y, level, level + 0.004 + 0.05 * rise, STEEL)
    for side in (-1, 1):
        k.box(side * 0.8 * x - 0.04, side * 0.8 * x + 0.04, -y, -0.9 * y, 0, 0.04, DARK)
        k.box(side * 0.8 * x - 0.04, side * 0.8 * x + 0.04, 0.8 * y, 0.9 * y, 0, 0.04, DARK)


def _console(k: Kit, wide: float, tilt: float) -> None:
    """A tilted board with a lit screen and coloured buttons at the head."""
    x, y, z = k.x, k.y, k.z
    w = wide * x

    def put(shape: shapes.Shape, look: Paint) -> None:
        k.add(shapes.turned(shape, 0, -tilt), look, (0, 0.66 * y, 0.88 * z))

    put(shapes.soft(-w, w, -0.05, 0.05, -0.13 * z, 0.13 * z, 0.02), DARK)
    put(shapes.box(-0.55 * w, 0.55 * w, -0.056, -0.05, -0.02 * z, 0.09 * z), Paint(90, 200, 170))
    for i, tint in enumerate(("red", "green", "yellow")):
        put(
            shapes.box((0.25 * i - 0.32) * w, (0.25 * i - 0.18) * w, -0.06, -0.05, -0.09 * z, -0.05 * z),
            paint(tint),
        )


@part("treadmill")
def console_treadmill(k: Kit) -> None:
    """A belt on a deck, two uprights, handrails, a console at the head (the back)."""
    x, y, z = k.x, k.y, k.z
    _deck(k, 0.0)
    k.soft(-x, x, 0.72 * y, y, 0.03, 0.22 * z, 0.03, k.dark)
    for side in (-1, 1):
        at = side * 0.88 * x
        k.tube((at, 0.88 * y, 0.12 * z), (at, 0.66 * y, 0.86 * z), 0.035, STEEL, 8)
        k.path([(at, 0.66 * y, 0.82 * z), (at, 0.1 * y, 0.74 * z), (at, 0.05 * y, 0.68 * z)], 0.026, BLACK, 6)
    _console(k, 1.0, 28)


@part("treadmill")
def loop_treadmill(k: Kit) -> None:
    """A raised deck with a thick loop of tube as frame, a small console and a low motor hood."""
    x, y, z = k.x, k.y, k.z
    _deck(k, 0.06)
    k.frustum(
        (-x, x, 0.66 * y, y),
        (-0.9 * x, 0.9 * x, 0.76 * y, 0.98 * y),
        0.03,
        0.24 * z,
        looking(k.dark, "gloss"),
    )
    for side in (-1, 1):
        at = side * 0.9 * x
        k.path(
            [
                (at, 0.9 * y, 0.1),
                (at, 0.8 * y, 0.8 * z),
                (at, 0.5 * y, 0.84 * z),
                (at, -0.1 * y, 0.72 * z),
                (at, 0.0, 0.5 * z),
                (at, 0.86 * y, 0.34 * z),
            ],
            0.028,
            STEEL,
            6,
        )
    k.tube((-0.9 * x, 0.7 * y, 0.8 * z), (0.9 * x, 0.7 * y, 0.8 * z), 0.03, DARK, 6)
    _console(k, 0.6, 34)


@part("treadmill")
def folding_treadmill(k: Kit) -> None:
    """A flat walking deck with slim straight posts, a cross bar and a tablet as console."""
    x, y, z = k.x, k.y, k.z
    _deck(k, 0.02)
    k.soft(-x, x, 0.7 * y, y, 0.02, 0.16 * z, 0.025, k.dark)
    for side in (-1, 1):
        at = side * 0.92 * x
        k.box(at - 0.025, at + 0.025, 0.76 * y, 0.84 * y, 0.05, 0.94 * z, BLACK)
        k.tube((at, 0.8 * y, 0.74 * z), (at, 0.25 * y, 0.74 * z), 0.022, BLACK, 6)
    k.box(-0.92 * x, 0.92 * x, 0.77 * y, 0.83 * y, 0.84 * z, 0.88 * z, BLACK)
    _console(k, 0.5, 12)
    k.add(shapes.facing_side(shapes.cylinder(0.05, -0.05, 0.05, 10)), DARK, (0.8 * x, 0.9 * y, 0.05))


def _ribs(k: Kit, levels: tuple[float, ...], look: Paint) -> None:
    for level in levels:
        r = math.sqrt(1 - level * level)
        rib = shapes.stretched(shapes.ring(r, 0.014, 18, 3), k.x, k.y, k.z / 2)
        k.add(rib, look, (0, 0, k.z / 2 * (1 + level)))


def _plug(k: Kit) -> None:
    k.lathe([(0, 0.985 * k.z), (0.1 * k.x, 0.98 * k.z), (0, 1.003 * k.z)], DARK, sides=8)


def _sphere(k: Kit) -> None:
    k.ball((0, 0, k.z / 2), (k.x, k.y, k.z / 2), looking(k.main, "gloss"), 18)


@part("exercise ball")
def ribbed_ball(k: Kit) -> None:
    """A large ball with ribs around it and a plug."""
    _sphere(k)
    _ribs(k, (-0.5, -0.25, 0.0, 0.25, 0.5), k.light)
    _plug(k)


@part("exercise ball")
def footed_ball(k: Kit) -> None:
    """A large ball with a broad pale band that rests in a low ring."""
    _sphere(k)
    _ribs(k, (-0.12, 0.0, 0.12), k.light)
    _plug(k)
    ring = shapes.stretched(shapes.ring(0.62, 0.09, 18, 6), k.x, k.y, min(k.x, k.y))
    k.add(ring, DARK, (0, 0, 0.09 * min(k.x, k.y)))


@part("exercise ball")
def handled_ball(k: Kit) -> None:
    """A hopping ball with two horns to hold on to and a face of rings."""
    k.ball((0, 0, 0.44 * k.z), (k.x, k.y, 0.44 * k.z), looking(k.main, "gloss"), 18)
    for side in (-1, 1):
        k.path(
            [
                (side * 0.18 * k.x, 0, 0.84 * k.z),
                (side * 0.3 * k.x, 0, 0.94 * k.z),
                (side * 0.34 * k.x, 0, k.z),
            ],
            [0.08 * k.x, 0.06 * k.x, 0.08 * k.x],
            k.dark,
            8,
        )
    for level in (0.3, 0.44, 0.58):
        t = (level - 0.44) / 0.44
        r = math.sqrt(1 - t * t)
        k.add(shapes.stretched(shapes.ring(r, 0.014, 18, 3), k.x, k.y, k.z / 2), k.light, (0, 0, level * k.z))
