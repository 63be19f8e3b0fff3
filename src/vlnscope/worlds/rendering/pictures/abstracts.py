"""Abstract paintings."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, Sketch, jittered, mixed, ridge

_PALETTES: tuple[tuple[Colour, ...], ...] = (
    ((232, 222, 204), (196, 92, 62), (42, 72, 92), (222, 170, 84), (92, 110, 92)),
    ((240, 236, 228), (38, 38, 42), (190, 44, 44), (232, 190, 60), (52, 92, 160)),
    ((226, 216, 214), (156, 120, 128), (88, 80, 108), (214, 168, 150), (62, 66, 78)),
    ((236, 230, 214), (112, 132, 104), (60, 84, 72), (200, 170, 120), (150, 92, 66)),
    ((214, 226, 232), (58, 104, 140), (28, 46, 78), (240, 206, 160), (140, 178, 190)),
    ((246, 232, 214), (232, 130, 90), (206, 72, 88), (90, 62, 98), (246, 196, 110)),
)


def paint_box(rng: np.random.Generator) -> list[Colour]:
    """Return a pale ground and four colours that go together."""
    chosen = _PALETTES[int(rng.integers(len(_PALETTES)))]
    ground, *rest = (jittered(rng, colour, 10) for colour in chosen)
    return [ground, *(rest[i] for i in rng.permutation(len(rest)))]


@motif("abstract")
def abstract(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Sweeping strokes and splashes over patches."""
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, ground)
    for _ in range(6):
        x, y = rng.random(2)
        points = [(x + rng.normal(0, 0.22), y + rng.normal(0, 0.22)) for _ in range(5)]
        c.polygon(points, mixed(ground, tints[int(rng.integers(len(tints)))], rng.uniform(0.3, 0.8)))
    for _ in range(9):
        x, y, turn = rng.random(), rng.random(), rng.uniform(0, 6.3)
        colour, thick = tints[int(rng.integers(len(tints)))], rng.uniform(0.01, 0.07)
        bend, reach = rng.uniform(-2, 2), rng.uniform(0.3, 0.8)
        path = [
            (x + reach * s * math.cos(turn + bend * s), y + reach * s * math.sin(turn + bend * s))
            for s in np.linspace(0, 1, 14)
        ]
        for k in range(4):
            shift = rng.normal(0, 0.3 * thick)
            c.line([(p + shift, q + shift) for p, q in path], thick / (1 + k), jittered(rng, colour, 18))
    for _ in range(40):
        c.circle(rng.random(), rng.random(), rng.uniform(0.002, 0.012), tints[int(rng.integers(len(tints)))])
    return c.finished(3.0, 8.0)


@motif("colour fields")
def colour_fields(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Two to four soft-edged fields above each other."""
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, tints[0])
    cuts = np.sort(rng.uniform(0.15, 0.85, int(rng.integers(1, 4))))
    edges = [0.05, *cuts.tolist(), 0.95]
    for k, (a, b) in enumerate(pairwise(edges)):
        colour = (ground, *tints[1:])[k % 4]
        for step in range(8):
            inset = 0.006 * (8 - step)
            shade = mixed(tints[0], colour, (step + 1) / 8)
            c.box(0.1 - inset, a + 0.02 - inset, 0.9 + inset, b - 0.02 + inset, shade)
    return c.finished(4.0, 12.0)


@motif("geometric")
def geometric(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Rectangles between black bars, or tilted blocks and triangles."""
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, ground)
    if rng.random() < 0.45:
        xs = [0.0, *np.sort(rng.uniform(0.1, 0.9, 3)).tolist(), 1.0]
        ys = [0.0, *np.sort(rng.uniform(0.1, 0.9, 3)).tolist(), 1.0]
        for i in range(4):
            for j in range(4):
                if rng.random() < 0.4:
                    c.box(xs[i], ys[j], xs[i + 1], ys[j + 1], tints[int(rng.integers(len(tints)))])
        for x in xs[1:-1]:
            c.line([(x, 0), (x, 1)], 0.022, (28, 28, 30))
        for y in ys[1:-1]:
            c.line([(0, y), (1, y)], 0.022, (28, 28, 30))
        return c.finished(2.0, 3.0)
    across = int(rng.integers(3, 6))
    down = max(2, round(across / c.aspect))
    for i in range(across):
        for j in range(down):
            x0, x1, y0, y1 = i / across, (i + 1) / across, j / down, (j + 1) / down
            corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
            c.box(x0, y0, x1, y1, (ground, *tints)[int(rng.integers(5))])
            first = int(rng.integers(4))
            c.polygon([corners[(first + k) % 4] for k in range(3)], (ground, *tints)[int(rng.integers(5))])
    return c.finished(2.0, 3.0)


@motif("circles")
def circles(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Overlapping discs, arches and half moons."""
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, ground)
    for k in range(int(rng.integers(3, 7))):
        x, y, radius = rng.uniform(0.15, 0.85), rng.uniform(0.15, 0.85), rng.uniform(0.1, 0.3)
        colour = tints[k % len(tints)]
        c.circle(x, y, radius, colour)
        for ring in range(int(rng.integers(0, 4))):
            c.circle(x, y, radius * (0.8 - 0.22 * ring), (ground, colour)[ring % 2])
        if rng.random() < 0.3:
            c.box(x - radius / c.aspect, y, x + radius / c.aspect, y + radius, colour)
    if rng.random() < 0.5:
        c.line([(rng.random(), 0), (rng.random(), 1)], 0.008, (40, 40, 44))
    return c.finished(3.0, 5.0)


@motif("stripes")
def stripes(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Waves of colour from edge to edge."""
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, ground)
    count = int(rng.integers(4, 9))
    for k in range(count):
        colour = mixed(tints[k % len(tints)], ground, 0.25 * rng.random())
        c.polygon(ridge(rng, 0.12 + 0.88 * k / count, 0.05, 60), colour)
    if rng.random() < 0.6:
        c.circle(rng.uniform(0.2, 0.8), 0.1 + 0.1 * rng.random(), 0.08, tints[-1])
    return c.finished(3.0, 6.0)
