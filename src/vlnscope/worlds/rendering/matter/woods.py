"""Wood: grain, boards, parquet and panels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.noise import edge, fractal, noise, relief, warped
from vlnscope.worlds.rendering.matter.tile import Bench, tile


def fibres(b: Bench) -> Floats:
    """Return the tone of wood whose fibres run along the rows: rings cut lengthwise, pores and blotches."""
    tall = b.rows / b.scale
    bend = noise(b, 0.9, 0.10) + 0.25 * noise(b, 0.3, 0.04)
    phase = 2 * np.pi * (b.y / tall * round(tall / 0.03)) + 2.2 * bend
    rings = np.sin(phase) + 0.4 * np.sin(2 * phase + 1.0)
    pores = np.minimum(noise(b, 0.09, 0.0022), 0.0)
    fine = noise(b, 0.25, 0.004)
    return np.asarray(1.0 + 0.075 * rings + 0.07 * pores + 0.06 * fine + 0.05 * fractal(b, 0.6, 1.6, 5.0))


def _knots(b: Bench, tone: Floats, count: int) -> Floats:
    """Put dark knots into wood."""
    for _ in range(count):
        radius = b.rng.uniform(0.006, 0.014) * b.scale
        patch, dx, dy = b.patch(b.rng.random() * b.columns, b.rng.random() * b.rows, 6 * radius)
        away = np.hypot(dx / 1.8, dy) / radius
        rim = np.exp(-((away - 1.4) ** 2) / 0.5)
        tone[patch] *= (1.0 - 0.5 * np.exp(-(away**2))) * (1.0 - 0.15 * rim)
    return tone


@tile("wood", metres=0.8, columns=512, gloss=0.018, grain=True)
def wood(b: Bench) -> Floats:
    """A sawn trunk, with a few knots."""
    return _warm(_knots(b, fibres(b), 2))


@tile("painted wood", metres=0.8, size=128, columns=256, gloss=0.02, grain=True)
def painted_wood(b: Bench) -> Floats:
    """Brush marks along the grain, and a little of the grain itself."""
    return np.asarray(1.0 + 0.14 * (fibres(b) - 1.0) + 0.012 * noise(b, 0.2, 0.004))


def _warm(tone: Floats) -> Floats:
    """Let dark wood be redder than light wood."""
    tone = np.maximum(tone, 0.05)
    return np.stack([tone**0.85, tone, tone**1.2], axis=2)


def boards(b: Bench, across: float, length: float, gap: float) -> tuple[NDArray[np.int64], Floats]:
    """Return a number per texel that tells boards apart, and how near a gap is (1 in it).

    Boards run along the rows, `across` wide and about `length` long, each row begun elsewhere.
    """
    wide = b.columns / b.scale
    rows = np.floor(b.y / across + 1e-9).astype(np.int64)
    per_row = max(1, round(wide / length))
    begins = np.cumsum(b.rng.uniform(0.25, 0.75, int(rows.max()) + 1)) * wide / per_row
    along = (b.x - begins[rows]) % wide / (wide / per_row)
    number = rows * per_row + np.floor(along).astype(np.int64) % per_row
    side = np.abs(b.y / across - np.rint(b.y / across)) * across
    end = np.abs(along - np.rint(along)) * wide / per_row
    return number, edge(np.minimum(side, end), gap, 1.0 / b.scale)


@tile("planks", metres=2.56, size=512, columns=1024, gloss=0.045)
def planks(b: Bench) -> Floats:
    """Floor boards of 16 cm, no two of the same tone, with dark gaps between them."""
    number, gap = boards(b, 0.16, 1.7, 0.0012)
    own = b.rng.random((int(number.max()) + 1, 3))
    tone = warped(fibres(b), b, 3.0 * own[number, 0], 0.16 * np.rint(9 * own[number, 1]))
    tone = _knots(b, tone, 10)
    tone = 1.0 + 0.9 * (tone - 1.0)
    return _warm(tone * (0.84 + 0.32 * own[number, 2])) * (1.0 - 0.62 * gap)[..., None]


@tile("parquet", metres=1.92, size=512, gloss=0.05)
def parquet(b: Bench) -> Floats:
    """Herringbone: blocks of 48 by 12 cm that meet at right angles."""
    wide, times = 0.12, 4
    p, q = np.floor(b.x / wide).astype(np.int64), np.floor(b.y / wide).astype(np.int64)
    step = (p - q) % (2 * times)
    lying = step < times
    first = np.where(lying, p - step, q - (2 * times - 1 - step))
    other = np.where(lying, q, p)
    cells = round(b.columns / b.scale / wide)
    number = ((first % cells) * cells + other % cells) * 2 + lying
    u = np.where(lying, b.x, b.y) - first * wide
    v = np.where(lying, b.y, b.x) - other * wide
    u, v = u % (cells * wide), v % (cells * wide)
    near = np.minimum(np.minimum(u, times * wide - u), np.minimum(v, wide - v))
    own = b.rng.random((int(number.max()) + 1, 3))
    grain = fibres(b)
    i = ((v + 1.7 * own[number, 1]) * b.scale).astype(np.int64) % b.rows
    j = ((u + 1.7 * own[number, 0]) * b.scale).astype(np.int64) % b.columns
    tone = grain[i, j] * (0.82 + 0.3 * own[number, 2]) * (1.06 - 0.12 * lying)
    return _warm(tone) * (1.0 - 0.55 * edge(near, 0.0012, 1.0 / b.scale))[..., None]


@tile("panelling", metres=1.28, gloss=0.02, unit=0.64)
def panelling(b: Bench) -> Floats:
    """Painted panels with raised mouldings, 64 cm wide."""
    u, v = b.x % 0.64, b.y % 1.28
    away = np.minimum(np.minimum(u, 0.64 - u), np.minimum(v, 1.28 - v))
    height = 0.5 * np.clip((away - 0.07) / 0.012, 0, 1) - 0.9 * np.clip((away - 0.085) / 0.02, 0, 1)
    return relief(height, 0.5) * (1.0 + 0.01 * fractal(b, 0.3))


@tile("siding", metres=1.28, columns=512, unit=0.16)
def siding(b: Bench) -> Floats:
    """Lapped boards on an outer wall: each throws a shadow on the one below."""
    v = b.y % 0.16
    shadow = 1.0 - 0.55 * np.exp(-(((v - 0.004) / 0.009) ** 2)) + 0.1 * np.exp(-(((v - 0.154) / 0.006) ** 2))
    number, gap = boards(b, 0.16, 1.28, 0.0)
    tone: Floats = 0.97 + 0.06 * b.rng.random(int(number.max()) + 1)[number]
    return tone * shadow * (1.0 + 0.035 * (fibres(b) - 1.0) / 0.12) * (1.0 - 0.35 * gap)


@tile("bark", metres=0.64)
def bark(b: Bench) -> Floats:
    """Furrows that run up the trunk."""
    ridges = np.abs(noise(b, 0.045, 0.22)) + 0.4 * np.abs(noise(b, 0.02, 0.08))
    return relief(ridges, 0.45) * (0.45 + 0.6 * np.clip(ridges, 0, 1.4)) * (1.0 + 0.1 * fractal(b, 0.1))
