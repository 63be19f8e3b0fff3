"""Abstract paintings, plants, still lifes, heads, maps and posters."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.canvas import Canvas, Colour, jittered, mixed, ridge, toned
from vlnscope.worlds.rendering.pictures.motif import motif

_PALETTES: tuple[tuple[Colour, ...], ...] = (
    ((232, 222, 204), (196, 92, 62), (42, 72, 92), (222, 170, 84), (92, 110, 92)),
    ((240, 236, 228), (38, 38, 42), (190, 44, 44), (232, 190, 60), (52, 92, 160)),
    ((226, 216, 214), (156, 120, 128), (88, 80, 108), (214, 168, 150), (62, 66, 78)),
    ((236, 230, 214), (112, 132, 104), (60, 84, 72), (200, 170, 120), (150, 92, 66)),
    ((214, 226, 232), (58, 104, 140), (28, 46, 78), (240, 206, 160), (140, 178, 190)),
    ((246, 232, 214), (232, 130, 90), (206, 72, 88), (90, 62, 98), (246, 196, 110)),
)


def _palette(rng: np.random.Generator) -> list[Colour]:
    chosen = _PALETTES[int(rng.integers(len(_PALETTES)))]
    ground, *rest = (jittered(rng, colour, 10) for colour in chosen)
    return [ground, *(rest[i] for i in rng.permutation(len(rest)))]


@motif("abstract")
def abstract(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Sweeping strokes and splashes over patches."""
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, ground)
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
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, tints[0])
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
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, ground)
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
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, ground)
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
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, ground)
    count = int(rng.integers(4, 9))
    for k in range(count):
        colour = mixed(tints[k % len(tints)], ground, 0.25 * rng.random())
        c.polygon(ridge(rng, 0.12 + 0.88 * k / count, 0.05, 60), colour)
    if rng.random() < 0.6:
        c.circle(rng.uniform(0.2, 0.8), 0.1 + 0.1 * rng.random(), 0.08, tints[-1])
    return c.finished(3.0, 6.0)


@motif("botanical")
def botanical(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A pressed twig or flower on pale paper, with its name below."""
    paper = jittered(rng, (240, 234, 218), 8)
    c = Canvas(rng, width, height, paper)
    green = jittered(rng, (84, 112, 74), 24)
    lean = rng.uniform(-0.12, 0.12)
    stem = [(0.5 + lean * s * s, 0.88 - 0.72 * s) for s in np.linspace(0, 1, 12)]
    c.line(stem, 0.01, toned(green, 0.7))
    pairs = int(rng.integers(4, 9))
    flower = rng.random() < 0.5
    for k in range(pairs):
        share = (k + 0.5) / pairs
        x, y = 0.5 + lean * share**2, 0.88 - 0.72 * share
        for side in (-1, 1):
            reach = rng.uniform(0.16, 0.24) * (1.15 - 0.7 * share)
            tilt = -0.5 - 0.3 * rng.random()
            _print_leaf(
                c, x, y, side * math.cos(tilt) * reach, math.sin(tilt) * reach, jittered(rng, green, 10)
            )
    if flower:
        tint = ((206, 92, 98), (226, 170, 70), (120, 104, 170), (232, 150, 150))[int(rng.integers(4))]
        for k in range(9):
            angle = k * math.tau / 9
            x, y = stem[-1][0] + 0.07 * math.cos(angle) / c.aspect, stem[-1][1] + 0.07 * math.sin(angle)
            c.circle(x, y, 0.04, jittered(rng, tint, 14))
        c.circle(*stem[-1], 0.03, (120, 84, 40))
    _lettering(c, 0.36, 0.64, 0.93, 0.018, (96, 88, 76))
    return c.finished(2.0)


def _print_leaf(c: Canvas, x: float, y: float, dx: float, dy: float, colour: Colour) -> None:
    """A pointed leaf from x, y on, with its rib."""
    half = [0.0, 0.2, 0.26, 0.2, 0.0]
    along = [0.0, 0.25, 0.5, 0.75, 1.0]
    edge = [(x + (a * dx - h * dy) / c.aspect, y + a * dy + h * dx) for a, h in zip(along, half, strict=True)]
    back = [(x + (a * dx + h * dy) / c.aspect, y + a * dy - h * dx) for a, h in zip(along, half, strict=True)]
    c.polygon([*edge, *back[::-1]], colour)
    c.line([(x, y), (x + dx / c.aspect, y + dy)], 0.004, toned(colour, 0.7))


def _lettering(c: Canvas, x0: float, x1: float, y: float, tall: float, colour: Colour) -> None:
    """Something that looks like a line of letters."""
    x = x0
    while x < x1:
        wide = tall * c.rng.uniform(0.3, 0.8) / c.aspect
        rise = tall * (1.0 if c.rng.random() < 0.3 else 0.7)
        if c.rng.random() < 0.86:
            c.box(x, y - rise, x + 0.35 * wide, y, colour)
            c.box(x, y - rise * (0.4 + 0.6 * c.rng.random()), x + wide, y - 0.3 * rise, colour)
        x += 1.45 * wide


@motif("still life")
def still_life(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A jug or vase and fruit on a table before a dark wall."""
    wall = ((88, 76, 66), (62, 74, 78), (150, 128, 104), (104, 60, 52))[int(rng.integers(4))]
    c = Canvas(rng, width, height, wall)
    c.shade_down(0, 0.62, toned(wall, 0.75), toned(wall, 1.15))
    cloth = jittered(rng, (196, 178, 148), 24)
    c.shade_down(0.62, 1.0, cloth, toned(cloth, 0.6))
    tint = jittered(
        rng, ((70, 96, 130), (168, 100, 66), (206, 200, 186), (88, 108, 80))[int(rng.integers(4))], 14
    )
    x = rng.uniform(0.3, 0.6)
    c.oval(x + 0.06, 0.79, 0.2, 0.04, toned(cloth, 0.55))
    for k in range(10):
        s = k / 9
        half = 0.13 * (0.35 + 0.75 * math.sin(math.pi * (0.15 + 0.75 * s))) / c.aspect
        c.oval(x, 0.36 + 0.42 * s, half, 0.04, tint)
    c.oval(x - 0.04, 0.6, 0.018, 0.09, toned(tint, 1.4))
    for _ in range(9):
        dx, dy = rng.normal(0, 0.1), -abs(rng.normal(0, 0.1))
        c.circle(x + dx, 0.27 + dy * 0.6, rng.uniform(0.03, 0.055), jittered(rng, (212, 120, 110), 50))
        c.line([(x, 0.36), (x + dx, 0.3 + dy * 0.6)], 0.006, (70, 96, 60))
    for k in range(int(rng.integers(2, 6))):
        px, py = x + rng.uniform(0.12, 0.38) * (1 if k % 3 else -1), rng.uniform(0.74, 0.86)
        fruit = ((204, 60, 44), (232, 160, 50), (226, 200, 80), (120, 150, 60), (110, 52, 88))[k % 5]
        c.oval(px + 0.02, py + 0.05, 0.06, 0.02, toned(cloth, 0.55))
        for step in range(5):
            radius = 0.065 * (1 - 0.17 * step)
            c.circle(px - 0.006 * step, py - 0.008 * step, radius, toned(fruit, 0.72 + 0.14 * step))
    return c.finished(3.0, 10.0)


@motif("portrait")
def portrait(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Head and shoulders before a plain ground, painted or as a silhouette."""
    ground = jittered(
        rng, ((72, 62, 54), (96, 112, 108), (206, 190, 166), (54, 66, 84))[int(rng.integers(4))], 12
    )
    c = Canvas(rng, width, height, ground)
    c.shade_down(0, 1, toned(ground, 1.15), toned(ground, 0.75))
    skin = ((232, 196, 168), (208, 160, 126), (150, 104, 76), (104, 70, 52))[int(rng.integers(4))]
    hair = ((44, 32, 28), (96, 62, 36), (150, 110, 62), (120, 116, 112))[int(rng.integers(4))]
    coat = jittered(
        rng, ((60, 44, 62), (44, 62, 84), (130, 44, 44), (70, 84, 60), (40, 40, 44))[int(rng.integers(5))], 14
    )
    unit = 1.0 / c.aspect
    long = rng.random() < 0.5
    c.oval(0.5, 0.36, 0.165 * unit, (0.3 if long else 0.2), hair)
    c.oval(0.5, 1.02, 0.36 * unit, 0.4, coat)
    c.box(0.5 - 0.06 * unit, 0.5, 0.5 + 0.06 * unit, 0.7, toned(skin, 0.8))
    c.polygon([(0.5 - 0.1 * unit, 0.66), (0.5 + 0.1 * unit, 0.66), (0.5, 0.8)], (226, 220, 208))
    for step in range(6):
        shrink = 1 - 0.06 * step
        c.oval(
            0.5 - 0.008 * step * unit,
            0.41,
            0.118 * shrink * unit,
            0.16 * shrink,
            toned(skin, 0.82 + 0.05 * step),
        )
    for side in (-1, 1):
        c.oval(0.5 + side * 0.045 * unit, 0.395, 0.02 * unit, 0.009, (240, 236, 230))
        c.oval(0.5 + side * 0.045 * unit, 0.395, 0.009 * unit, 0.010, (40, 32, 30))
        c.line([(0.5 + side * 0.025 * unit, 0.372), (0.5 + side * 0.07 * unit, 0.37)], 0.007, hair)
    c.line([(0.5, 0.4), (0.5 - 0.014 * unit, 0.455), (0.5 + 0.01 * unit, 0.46)], 0.006, toned(skin, 0.65))
    c.line([(0.5 - 0.035 * unit, 0.5), (0.5 + 0.035 * unit, 0.5)], 0.011, (160, 80, 76))
    c.polygon(
        [
            (0.5 - 0.13 * unit, 0.36),
            (0.5 - 0.1 * unit, 0.24),
            (0.5, 0.2),
            (0.5 + 0.11 * unit, 0.24),
            (0.5 + 0.13 * unit, 0.36),
            (0.5 + 0.06 * unit, 0.29),
            (0.5 - 0.07 * unit, 0.28),
        ],
        hair,
    )
    return c.finished(3.0, 9.0)


@motif("map")
def old_map(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """An old map: land, sea, rivers, a grid and a compass."""
    sea = jittered(rng, (190, 204, 198), 14)
    c = Canvas(rng, width, height, sea)
    for _ in range(int(rng.integers(2, 5))):
        x, y, size = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(0.15, 0.34)
        angles = np.linspace(0, math.tau, 40, endpoint=False)
        radius = size * (
            1 + 0.3 * np.sin(2 * angles + rng.random() * 6) + 0.16 * np.sin(5 * angles + rng.random() * 6)
        )
        radius *= 1 + 0.06 * rng.standard_normal(40)
        for grow, colour in ((1.06, toned(sea, 0.86)), (1.0, jittered(rng, (226, 208, 164), 12))):
            c.polygon(
                [
                    (x + grow * r * math.cos(a) / c.aspect, y + grow * r * math.sin(a))
                    for r, a in zip(radius, angles, strict=True)
                ],
                colour,
            )
        path = [(x, y)]
        for _ in range(6):
            path.append((path[-1][0] + rng.normal(0.02, 0.03), path[-1][1] + rng.normal(0.03, 0.02)))
        c.line(path, 0.006, (110, 140, 150))
        for _ in range(8):
            px, py = x + rng.normal(0, 0.3 * size), y + rng.normal(0, 0.3 * size)
            c.polygon([(px - 0.014, py), (px, py - 0.03), (px + 0.014, py)], (160, 132, 96))
        _lettering(c, x - 0.08, x + 0.08, y + 0.4 * size, 0.022, (96, 76, 56))
    for k in range(1, 6):
        c.line([(k / 6, 0), (k / 6, 1)], 0.002, (150, 140, 120))
        c.line([(0, k / 6), (1, k / 6)], 0.002, (150, 140, 120))
    for x0, y0, x1, y1 in ((0, 0, 1, 0.02), (0, 0.98, 1, 1), (0, 0, 0.02, 1), (0.98, 0, 1, 1)):
        c.box(x0, y0, x1, y1, (112, 88, 62))
    return c.finished(5.0, 8.0)


@motif("poster")
def poster(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A travel or concert poster: a bold picture, large letters and small print."""
    ground, *tints = _palette(rng)
    c = Canvas(rng, width, height, ground)
    c.box(0.06, 0.05, 0.94, 0.72, tints[0])
    kind = int(rng.integers(3))
    if kind == 0:
        c.circle(0.5, 0.34, 0.2, tints[1])
        c.polygon([(0.06, 0.72), (0.35, 0.36), (0.55, 0.6), (0.7, 0.45), (0.94, 0.72)], tints[2])
    elif kind == 1:
        for k in range(16):
            a, b = k * math.tau / 16, (k + 0.5) * math.tau / 16
            c.polygon(
                [
                    (0.5, 0.4),
                    (0.5 + 0.42 * math.cos(a), 0.4 + 0.3 * math.sin(a)),
                    (0.5 + 0.42 * math.cos(b), 0.4 + 0.3 * math.sin(b)),
                ],
                tints[1],
            )
        c.circle(0.5, 0.4, 0.12, tints[2])
    else:
        for k in range(6):
            c.box(0.12 + 0.13 * k, rng.uniform(0.12, 0.5), 0.22 + 0.13 * k, 0.72, tints[1 + k % 3])
    _lettering(c, 0.1, 0.9, 0.85, 0.09, tints[-1])
    _lettering(c, 0.2, 0.8, 0.91, 0.03, (60, 58, 56))
    _lettering(c, 0.25, 0.75, 0.955, 0.02, (60, 58, 56))
    return c.finished(1.5)
