"""Landscapes, seascapes, forests, towns: what lies outdoors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, Sketch, jittered, mixed, ridge, toned

_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((92, 146, 204), (214, 228, 236)),
    ((62, 88, 140), (246, 196, 150)),
    ((150, 168, 184), (228, 226, 216)),
    ((236, 168, 120), (250, 226, 180)),
    ((48, 62, 104), (198, 130, 132)),
    ((180, 206, 214), (244, 240, 226)),
)
_GREENS: tuple[Colour, ...] = ((88, 118, 62), (128, 134, 70), (74, 104, 84), (150, 142, 84), (60, 92, 58))


def _sky(c: Sketch, horizon: float) -> tuple[Colour, Colour]:
    top, low = _SKIES[int(c.rng.integers(len(_SKIES)))]
    top, low = jittered(c.rng, top, 14), jittered(c.rng, low, 10)
    c.shade_down(0, horizon + 0.02, top, low)
    return top, low


def _clouds(c: Sketch, horizon: float, colour: Colour) -> None:
    for _ in range(int(c.rng.integers(0, 5))):
        x, y, size = c.rng.random(), c.rng.uniform(0.08, 0.6) * horizon, c.rng.uniform(0.03, 0.09)
        for _ in range(7):
            dx, dy = c.rng.normal(0, 1.3 * size), c.rng.normal(0, 0.25 * size)
            c.oval(x + dx, y + dy, 0.8 * size, 0.35 * size, jittered(c.rng, colour, 6))


def _tree(c: Sketch, x: float, foot: float, size: float, green: Colour) -> None:
    c.line([(x, foot), (x, foot - 0.6 * size)], 0.05 * size + 0.004, (72, 54, 40))
    for k in range(9):
        dx, dy = c.rng.normal(0, 0.2 * size), c.rng.normal(0, 0.16 * size)
        tone = toned(green, 0.75 + 0.05 * k)
        c.oval(x + dx / c.aspect, foot - 0.75 * size + dy, 0.2 * size / c.aspect, 0.17 * size, tone)


@motif("landscape")
def landscape(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Hills behind hills, hazier with distance, trees on the nearest, perhaps a sun and a path."""
    c = Sketch(rng, width, height, (200, 210, 220))
    horizon = rng.uniform(0.35, 0.6)
    _, low = _sky(c, horizon)
    if rng.random() < 0.4:
        c.circle(rng.uniform(0.15, 0.85), horizon * rng.uniform(0.4, 0.9), 0.05, toned(low, 1.7))
    _clouds(c, horizon, toned(low, 1.5))
    green = _GREENS[int(rng.integers(len(_GREENS)))]
    layers = int(rng.integers(3, 6))
    for k in range(layers):
        share = (k + 1) / layers
        level = horizon + (0.92 - horizon) * share**1.4 * 0.75
        colour = mixed(mixed(low, (110, 130, 160), 0.4), jittered(rng, green, 16), share)
        c.polygon(ridge(rng, level, 0.06 * (1.4 - share)), colour)
        for _ in range(int(rng.integers(2, 7)) if share > 0.5 else 0):
            foot = level + rng.uniform(0.02, 0.1)
            _tree(c, rng.random(), foot, 0.10 + 0.22 * share * rng.random(), toned(green, 0.7))
    if rng.random() < 0.4:
        x = rng.uniform(0.3, 0.7)
        bend = rng.uniform(-0.25, 0.25)
        c.polygon([(x, 0.72), (x + 0.015, 0.72), (x + 0.2 + bend, 1), (x - 0.06 + bend, 1)], (206, 188, 150))
    return c.finished(2.0, 9.0)


@motif("mountains")
def mountains(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Peaks with snow above a lake that mirrors the sky."""
    c = Sketch(rng, width, height, (200, 210, 220))
    top, low = _sky(c, 0.65)
    _clouds(c, 0.5, toned(low, 1.6))
    rock = jittered(rng, (92, 98, 118), 18)
    for k in range(3):
        base, colour = 0.62 + 0.03 * k, mixed(low, rock, 0.45 + 0.25 * k)
        for _ in range(int(rng.integers(2, 4))):
            x, tall, half = rng.random(), rng.uniform(0.2, 0.5) * (1.1 - 0.25 * k), rng.uniform(0.14, 0.3)
            peak = base - tall
            c.polygon([(x - half, base), (x, peak), (x + half, base)], colour)
            c.polygon([(x, peak), (x + half, base), (x + 0.15 * half, base)], toned(colour, 0.8))
            cap = [(x - 0.3 * half, peak + 0.3 * tall), (x, peak), (x + 0.3 * half, peak + 0.3 * tall)]
            teeth = [(x + (0.2 - 0.1 * i) * half, peak + (0.36 if i % 2 else 0.24) * tall) for i in range(5)]
            c.polygon([*cap, *teeth], (240, 243, 247))
    c.shade_down(0.68, 1.0, mixed(low, (70, 104, 120), 0.5), mixed(top, (30, 60, 70), 0.5))
    for _ in range(26):
        x, y, long = rng.random(), rng.uniform(0.7, 0.98), rng.uniform(0.03, 0.14)
        c.line([(x, y), (x + long, y)], 0.004, mixed(low, (255, 255, 255), 0.3))
    return c.finished(2.0, 7.0)


@motif("forest")
def forest(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Trunks in mist, darker towards the viewer."""
    mist = ((214, 220, 210), (226, 214, 186), (190, 204, 214))[int(rng.integers(3))]
    dark = ((34, 52, 44), (60, 42, 30), (30, 44, 60))[int(rng.integers(3))]
    c = Sketch(rng, width, height, mist)
    for k in range(5):
        colour = mixed(mist, dark, 0.15 + 0.2 * k)
        c.polygon(ridge(rng, 0.72 + 0.05 * k, 0.02), mixed(colour, (96, 110, 60), 0.25))
        for _ in range(int(rng.integers(4, 8))):
            x, half = rng.random(), (0.004 + 0.006 * k) * rng.uniform(0.7, 1.3)
            lean = rng.normal(0, 0.02)
            c.polygon(
                [(x - half, 0.8 + 0.05 * k), (x - 0.5 * half + lean, 0), (x + half, 0.8 + 0.05 * k)], colour
            )
            for _ in range(4):
                y, reach = rng.uniform(0.05, 0.45), rng.normal(0, 0.09)
                c.line([(x + lean * (1 - y), y + 0.06), (x + reach, y)], 0.006, colour)
    return c.finished(3.0, 6.0)


@motif("seascape")
def seascape(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Sea under a sky, waves, perhaps sails, a beach or the sun's path on the water."""
    c = Sketch(rng, width, height, (200, 210, 220))
    horizon = rng.uniform(0.38, 0.62)
    top, low = _sky(c, horizon)
    _clouds(c, horizon, toned(low, 1.5))
    deep = mixed(jittered(rng, (38, 92, 128), 20), top, 0.3)
    c.shade_down(horizon, 1.0, mixed(deep, low, 0.45), toned(deep, 0.7))
    if rng.random() < 0.5:
        x = rng.uniform(0.25, 0.75)
        c.circle(x, horizon - 0.1, 0.055, (252, 236, 190))
        for y in np.linspace(horizon + 0.01, 0.97, 24):
            reach = 0.02 + 0.1 * (y - horizon)
            start = x + rng.normal(0, 0.3 * reach)
            c.line([(start - reach, y), (start + reach, y)], 0.006, mixed(low, (255, 240, 200), 0.6))
    for _ in range(70):
        y = horizon + (1 - horizon) * rng.random() ** 0.7
        x, long = rng.random(), 0.02 + 0.1 * (y - horizon)
        c.line([(x, y), (x + long, y)], 0.004, mixed(deep, (226, 240, 244), rng.uniform(0.2, 0.6)))
    for _ in range(int(rng.integers(0, 4))):
        x, y, size = rng.uniform(0.1, 0.9), horizon + rng.uniform(0.01, 0.16), rng.uniform(0.06, 0.18)
        c.polygon([(x, y), (x, y - size), (x + 0.5 * size / c.aspect, y)], (246, 244, 236))
        c.polygon(
            [(x - 0.02, y), (x - 0.02, y - 0.7 * size), (x - 0.35 * size / c.aspect, y)], (230, 224, 214)
        )
        half = 0.4 * size / c.aspect
        c.polygon(
            [(x - half, y), (x + half, y), (x + 0.7 * half, y + 0.02), (x - 0.7 * half, y + 0.02)],
            (90, 58, 44),
        )
    if rng.random() < 0.4:
        c.polygon([(0, 1), (0, 0.86), (0.4, 0.93), (1, rng.uniform(0.88, 1.0)), (1, 1)], (222, 202, 160))
    return c.finished(2.0, 9.0)


@motif("city")
def city(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """Roofs and towers before the sky, with windows."""
    c = Sketch(rng, width, height, (200, 210, 220))
    _, low = _sky(c, 0.85)
    night = sum(low) < 520
    for k in range(3):
        x = -0.05
        while x < 1.0:
            wide, top = rng.uniform(0.05, 0.15), rng.uniform(0.25, 0.6) + 0.12 * k
            colour = mixed(low, jittered(rng, (70, 72, 88), 24), 0.4 + 0.28 * k)
            c.box(x, top, x + wide, 1.0, colour)
            if rng.random() < 0.25:
                c.polygon([(x, top), (x + wide / 2, top - 0.1), (x + wide, top)], colour)
            rows = int((1.0 - top) / 0.06) if k else 0
            for i in range(rows):
                for j in range(3):
                    if rng.random() < 0.6:
                        left, up = x + wide * (0.14 + 0.28 * j), top + 0.03 + 0.06 * i
                        lit = (252, 222, 140) if night or rng.random() < 0.2 else toned(colour, 1.35)
                        c.box(left, up, left + 0.15 * wide, up + 0.028, lit)
            x += wide + rng.uniform(0.0, 0.03)
    return c.finished(2.0, 3.0)


@motif("photograph")
def photograph(rng: np.random.Generator, width: int, height: int, _main: Colour) -> NDArray[np.uint8]:
    """A black-and-white or faded photograph of soft shapes: dunes, hills, a lone tree, a pier."""
    c = Sketch(rng, width, height, (224, 224, 224))
    light, dark = (226, 226, 224), (34, 34, 36)
    c.shade_down(0, 0.6, mixed(light, dark, rng.uniform(0.1, 0.5)), light)
    for k in range(int(rng.integers(2, 5))):
        c.polygon(ridge(rng, 0.55 + 0.11 * k, 0.07), mixed(light, dark, 0.3 + 0.16 * k))
    x = rng.uniform(0.2, 0.8)
    if rng.random() < 0.5:
        _tree(c, x, 0.68, rng.uniform(0.25, 0.5), (48, 48, 50))
    else:
        for k in range(9):
            y = 0.56 + 0.05 * k
            c.line(
                [(x - 0.004 * k * k, y), (x - 0.004 * k * k, y + 0.03 + 0.012 * k)],
                0.004 + 0.003 * k,
                (26, 26, 28),
            )
            c.line(
                [(x + 0.004 * k * k, y), (x + 0.004 * k * k, y + 0.03 + 0.012 * k)],
                0.004 + 0.003 * k,
                (26, 26, 28),
            )
    image = c.finished(5.0).astype(np.float64)
    if rng.random() < 0.4:
        image *= np.array((1.04, 0.94, 0.78))
    return np.asarray(np.clip(image, 0, 255), dtype=np.uint8)
