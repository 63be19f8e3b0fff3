"""Rows of books seen from the front, and faces of clocks."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.gallery import CUTS
from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, Sketch, jittered, toned

_CLOTH: tuple[Colour, ...] = (
    (126, 36, 38), (36, 52, 88), (48, 84, 62), (196, 172, 128), (40, 108, 112), (92, 30, 48), (196, 104, 44),
    (58, 58, 62), (178, 140, 64), (52, 88, 150), (232, 226, 212), (98, 62, 118), (120, 86, 56),
    (214, 198, 160), (70, 74, 82), (160, 60, 66),
)  # fmt: skip


def _spine(c: Sketch, x0: float, x1: float, cloth: Colour) -> None:
    """One book: a rounded back with bands, a title and a mark of its publisher."""
    rng = c.rng
    for step in range(8):
        a, b = x0 + (x1 - x0) * step / 8, x0 + (x1 - x0) * (step + 1) / 8
        c.box(a, 0, b, 1, toned(cloth, 0.72 + 0.3 * math.sin(math.pi * (step + 0.9) / 8)))
    ink = (232, 206, 140) if sum(cloth) < 420 else (60, 44, 40)
    wide = x1 - x0
    kind = int(rng.integers(4))
    if kind == 0:
        for y in (0.08, 0.12, 0.86, 0.9):
            c.box(x0, y, x1, y + 0.015, ink)
    elif kind == 1:
        c.box(x0, 0.14, x1, 0.34, toned(cloth, 0.55) if sum(cloth) > 300 else (200, 180, 140))
    elif kind == 2:
        for k in range(5):
            c.box(x0, 0.1 + 0.19 * k, x1, 0.118 + 0.19 * k, toned(cloth, 0.6))
    top, y = rng.uniform(0.18, 0.3), 0.0
    while y < rng.uniform(0.25, 0.5):
        tall = rng.uniform(0.02, 0.05)
        c.box(x0 + 0.34 * wide, top + y, x1 - 0.34 * wide, top + y + tall, ink)
        y += tall + 0.014
    c.box(x0 + 0.35 * wide, 0.93, x1 - 0.35 * wide, 0.955, ink)
    c.box(x1 - 0.04 * wide, 0, x1, 1, toned(cloth, 0.4))


@motif("spines")
def spines(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Spines side by side as `CUTS` says, all as high as the picture."""
    c = Sketch(rng, width, height, (30, 26, 24))
    for x0, x1 in pairwise(CUTS):
        _spine(c, x0, x1, jittered(rng, _CLOTH[int(rng.integers(len(_CLOTH)))], 14))
    return c.finished(3.0)


@motif("clock face")
def clock_face(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A dial with marks or figures, and hands."""
    pale = rng.random() < 0.75
    ground, ink = ((246, 243, 234), (36, 36, 40)) if pale else ((40, 42, 48), (236, 234, 226))
    c = Sketch(rng, width, height, ground)
    style = int(rng.integers(3))
    for k in range(60):
        a = math.tau * k / 60
        long = 0.06 if k % 5 == 0 else 0.02
        if style == 2 and k % 5:
            continue
        inner = 0.46 - long
        ends = [(0.5 + r * math.sin(a), 0.5 - r * math.cos(a)) for r in (inner, 0.46)]
        c.line(ends, 0.022 if k % 5 == 0 else 0.008, ink)
    if style == 1:
        for k in range(12):
            a = math.tau * k / 12
            x, y = 0.5 + 0.34 * math.sin(a), 0.5 - 0.34 * math.cos(a)
            for stroke in range(1 + k % 3):
                c.box(x - 0.03 + 0.025 * stroke, y - 0.035, x - 0.015 + 0.025 * stroke, y + 0.035, ink)
    minutes = rng.uniform(0, 720)
    for turn, long, thick in ((minutes / 720, 0.24, 0.035), (minutes / 60, 0.37, 0.024)):
        a = math.tau * turn
        tip = (0.5 + long * math.sin(a), 0.5 - long * math.cos(a))
        tail = (0.5 - 0.07 * math.sin(a), 0.5 + 0.07 * math.cos(a))
        c.line([tail, tip], thick, ink)
    c.circle(0.5, 0.5, 0.03, ink)
    return c.finished()
