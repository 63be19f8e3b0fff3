"""Tiles, bricks and stone: pieces beside each other, with joints between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.noise import edge, fractal, noise, relief
from vlnscope.worlds.rendering.matter.tile import Bench, tile


class Pieces(NamedTuple):
    """A surface cut into pieces: the number of the piece at each texel, and metres to its nearest edge."""

    number: NDArray[np.int64]
    away: Floats


def courses(b: Bench, wide: float, tall: float, shift: float = 0.5) -> Pieces:
    """Return rows of equal pieces, every other row moved by a share of their width."""
    row = np.floor(b.y / tall + 1e-9).astype(np.int64)
    u = b.x / wide + shift * (row % 2)
    across = max(1, round(b.columns / b.scale / wide))
    number = row * across + np.floor(u + 1e-9).astype(np.int64) % across
    side = np.abs(u - np.rint(u)) * wide
    end = np.abs(b.y / tall - np.rint(b.y / tall)) * tall
    return Pieces(number, np.minimum(side, end))


def cobbles(b: Bench, across: int, down: int, loose: float) -> Pieces:
    """Return irregular pieces: those nearest to points of a grid that were moved by chance."""
    wide, tall = b.columns / b.scale / across, b.rows / b.scale / down
    moved = b.rng.uniform(-loose, loose, (down, across, 2))
    row, column = np.floor(b.y / tall).astype(np.int64), np.floor(b.x / wide).astype(np.int64)
    first, second = np.full(b.shape, np.inf), np.full(b.shape, np.inf)
    number = np.zeros(b.shape, dtype=np.int64)
    for i in range(-2, 3):
        for j in range(-2, 3):
            r, c = (row + i) % down, (column + j) % across
            x = (column + j + 0.5 + moved[r, c, 0]) * wide
            y = (row + i + 0.5 + moved[r, c, 1]) * tall
            away = np.hypot(b.x - x, b.y - y)
            nearer = away < first
            second = np.where(nearer, first, np.minimum(second, away))
            number = np.where(nearer, r * across + c, number)
            first = np.where(nearer, away, first)
    return Pieces(number, (second - first) / 2)


def tones(b: Bench, pieces: Pieces, low: float, high: float) -> Floats:
    """Return a tone per piece."""
    return np.asarray(b.rng.uniform(low, high, int(pieces.number.max()) + 1)[pieces.number])


def laid(b: Bench, pieces: Pieces, face: Floats, joint: float, depth: float, tone: float) -> Floats:
    """Return pieces with joints `joint` metres wide and rounded edges that catch the light."""
    between = edge(pieces.away, joint / 2, 1.2 / b.scale)
    rounded = np.clip((pieces.away - joint / 2) / (2.5 / b.scale), 0.0, 1.0)
    mortar = tone * (1.0 + 0.05 * noise(b, 0.01))
    return np.asarray(face * relief(rounded, depth) * (1 - between) + mortar * between)


@tile("tiles", metres=2.4, size=512, gloss=0.06, unit=0.3)
def tiles(b: Bench) -> Floats:
    """Glazed floor tiles of 30 cm."""
    pieces = courses(b, 0.3, 0.3, 0.0)
    face = tones(b, pieces, 0.96, 1.035) * (1.0 + 0.025 * fractal(b, 0.25))
    return laid(b, pieces, face, 0.006, 0.09, 0.55)


@tile("metro tiles", metres=1.2, size=512, gloss=0.07, unit=0.2)
def metro_tiles(b: Bench) -> Floats:
    """Glazed wall tiles of 20 by 10 cm with bevelled edges, in a running bond."""
    pieces = courses(b, 0.2, 0.1)
    bevel = np.clip((pieces.away - 0.003) / 0.010, 0.0, 1.0)
    face = tones(b, pieces, 0.95, 1.04) * relief(bevel, 0.35)
    return laid(b, pieces, face, 0.004, 0.05, 0.62)


@tile("mosaic", metres=0.8, gloss=0.06, unit=0.025)
def mosaic(b: Bench) -> Floats:
    """Squares of 2.5 cm in lighter and darker tones."""
    pieces = courses(b, 0.025, 0.025, 0.0)
    count = int(pieces.number.max()) + 1
    hue = b.rng.uniform(0.72, 1.28, (count, 1)) * b.rng.uniform(0.93, 1.07, (count, 3))
    between = edge(pieces.away, 0.001, 1.5 / b.scale)[..., None]
    return hue[pieces.number] * (1 - between) + 0.8 * between


@tile("hexagon tiles", metres=1.28, size=256, columns=256, gloss=0.05)
def hexagon_tiles(b: Bench) -> Floats:
    """Honeycomb tiles of 16 cm in slightly different tones."""
    wide, tall = 0.16, 1.28 / 10
    best, second = np.full(b.shape, np.inf), np.full(b.shape, np.inf)
    number = np.zeros(b.shape, dtype=np.int64)
    row = np.floor(b.y / tall).astype(np.int64)
    stretch = wide * 0.8660254 / tall  # rows are fitted to the tile; measured as if they were regular
    for i in (-1, 0, 1):
        offset = 0.5 * ((row + i) % 2)
        column = np.floor(b.x / wide - offset).astype(np.int64)
        for j in (0, 1):
            cx, cy = (column + j + offset) * wide, (row + i + 0.5) * tall
            away = np.hypot(b.x - cx, (b.y - cy) * stretch)
            nearer = away < best
            second = np.where(nearer, best, np.minimum(second, away))
            number = np.where(nearer, (row + i) % 10 * 8 + (column + j) % 8, number)
            best = np.where(nearer, away, best)
    pieces = Pieces(number, (second - best) / 2)
    face = tones(b, pieces, 0.86, 1.1)
    return laid(b, pieces, face * (1.0 + 0.02 * fractal(b, 0.2)), 0.005, 0.08, 0.6)


@tile("brick", metres=1.92, size=512, unit=0.24)
def brick(b: Bench) -> Floats:
    """Fired bricks of 24 by 8 cm in a running bond, each of its own tone, in pale mortar."""
    pieces = courses(b, 0.24, 0.08)
    count = int(pieces.number.max()) + 1
    hue = b.rng.uniform(0.68, 1.22, (count, 1)) * b.rng.uniform(0.9, 1.1, (count, 3)) ** [0.3, 1.0, 1.0]
    rough = 1.0 + 0.12 * fractal(b, 0.05, 1.0) - 0.25 * np.clip(noise(b, 0.01) - 1.8, 0, 1)
    face = hue[pieces.number] * rough[..., None]
    wavy = Pieces(pieces.number, pieces.away + 0.0012 * noise(b, 0.02))
    between = edge(wavy.away, 0.005, 1.3 / b.scale)[..., None]
    rounded = relief(np.clip((wavy.away - 0.005) / 0.008, 0, 1), 0.28)[..., None]
    mortar = np.array((1.5, 2.2, 2.7)) * (1.0 + 0.08 * noise(b, 0.008))[..., None]
    return face * rounded * (1 - between) + mortar * between


@tile("stone", metres=2.4, size=512, gloss=0.015)
def stone(b: Bench) -> Floats:
    """Slabs of 60 by 40 cm with cloudy faces."""
    pieces = courses(b, 0.6, 0.4)
    cloud = fractal(b, 0.35, 1.2)
    face = tones(b, pieces, 0.91, 1.09) * (1.0 + 0.07 * cloud + 0.03 * noise(b, 0.008))
    wavy = Pieces(pieces.number, pieces.away + 0.001 * noise(b, 0.03))
    return laid(b, wavy, face, 0.008, 0.12, 0.5)


@tile("paving", metres=2.4, size=512)
def paving(b: Bench) -> Floats:
    """Setts of about 15 cm, worn round, with sand between them."""
    pieces = cobbles(b, 16, 16, 0.22)
    dome = np.clip(pieces.away / 0.03, 0, 1) ** 0.5
    face = tones(b, pieces, 0.75, 1.2) * (0.75 + 0.3 * dome) * (1.0 + 0.06 * fractal(b, 0.06, 1.0))
    return laid(b, pieces, face, 0.012, 0.2, 0.5)


@tile("marble", metres=2.0, size=512, gloss=0.07)
def marble(b: Bench) -> Floats:
    """Polished stone with veins that branch and fade."""
    image = 1.0 + 0.03 * fractal(b, 0.8, 1.5)
    for largest, width, strength in ((0.9, 0.035, 0.5), (0.45, 0.03, 0.28), (0.2, 0.05, 0.12)):
        field = fractal(b, largest, 1.9) + 0.12 * fractal(b, 0.1, 1.2)
        present = np.clip(0.5 + 0.6 * noise(b, 0.5), 0, 1)
        image = image * (1.0 - strength * present * np.exp(-((field / width) ** 2)))
        image = image * (1.0 - 0.25 * strength * present * np.exp(-((field / (5 * width)) ** 2)))
    return np.stack([image, image**0.98, image**0.92], axis=2)


@tile("shingles", metres=1.6, size=256, columns=256, unit=0.2)
def shingles(b: Bench) -> Floats:
    """Roof shingles of 20 by 20 cm that overlap downwards."""
    pieces = courses(b, 0.2, 0.2)
    v = b.y % 0.2
    shadow = 1.0 - 0.5 * np.exp(-((v / 0.014) ** 2)) + 0.12 * np.exp(-(((v - 0.19) / 0.01) ** 2))
    side = edge(pieces.away, 0.002, 1.5 / b.scale)
    return tones(b, pieces, 0.75, 1.2) * shadow * (1 - 0.35 * side) * (1.0 + 0.08 * fractal(b, 0.04, 1.0))
