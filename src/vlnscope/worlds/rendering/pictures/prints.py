"""Plants, still lifes, heads, maps and posters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.abstracts import paint_box
from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, Sketch, jittered, toned


@motif("botanical")
def botanical(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A pressed twig or flower on pale paper, with its name below."""
    paper = jittered(rng, (240, 234, 218), 8)
    c = Sketch(rng, width, height, paper)
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


def _print_leaf(c: Sketch, x: float, y: float, dx: float, dy: float, colour: Colour) -> None:
    """A pointed leaf from x, y on, with its rib."""
    half = [0.0, 0.2, 0.26, 0.2, 0.0]
    along = [0.0, 0.25, 0.5, 0.75, 1.0]
    edge = [(x + (a * dx - h * dy) / c.aspect, y + a * dy + h * dx) for a, h in zip(along, half, strict=True)]
    back = [(x + (a * dx + h * dy) / c.aspect, y + a * dy - h * dx) for a, h in zip(along, half, strict=True)]
    c.polygon([*edge, *back[::-1]], colour)
    c.line([(x, y), (x + dx / c.aspect, y + dy)], 0.004, toned(colour, 0.7))


def _lettering(c: Sketch, x0: float, x1: float, y: float, tall: float, colour: Colour) -> None:
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
    c = Sketch(rng, width, height, wall)
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
    c = Sketch(rng, width, height, ground)
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
    c = Sketch(rng, width, height, sea)
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
    ground, *tints = paint_box(rng)
    c = Sketch(rng, width, height, ground)
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
