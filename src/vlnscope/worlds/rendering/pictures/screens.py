"""What screens show, and what is written on boards and paper."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, Sketch, jittered, mixed, ridge, toned

_ACCENTS: tuple[Colour, ...] = (
    (66, 133, 214),
    (234, 110, 70),
    (80, 170, 110),
    (150, 96, 200),
    (232, 180, 60),
)


def _rows(c: Sketch, x0: float, x1: float, y0: float, y1: float, tall: float, colour: Colour) -> None:
    """Lines of text between y0 and y1, as bars of chance length."""
    y = y0
    while y + tall < y1:
        end = x0 + (x1 - x0) * c.rng.uniform(0.55, 1.0)
        x = x0
        while x < end:
            wide = c.rng.uniform(0.02, 0.06) * (x1 - x0) / 0.4
            c.box(x, y, min(x + wide, end), y + 0.55 * tall, colour)
            x += wide + 0.012
        y += tall * (2.2 if c.rng.random() < 0.12 else 1.2)


@motif("desktop")
def desktop(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Windows, icons and a bar before a picture."""
    accent = _ACCENTS[int(rng.integers(len(_ACCENTS)))]
    c = Sketch(rng, width, height, accent)
    c.shade_down(0, 1, toned(accent, 0.5), toned(accent, 1.3))
    for k in range(3):
        c.polygon(ridge(rng, 0.55 + 0.15 * k, 0.08), toned(accent, 0.8 - 0.2 * k))
    for k in range(4):
        c.box(0.03, 0.06 + 0.14 * k, 0.075, 0.06 + 0.14 * k + 0.08, _ACCENTS[k])
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0.12, 0.45), rng.uniform(0.05, 0.35)
        w, h = rng.uniform(0.35, 0.5), rng.uniform(0.35, 0.5)
        c.box(x, y, x + w, y + h, (246, 247, 249))
        c.box(x, y, x + w, y + 0.045, (206, 210, 216))
        for k, dot in enumerate(((232, 96, 88), (240, 190, 72), (96, 190, 90))):
            c.circle(x + 0.02 + 0.022 * k, y + 0.022, 0.011, dot)
        c.box(x, y + 0.045, x + 0.08, y + h, (226, 230, 236))
        if rng.random() < 0.5:
            c.box(x + 0.1, y + 0.08, x + w - 0.03, y + 0.45 * h, jittered(rng, accent, 40))
            _rows(c, x + 0.1, x + w - 0.03, y + 0.5 * h, y + h - 0.03, 0.028, (150, 154, 160))
        else:
            _rows(c, x + 0.1, x + w - 0.03, y + 0.08, y + h - 0.03, 0.028, (120, 124, 130))
    c.box(0, 0.94, 1, 1, (34, 38, 46))
    for k in range(7):
        c.box(0.3 + 0.06 * k, 0.952, 0.335 + 0.06 * k, 0.988, _ACCENTS[k % 5])
    return c.finished()


@motif("code")
def code(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """An editor with coloured words on a dark ground."""
    c = Sketch(rng, width, height, (30, 33, 40))
    c.box(0, 0, 0.16, 1, (38, 42, 50))
    c.box(0, 0, 1, 0.05, (48, 52, 62))
    _rows(c, 0.02, 0.13, 0.09, 0.9, 0.04, (120, 126, 138))
    y, indent = 0.09, 0
    while y < 0.93:
        indent = int(np.clip(indent + rng.integers(-1, 2), 0, 4))
        x = 0.22 + 0.03 * indent
        for _ in range(int(rng.integers(0, 7))):
            wide = rng.uniform(0.02, 0.09)
            tint = ((198, 120, 221), (152, 195, 121), (97, 175, 239), (209, 154, 102), (190, 196, 206))
            c.box(x, y, x + wide, y + 0.022, tint[int(rng.integers(5))])
            x += wide + 0.012
        y += 0.04
    return c.finished()


@motif("document")
def document(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A page of text, or a sheet with a chart."""
    accent = _ACCENTS[int(rng.integers(len(_ACCENTS)))]
    c = Sketch(rng, width, height, (222, 225, 230))
    c.box(0, 0, 1, 0.09, accent)
    c.box(0.2, 0.14, 0.8, 1, (250, 250, 250))
    c.box(0.25, 0.19, 0.6, 0.23, (60, 64, 70))
    if rng.random() < 0.5:
        for k in range(7):
            tall = rng.uniform(0.05, 0.3)
            c.box(0.27 + 0.07 * k, 0.62 - tall, 0.315 + 0.07 * k, 0.62, _ACCENTS[k % 5])
        _rows(c, 0.25, 0.75, 0.68, 0.97, 0.03, (120, 122, 126))
    else:
        _rows(c, 0.25, 0.75, 0.28, 0.97, 0.03, (110, 112, 116))
    return c.finished()


@motif("film")
def film(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A scene of a film, with black bars: a figure before a landscape, a pitch, or a studio."""
    c = Sketch(rng, width, height, (20, 24, 30))
    kind = int(rng.integers(3))
    if kind == 0:
        top, low = (
            ((40, 60, 110), (236, 150, 96)) if rng.random() < 0.5 else ((90, 150, 210), (220, 232, 240))
        )
        c.shade_down(0, 0.75, top, low)
        for k in range(3):
            c.polygon(ridge(rng, 0.55 + 0.12 * k, 0.06), mixed(low, (24, 30, 34), 0.45 + 0.25 * k))
        x = rng.uniform(0.3, 0.7)
        c.circle(x, 0.42, 0.06, (40, 28, 24))
        c.polygon([(x - 0.07, 1), (x - 0.05, 0.52), (x + 0.05, 0.52), (x + 0.07, 1)], (34, 26, 30))
    elif kind == 1:
        for k in range(8):
            c.box(k / 8, 0.25, (k + 1) / 8, 1, (66, 140 + 14 * (k % 2), 66))
        c.box(0, 0, 1, 0.25, (70, 74, 92))
        c.line([(0, 0.55), (1, 0.5)], 0.012, (236, 240, 236))
        for k in range(9):
            x, y = rng.random(), rng.uniform(0.35, 0.9)
            tint = ((220, 50, 50), (240, 240, 240))[k % 2]
            c.box(x, y - 0.06, x + 0.02, y + 0.02, tint)
            c.circle(x + 0.01, y - 0.08, 0.02, (210, 170, 140))
        c.box(0.04, 0.06, 0.3, 0.13, (24, 30, 60))
    else:
        c.shade_down(0, 1, (28, 60, 120), (80, 140, 210))
        c.box(0.55, 0.12, 0.95, 0.5, (200, 214, 230))
        c.oval(0.32, 0.98, 0.17, 0.4, (44, 48, 66))
        c.circle(0.32, 0.42, 0.14, (206, 160, 130))
        c.oval(0.32, 0.33, 0.085, 0.09, (64, 44, 34))
        c.box(0, 0.8, 1, 0.93, (176, 30, 40))
        _rows(c, 0.08, 0.8, 0.84, 0.92, 0.06, (250, 250, 250))
    c.box(0, 0, 1, 0.06, (6, 6, 8))
    c.box(0, 0.94, 1, 1, (6, 6, 8))
    return c.finished(2.0)


@motif("scribbles")
def scribbles(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A whiteboard with handwriting, boxes, arrows and a curve."""
    c = Sketch(rng, width, height, (246, 248, 248))
    pens: tuple[Colour, ...] = ((34, 40, 60), (190, 40, 44), (30, 90, 160), (40, 120, 70))
    for line in range(int(rng.integers(4, 8))):
        y, x = 0.12 + 0.1 * line, 0.06
        while x < rng.uniform(0.3, 0.5):
            points = [(x + 0.008 * k, y + rng.uniform(-0.02, 0.02)) for k in range(int(rng.integers(3, 8)))]
            c.line(points, 0.008, pens[line % 2 * 2])
            x = points[-1][0] + 0.02
    spots = [(rng.uniform(0.58, 0.92), 0.16 + 0.28 * k) for k in range(3)]
    for k, (x, y) in enumerate(spots):
        edge = [(x - 0.07, y - 0.06), (x + 0.07, y - 0.06), (x + 0.07, y + 0.06), (x - 0.07, y + 0.06)]
        c.line([*edge, edge[0]], 0.009, pens[1 + k % 3])
        if k:
            c.line([(spots[k - 1][0], spots[k - 1][1] + 0.06), (x, y - 0.07)], 0.008, pens[0])
    curve = [(0.08 + 0.03 * k, 0.93 - 0.12 * math.exp(-(((k - 6) / 3) ** 2))) for k in range(13)]
    c.line([(0.06, 0.95), (0.5, 0.95)], 0.007, pens[0])
    c.line(curve, 0.009, pens[1])
    return c.finished(1.0)


@motif("newspaper")
def newspaper(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A front page: a title, columns and a grey picture."""
    c = Sketch(rng, width, height, (228, 224, 214))
    c.box(0.1, 0.04, 0.9, 0.11, (40, 40, 42))
    c.box(0.05, 0.14, 0.95, 0.145, (60, 60, 62))
    c.box(0.05, 0.17, rng.uniform(0.5, 0.9), 0.22, (60, 60, 62))
    c.box(0.36, 0.27, 0.95, 0.58, (128, 128, 126))
    c.polygon([(0.36, 0.58), (0.55, 0.38), (0.7, 0.5), (0.95, 0.4), (0.95, 0.58)], (80, 80, 80))
    for k in range(3):
        _rows(c, 0.05 + 0.31 * k, 0.32 + 0.31 * k, 0.27 if k == 0 else 0.62, 0.96, 0.022, (120, 118, 114))
    return c.finished(3.0)


@motif("keyboard")
def keyboard(rng: np.random.Generator, width: int, height: int, main: Colour) -> NDArray[np.uint8]:
    """Rows of keys, light on dark or dark on light, seen from above."""
    light = sum(main) > 380
    c = Sketch(rng, width, height, (206, 208, 212) if light else (30, 31, 34))
    key = (246, 246, 246) if light else (66, 68, 74)
    rows = ((15, 0.16), (14, 0.17), (14, 0.17), (13, 0.17), (9, 0.17))
    y = 0.06
    for count, tall in rows:
        widths = np.ones(count)
        widths[[0, -1]] += rng.uniform(0.1, 0.8)
        if count == 9:
            widths[4] = 5.0
        ends = 0.03 + 0.94 * np.concatenate([[0.0], np.cumsum(widths)]) / widths.sum()
        for a, b in pairwise(ends.tolist()):
            c.box(a + 0.004, y, b - 0.004, y + tall - 0.03, key)
            c.box(a + 0.4 * (b - a), y + 0.04, a + 0.6 * (b - a), y + 0.08, (150, 152, 156))
        y += tall
    return c.finished()
