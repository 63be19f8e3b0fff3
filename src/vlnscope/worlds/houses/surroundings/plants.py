"""Trees, bushes and flowers as templates: each kind in several shapes, near ones rich and far ones coarse."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.shapes import Point, Shape
from vlnscope.worlds.houses.surroundings.foliage import Painted, branch, crown, lump, trunk, tufts
from vlnscope.worlds.houses.surroundings.stage import Template, look, template

SHAPES = 3
"""How many shapes there are of every kind of tree."""

_BARK = look(104, 84, 66, "bark")
_DARK_BARK = look(84, 66, 52, "bark")
_GREEN = look(84, 118, 52, "leaves")
_Maker = Callable[[np.random.Generator, bool], list[Painted]]


def _leafy(rng: np.random.Generator, near: bool) -> list[Painted]:
    """A broad tree 7.5 m high whose crown is 6 m wide."""
    lumps: list[tuple[Point, Point]] = [((0.0, 0.0, 4.9), (2.1, 2.1, 1.9))]
    turn = float(rng.uniform(0, math.tau))
    for i in range(3 if near else 2):
        a, high = (
            turn + i * (2.094 if near else 3.14) + float(rng.uniform(-0.3, 0.3)),
            float(rng.uniform(-0.9, 0.8)),
        )
        size = float(rng.uniform(1.15, 1.6))
        lumps.append(((1.55 * math.cos(a), 1.55 * math.sin(a), 4.7 + high), (size, size, 0.85 * size)))
    lumps.append(((0.3, -0.2, 6.3), (1.35, 1.3, 1.15)))
    parts = crown(rng, lumps, _GREEN, 230 if near else 60, 0.3 if near else 0.5, 1 if near else 0)
    lean = float(rng.uniform(-0.25, 0.25))
    parts.append(
        (
            trunk(
                [(0, 0, -0.1), (0.05, 0, 0.4), (0.6 * lean, 0, 2.0), (lean, 0, 4.2)], [0.34, 0.23, 0.19, 0.1]
            ),
            _BARK,
        )
    )
    if near:
        for a in (turn + 0.4, turn + 2.5, turn + 4.4):
            end = (1.3 * math.cos(a), 1.3 * math.sin(a), 4.2)
            parts.append((branch((0.5 * lean, 0, float(rng.uniform(2.0, 2.6))), end, 0.09), _BARK))
    return parts


def _birch(rng: np.random.Generator, near: bool) -> list[Painted]:
    """A slender tree 9 m high with a white trunk and an airy crown."""
    lumps: list[tuple[Point, Point]] = []
    for i in range(6 if near else 3):
        level = i / (5 if near else 2)
        a, out = i * 2.4, 0.55 * (1 - 0.6 * level)
        size = 1.25 - 0.6 * level
        lumps.append(((out * math.cos(a), out * math.sin(a), 3.4 + 4.6 * level), (size, size, 1.0)))
    paint = look(122, 148, 66, "leaves")
    parts = crown(rng, lumps, paint, 260 if near else 40, 0.26 if near else 0.42, 0)
    white = look(214, 210, 200, "bark")
    if not near:
        return [*parts, (trunk([(0, 0, -0.1), (0, 0, 6.5)], [0.15, 0.05], 5), white)]
    heights = (-0.1, 0.5, 1.0, 1.15, 2.0, 2.12, 3.0, 3.1, 6.5)
    for i, (z0, z1) in enumerate(itertools.pairwise(heights)):
        tone = look(58, 54, 50, "bark") if i in (0, 2, 4, 6) and i else white
        r0, r1 = (0.15 * (1 - 0.11 * z) for z in (z0, z1))
        parts.append((trunk([(0, 0, z0), (0, 0, z1)], [r0, r1], 7), tone))
    return parts


def _conifer(rng: np.random.Generator, near: bool) -> list[Painted]:
    """A spruce 10 m high: tiers of drooping branches, each a ragged cone."""
    paint = look(52, 82, 56, "needles")
    tiers, sides = (9, 14) if near else (4, 8)
    parts: list[Painted] = []
    for i in range(tiers):
        level = i / tiers
        wide, low = 2.1 * (1 - level) ** 0.85 + 0.25, 1.0 + 8.2 * level
        high = low + (9.6 - low) * 0.42 + 0.5
        parts.append((_tier(rng, wide, low, high, sides), shade(paint, 0.8 + 0.3 * level)))
    parts.append((trunk([(0, 0, -0.1), (0, 0, 1.9)], [0.22, 0.18], 6), _DARK_BARK))
    return parts


def _tier(rng: np.random.Generator, wide: float, low: float, high: float, sides: int) -> Shape:
    angles = np.arange(sides) * (math.tau / sides) + rng.uniform(0, 1)
    reach = wide * np.where(np.arange(sides) % 2 == 0, 1.0, 0.66) * rng.uniform(0.86, 1.1, sides)
    droop = low + np.where(np.arange(sides) % 2 == 0, -0.16, 0.12) * wide + rng.uniform(-0.08, 0.08, sides)
    rim = np.stack([reach * np.cos(angles), reach * np.sin(angles), droop], axis=1)
    tips = np.array([(0.0, 0.0, high), (0.0, 0.0, low + 0.25 * (high - low))])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    top = np.stack([i, j, np.full(sides, sides)], axis=1)
    under = np.stack([j, i, np.full(sides, sides + 1)], axis=1)
    return np.concatenate([rim, tips]), np.concatenate([top, under]).astype(np.int32)


def _cypress(rng: np.random.Generator, near: bool) -> list[Painted]:
    """A narrow dark column 8 m high."""
    lumps: list[tuple[Point, Point]] = [
        ((0.0, 0.0, 2.6), (0.75, 0.75, 2.3)),
        ((0.0, 0.05, 5.0), (0.55, 0.55, 2.9)),
    ]
    paint = look(56, 80, 48, "needles")
    parts = crown(rng, lumps, paint, 160 if near else 30, 0.26, 1 if near else 0)
    return [*parts, (trunk([(0, 0, -0.1), (0, 0, 0.8)], [0.16, 0.14], 6), _DARK_BARK)]


def _palm(rng: np.random.Generator, near: bool) -> list[Painted]:
    """A palm 6.5 m high: a bent trunk with rings and a head of drooping fronds."""
    bend = float(rng.uniform(0.3, 0.9))
    stem: list[Point] = [(bend * (z / 6) ** 2, 0.0, z - 0.1) for z in (0.0, 0.4, 1.5, 2.6, 3.7, 4.8, 6.0)]
    parts: list[Painted] = [
        (trunk(stem, [0.3, 0.22, 0.18, 0.17, 0.16, 0.15, 0.17], 8 if near else 4), look(136, 112, 84, "bark"))
    ]
    count, paint = (15 if near else 6), look(92, 122, 54, "leaves")
    head = stem[-1]
    for i in range(count):
        a = i * 2.4 + float(rng.uniform(-0.2, 0.2))
        rise = float(rng.uniform(0.1, 1.0)) if i % 3 else float(rng.uniform(-0.5, 0.1))
        frond = _frond(a, rise, 2.3 + float(rng.uniform(-0.3, 0.3)))
        parts.append((shapes.moved(frond, *head), shade(paint, 0.75 + 0.35 * max(0.0, rise))))
    return parts


def _frond(angle: float, rise: float, length: float) -> Shape:
    steps = np.linspace(0, 1, 6)
    out = length * steps * (1 - 0.18 * steps)
    high = length * (0.55 * rise * steps - 0.62 * steps**2)
    half = 0.34 * np.sin(np.pi * np.clip(steps * 0.86 + 0.1, 0, 1)) + 0.02
    spine = np.stack([out * math.cos(angle), out * math.sin(angle), high], axis=1)
    side = np.array([-math.sin(angle), math.cos(angle), 0.0])
    drop = np.array([0.0, 0.0, -0.5])
    left, right = (spine + half[:, None] * (sign * side + drop * 0.8) for sign in (1, -1))
    i = np.arange(5)
    faces = [
        np.stack(c, axis=1)
        for c in ((i + 6, i, i + 1), (i + 6, i + 1, i + 7), (i, i + 12, i + 13), (i, i + 13, i + 1))
    ]
    return np.concatenate([spine, left, right]), np.concatenate(faces).astype(np.int32)


_MAKERS: dict[str, _Maker] = {
    "leafy": _leafy, "birch": _birch, "conifer": _conifer, "cypress": _cypress, "palm": _palm,
}  # fmt: skip
TREES = tuple(_MAKERS)
"""Kinds of trees."""

CROWNS = {"leafy": 3.3, "birch": 1.9, "conifer": 2.5, "cypress": 0.9, "palm": 2.6}
"""How far each kind reaches from its trunk, metres."""


@lru_cache(maxsize=64)
def tree(kind: str, shape: int, near: bool = True) -> Template:
    """Return a tree standing on the origin; a far one has about a fifth of the faces."""
    return template(_MAKERS[kind](rng_for(0, "tree", kind, shape), near))


@lru_cache(maxsize=8)
def bush(shape: int) -> Template:
    """Return a round bush about 1 m wide and high."""
    rng = rng_for(0, "shrub", shape)
    lumps: list[tuple[Point, Point]] = [
        ((0.0, 0.0, 0.45), (0.45, 0.45, 0.42)),
        ((0.2, 0.12, 0.6), (0.28, 0.3, 0.28)),
    ]
    paint = (look(76, 108, 50, "leaves"), look(96, 124, 60, "leaves"), look(72, 98, 62, "leaves"))[shape % 3]
    parts = crown(rng, lumps, paint, 48, 0.1, 1)
    if shape % 2:
        parts.append((tufts(rng, (0, 0, 0.5), (0.5, 0.5, 0.45), 26, 0.05), _BLOSSOMS[shape % len(_BLOSSOMS)]))
    return template(parts)


_BLOSSOMS = (
    look(214, 92, 116),
    look(226, 214, 232),
    look(222, 176, 60),
    look(170, 66, 72),
    look(140, 110, 190),
)


@lru_cache(maxsize=8)
def flowers(shape: int) -> Template:
    """Return a clump of flowers about 0.6 m wide and 0.35 m high."""
    rng = rng_for(0, "flowers", shape)
    parts: list[Painted] = [(lump(rng, (0, 0, 0.1), (0.3, 0.3, 0.16), 0, 0.2), look(84, 110, 56, "leaves"))]
    parts.append((tufts(rng, (0, 0, 0.12), (0.3, 0.3, 0.2), 16, 0.07), look(96, 128, 62)))
    parts.append((tufts(rng, (0, 0, 0.14), (0.28, 0.28, 0.22), 22, 0.045), _BLOSSOMS[shape % len(_BLOSSOMS)]))
    return template(parts)


def hedge(
    rng: np.random.Generator,
    a: tuple[float, float],
    b: tuple[float, float],
    size: tuple[float, float],
    z: float,
) -> Shape:
    """Return a clipped hedge from a to b with slightly uneven sides; `size` is its width and height."""
    (x0, y0), (x1, y1) = a, b
    length = max(math.hypot(x1 - x0, y1 - y0), 1e-6)
    count = max(2, round(length / 0.9) + 1)
    along = np.array(((x1 - x0) / length, (y1 - y0) / length, 0.0))
    side, up = np.array((-along[1], along[0], 0.0)), np.array((0.0, 0.0, 1.0))
    wide, high = size
    profile = [(-0.5, 0.0), (-0.5, 0.9), (-0.36, 1.0), (0.36, 1.0), (0.5, 0.9), (0.5, 0.0)]
    steps = np.linspace(0, length, count)[:, None, None] * along
    ring: Floats = np.array([u * wide * side + v * high * up for u, v in profile])
    points = np.array((x0, y0, z)) + steps + ring[None]
    rough = rng.uniform(-0.05, 0.05, (count, len(profile), 2))
    rough[:, (0, -1), 1] = 0.0
    points = points + rough[..., :1] * side + rough[..., 1:] * up
    i, k = np.meshgrid(np.arange(count - 1), np.arange(len(profile) - 1), indexing="ij")
    p, q = i * 6 + k, (i + 1) * 6 + k
    faces = [np.stack([p, q, q + 1], -1).reshape(-1, 3), np.stack([p, q + 1, p + 1], -1).reshape(-1, 3)]
    last = (count - 1) * 6
    caps = [(0, k, k + 1) for k in range(1, 5)] + [(last, last + k + 1, last + k) for k in range(1, 5)]
    return points.reshape(-1, 3), np.concatenate([*faces, np.array(caps)]).astype(np.int32)


HEDGE_PAINTS: tuple[Paint, ...] = (
    look(64, 96, 44, "leaves"),
    look(78, 106, 54, "leaves"),
    look(56, 84, 50, "needles"),
)
