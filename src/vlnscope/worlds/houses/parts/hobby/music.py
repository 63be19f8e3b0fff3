"""Drums, speakers and record players."""

from __future__ import annotations

import math

from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.parts.kit import BLACK, BRASS, CHROME, DARK, DARK_WOOD, STEEL, WHITE, Kit, part
from vlnscope.worlds.houses.parts.surfaces import looking

_SKIN = Paint(240, 238, 230)
_CYMBAL = looking(Paint(206, 168, 70), "metal")


def _drum(k: Kit, at: shapes.Point, radius: float, tall: float, tilt: float = 0.0) -> None:
    """A drum with a skin and chrome hoops, its top tilted to the player."""
    shell = shapes.cylinder(radius, 0, tall, 12)
    top = shapes.lathe([(0.97 * radius, tall), (0, tall + 0.004)], 12)
    for shape, look in ((shell, looking(k.main, "gloss")), (top, _SKIN)):
        k.add(shapes.turned(shape, 0, tilt), look, at)
    hoop = [(radius, 0.92 * tall), (1.04 * radius, 0.93 * tall), (1.04 * radius, tall), (0.96 * radius, tall)]
    k.add(shapes.turned(shapes.lathe(hoop, 12), 0, tilt), CHROME, at)


def _cymbal(k: Kit, x: float, y: float, level: float, radius: float, tilt: float) -> None:
    disc = shapes.lathe([(radius, 0), (0.3 * radius, 0.035), (0, 0.06)], 12)
    k.add(shapes.turned(disc, 0, tilt), _CYMBAL, (x, y, level))
    k.tube((x, y, 0.14), (x, y, level + 0.07), 0.01, CHROME, 5)
    for i in range(3):
        a = math.tau * (i / 3 + 0.1)
        k.tube((x, y, 0.22), (x + 0.16 * math.cos(a), y + 0.16 * math.sin(a), 0), 0.009, CHROME, 3)


def _bass_drum(k: Kit, radius: float, x: float, y: float, deep: float) -> None:
    """A big drum that lies on its side, its skin to the front."""
    k.disc((x, y + deep, radius), radius, 2 * deep, looking(k.main, "gloss"), 18)
    k.disc((x, y - deep, radius), 0.94 * radius, 0.006, _SKIN, 18)
    k.add(shapes.facing_front(shapes.ring(radius, 0.016, 18, 4)), CHROME, (x, y - deep, radius))
    k.disc((x, y - deep - 0.005, 0.62 * radius), 0.22 * radius, 0.004, BLACK, 10)


def _throne(k: Kit, y: float, level: float) -> None:
    k.add(shapes.cylinder(0.17, level - 0.07, level, 12, 0.16), BLACK, (0, y, 0))
    k.tube((0, y, 0.1), (0, y, level - 0.05), 0.02, CHROME, 6)
    for i in range(3):
        a = math.tau * (i / 3 + 0.25)
        k.tube((0, y, 0.2), (0.18 * math.cos(a), y + 0.18 * math.sin(a), 0), 0.012, CHROME, 4)


def _kit_of_drums(k: Kit, toms: int, crashes: int) -> None:
    x, y, z = k.x, k.y, k.z
    r = min(0.3 * z, 0.38 * x)
    _bass_drum(k, r, 0, -0.35 * y, 0.3 * y)
    for i in range(toms):
        at = (i - (toms - 1) / 2) * 0.42 * x
        _drum(k, (at, -0.3 * y, 2.0 * r + 0.02), 0.19 * x, 0.2 * z, 18)
    _drum(k, (-0.55 * x, 0.3 * y, 0.42 * z), 0.22 * x, 0.16 * z)
    k.tube((-0.55 * x, 0.3 * y, 0.0), (-0.55 * x, 0.3 * y, 0.42 * z), 0.012, CHROME, 5)
    _drum(k, (0.6 * x, 0.3 * y, 0.1 * z), 0.26 * x, 0.4 * z)
    for i in range(3):
        a = math.tau * i / 3
        k.tube(
            (0.6 * x + 0.26 * x * math.cos(a), 0.3 * y + 0.26 * x * math.sin(a), 0),
            (0.6 * x + 0.26 * x * math.cos(a), 0.3 * y + 0.26 * x * math.sin(a), 0.3 * z),
            0.01,
            CHROME,
            3,
        )
    _cymbal(k, -0.72 * x, -0.25 * y, 0.72 * z, 0.26 * x, 0)
    spots = ((-0.62, -0.6, 0.94), (0.7, -0.45, 0.92), (0.3, -0.75, 0.86))
    for a, b, c in spots[:crashes]:
        _cymbal(k, a * x, b * y, c * z, 0.28 * x, 14)
    _throne(k, 0.78 * y, 0.44 * z)


@part("drum kit")
def rock_drum_kit(k: Kit) -> None:
    """A bass drum with two toms on it, a snare, a floor tom, three cymbals on stands and a stool."""
    _kit_of_drums(k, 2, 2)


@part("drum kit")
def jazz_drum_kit(k: Kit) -> None:
    """A small kit with one tom and two cymbals."""
    _kit_of_drums(k, 1, 1)


@part("drum kit")
def large_drum_kit(k: Kit) -> None:
    """A kit with three toms and three cymbals."""
    _kit_of_drums(k, 3, 2)


def _cone(k: Kit, level: float, radius: float, look: Paint = DARK) -> None:
    """A loudspeaker's cone in its ring at the front."""
    front = -k.y + 0.004
    cup = shapes.facing_front(
        shapes.lathe([(radius, 0.002), (0.4 * radius, -0.02), (0.34 * radius, 0.0), (0, 0.012)], 16)
    )
    k.disc((0, front + 0.006, level), radius, 0.006, BLACK, 16)
    k.add(cup, look, (0, front - 0.002, level))
    k.add(shapes.facing_front(shapes.ring(radius, 0.06 * radius, 16, 4)), STEEL, (0, front - 0.002, level))


@part("speaker")
def tower_speaker(k: Kit) -> None:
    """A tall box with two large cones and a small one, on a plinth."""
    x, y, z = k.x, k.y, k.z
    k.soft(-0.92 * x, 0.92 * x, -y + 0.01, y, 0.04 * z, z, 0.012)
    k.soft(-x, x, -y, y, 0, 0.04 * z, 0.008, BLACK)
    r = min(0.7 * x, 0.15 * z)
    _cone(k, 0.26 * z, r)
    _cone(k, 0.56 * z, r)
    _cone(k, 0.8 * z, 0.5 * r, _CYMBAL)
    k.box(-0.3 * x, 0.3 * x, -y + 0.004, -y + 0.012, 0.92 * z, 0.94 * z, CHROME)


@part("speaker")
def speaker_on_a_stand(k: Kit) -> None:
    """A box with two cones on a pole with a flat foot."""
    x, y, z = k.x, k.y, k.z
    low = 0.58 * z
    k.soft(-x, x, -y + 0.01, y, low, z, 0.012)
    k.soft(-0.95 * x, 0.95 * x, -0.9 * y, 0.9 * y, 0, 0.025, 0.006, DARK)
    k.tube((0, 0, 0.02), (0, 0, low), 0.025, DARK, 8)
    k.box(-0.7 * x, 0.7 * x, -0.6 * y, 0.6 * y, low - 0.015, low, DARK)
    r = min(0.66 * x, 0.15 * z)
    _cone(k, low + 0.36 * (z - low), r)
    _cone(k, low + 0.78 * (z - low), 0.48 * r, WHITE)


@part("speaker")
def stage_speaker(k: Kit) -> None:
    """A broad black box with a horn over a huge cone, metal corners and a grip."""
    x, y, z = k.x, k.y, k.z
    k.soft(-x, x, -y + 0.01, y, 0, z, 0.015)
    r = min(0.78 * x, 0.3 * z)
    _cone(k, 0.36 * z, r)
    horn = shapes.frustum(
        (-0.25 * x, 0.25 * x, -0.03 * z, 0.03 * z), (-0.7 * x, 0.7 * x, -0.1 * z, 0.1 * z), 0, 0.02
    )
    k.add(shapes.facing_front(horn), BLACK, (0, -y + 0.015, 0.8 * z))
    k.box(-0.3 * x, 0.3 * x, -y - 0.008, -y, 0.77 * z, 0.83 * z, STEEL)
    for sx in (-1, 1):
        for low in (0.0, 0.95):
            a, b = sorted((sx * 1.01 * x, sx * 0.8 * x))
            k.box(a, b, -y, -0.8 * y, low * z, (low + 0.05) * z, STEEL)


def _turntable(k: Kit, level: float, at: float) -> None:
    """A platter with a black record, its label, and an arm."""
    x, y = k.x, k.y
    r = min(0.62 * x, 0.86 * y)
    k.lathe([(r, level), (r, level + 0.012), (0, level + 0.012)], STEEL, (at, 0), 20)
    k.lathe(
        [(0.97 * r, level + 0.012), (0.97 * r, level + 0.015), (0, level + 0.016)],
        looking(BLACK, "gloss"),
        (at, 0),
        20,
    )
    for share in (0.5, 0.7, 0.88):
        k.lathe([(share * r, level + 0.0165), ((share - 0.02) * r, level + 0.017)], DARK, (at, 0), 20)
    k.lathe([(0.34 * r, level + 0.017), (0, level + 0.018)], paint("red"), (at, 0), 12)
    k.lathe([(0.04 * r, level + 0.018), (0, level + 0.024)], WHITE, (at, 0), 6)
    k.lathe(
        [(0, level), (0.03, level), (0.03, level + 0.03), (0, level + 0.03)], CHROME, (0.8 * x, 0.6 * y), 8
    )
    k.path(
        [
            (0.8 * x, 0.78 * y, level + 0.034),
            (0.8 * x, 0.1 * y, level + 0.034),
            (at + 0.5 * r, -0.35 * y, level + 0.024),
        ],
        0.006,
        CHROME,
        5,
    )


@part("record player")
def record_player_with_lid(k: Kit) -> None:
    """A wooden case with a record on its platter, an arm, and a clear lid that stands open."""
    x, y, z = k.x, k.y, k.z
    body = min(0.45 * z, 0.14)
    k.soft(-x, x, -y, 0.96 * y, 0.012, body, 0.008)
    for sx in (-0.85, 0.85):
        for sy in (-0.8, 0.8):
            k.lathe([(0, 0), (0.02, 0), (0.02, 0.012)], BLACK, (sx * x, sy * y), 6)
    _turntable(k, body, -0.18 * x)
    lid = shapes.box(-0.98 * x, 0.98 * x, -0.012, 0.0, 0, z - body)
    k.add(shapes.turned(lid, 0, -6), Paint(178, 212, 226, 11), (0, 0.9 * y, body))
    k.frame((-0.99 * x, 0.99 * x), (0.93 * y, y), (body, z), 0.01, STEEL)
    k.disc((0.8 * x, -y, 0.5 * body), 0.016, 0.012, CHROME, 8)


@part("record player")
def gramophone(k: Kit) -> None:
    """A wooden box with a record, a crank and a great brass horn."""
    x, y, z = k.x, k.y, k.z
    body = 0.34 * z
    k.soft(-0.9 * x, 0.9 * x, -y, 0.8 * y, 0.0, body, 0.01, looking(DARK_WOOD, "wood"))
    k.soft(-0.95 * x, 0.95 * x, -1.03 * y, 0.83 * y, 0, 0.06 * z, 0.006)
    _turntable(k, body, -0.15 * x)
    k.path(
        [(0.9 * x, 0, 0.5 * body), (x, 0, 0.5 * body), (x, 0, 0.8 * body), (1.08 * x, 0, 0.8 * body)],
        0.008,
        CHROME,
        5,
    )
    k.path(
        [(0.5 * x, 0.7 * y, body), (0.5 * x, 0.9 * y, 0.5 * z), (0.3 * x, 0.6 * y, 0.56 * z)],
        [0.012, 0.02, 0.03],
        BRASS,
        8,
    )
    horn = shapes.lathe([(0.03, 0), (0.05, 0.14), (0.1, 0.26), (0.22, 0.34)], 14)
    size = 1.35 * z / 0.6
    k.add(
        shapes.turned(
            shapes.turned(shapes.stretched(horn, size * 0.6, size * 0.6, size * 0.5), 0, 62), 2, -20
        ),
        BRASS,
        (0.25 * x, 0.45 * y, 0.57 * z),
    )


@part("record player")
def suitcase_record_player(k: Kit) -> None:
    """A small case whose lid stands open, with a record on its platter, an arm and two knobs."""
    x, y, z = k.x, k.y, k.z
    body = min(0.46 * z, 0.13)
    k.soft(-x, x, -y, 0.8 * y, 0, body, 0.015)
    k.box(-0.93 * x, 0.93 * x, -0.93 * y, 0.74 * y, body, body + 0.003, k.light)
    _turntable(k, body + 0.003, -0.2 * x)
    lid = shapes.soft(-x, x, 0, 0.055, 0, z - body, 0.012)
    k.add(shapes.turned(lid, 0, -8), k.dark, (0, 0.74 * y, body))
    k.path(
        [
            (-0.2 * x, -y, 0.5 * body),
            (-0.18 * x, -y - 0.025, 0.5 * body),
            (0.18 * x, -y - 0.025, 0.5 * body),
            (0.2 * x, -y, 0.5 * body),
        ],
        0.009,
        shade(DARK_WOOD, 0.8),
        5,
    )
    for side in (-0.6, 0.6):
        k.box(side * x - 0.02, side * x + 0.02, -y - 0.006, -y, 0.7 * body, body, BRASS)
        k.lathe(
            [(0, body), (0.018, body), (0.015, body + 0.02), (0, body + 0.02)],
            CHROME,
            (0.8 * x, -0.5 * y + 0.3 * side * y),
            8,
        )
