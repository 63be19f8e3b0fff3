"""What covers walls and ceilings: plaster, paper and concrete."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.noise import fractal, noise, relief
from vlnscope.worlds.rendering.matter.tile import Bench, tile


@tile("plaster", metres=2.0, size=512)
def plaster(b: Bench) -> Floats:
    """Rolled paint: a fine orange peel, and large patches where it is a little thicker."""
    return relief(noise(b, 0.011), 0.007) * (1.0 + 0.012 * fractal(b, 0.9, 1.2) + 0.004 * noise(b, 0.02))


@tile("concrete", metres=4.0, size=512, gloss=0.01)
def concrete(b: Bench) -> Floats:
    """Stains, trowel marks and small holes."""
    stains = fractal(b, 1.2, 1.3)
    pores = np.clip(noise(b, 0.02) - 2.4, 0.0, 1.0)
    streaks = noise(b, 0.5, 0.02)
    return 1.0 + 0.045 * stains + 0.02 * streaks + 0.035 * noise(b, 0.016) - 0.5 * pores


@tile("wallpaper stripes", metres=0.96, unit=0.16)
def wallpaper_stripes(b: Bench) -> Floats:
    """Broad and narrow upright stripes of three tones."""
    u = b.x % 0.16
    tone = np.where(u < 0.08, 1.06, 0.9)
    tone = np.where(np.abs(u - 0.04) < 0.005, 0.78, tone)
    tone = np.where((np.abs(u - 0.008) < 0.003) | (np.abs(u - 0.072) < 0.003), 0.84, tone)
    return tone * (1.0 + 0.015 * noise(b, 0.004, 0.03))


def _flower(x: Floats, y: Floats, petals: int, radius: float, turn: float) -> Floats:
    """Return 1 in a flower of round petals about the origin, 0 outside."""
    angle, away = np.arctan2(y, x) + turn, np.hypot(x, y)
    rim = radius * (0.5 + 0.5 * np.sqrt(np.abs(np.cos(petals * angle / 2))))
    return np.asarray(np.clip((rim - away) / (0.06 * radius), 0, 1))


@tile("wallpaper damask", metres=0.64, size=512, unit=0.64)
def damask(b: Bench) -> Floats:
    """Mirrored leaf ornaments in a lattice of curved bands, in two tones of silk."""
    ground = 1.0 + 0.02 * noise(b, 0.003, 0.03)
    p, q = b.x / 0.32, b.y / 0.64
    wave = 0.5 - 0.5 * np.cos(2 * np.pi * q)
    band = np.minimum(np.abs(p % 1.0 - 0.5 * wave), np.abs((1.0 - p) % 1.0 - 0.5 * wave))
    shine = np.clip((0.035 + 0.02 * np.cos(12 * np.pi * q) - band) * 60, 0, 1) * 0.8
    for column, row in ((0.5, 0.0), (1.5, 0.0), (0.0, 0.5), (1.0, 0.5)):
        x = np.abs((p - column + 1.0) % 2.0 - 1.0)
        y = (q - row + 0.5) % 1.0 - 0.5
        shine = np.maximum(shine, _palmette(x * 2.6, y * 2.6))
    return ground * (0.92 + 0.27 * shine)


def _palmette(x: Floats, y: Floats) -> Floats:
    """A fan of leaves over two curls, in the square from 0 to 1 and -1 to 1, to be mirrored at x = 0."""
    fan = np.zeros(x.shape)
    for k in range(6):
        tilt = 0.5 * k
        along = x * np.sin(tilt) - (y - 0.12) * np.cos(tilt)
        across = x * np.cos(tilt) + (y - 0.12) * np.sin(tilt) - 0.1 * along
        long = 0.95 - 0.09 * k
        share = np.clip(along / long, 0, 1)
        width = 0.16 * np.sqrt(share) * (1.0 - share**3)
        leaf = np.clip((width - np.abs(across)) * 40, 0, 1) * (np.abs(across) > 0.014)
        fan = np.maximum(fan, leaf * (along > 0.12) * (along < long))
    curl = np.clip((0.05 - np.abs(np.hypot(x - 0.3, y - 0.5) - 0.2)) * 40, 0, 1) * (x + y > 0.45)
    stem = np.clip((0.045 - np.abs(x)) * 40, 0, 1) * (y > 0.1) * (y < 0.9)
    bud = _flower(x, y - 0.05, 8, 0.13, 0.0)
    return np.maximum(np.maximum(fan, curl), np.maximum(stem, bud))


@tile("wallpaper floral", metres=0.96, size=512)
def floral(b: Bench) -> Floats:
    """Scattered flowers and leaves in other colours than the ground."""
    image = np.repeat((1.0 + 0.015 * noise(b, 0.004))[..., None], 3, axis=2)
    for number, (cx, cy) in enumerate(_scattered(b, 16, 0.19)):
        patch, x, y = b.patch(cx * b.scale, cy * b.scale, 0.13 * b.scale)
        part, x, y = image[patch], x / b.scale, y / b.scale
        turn = b.rng.uniform(0, 2 * np.pi)
        for k in range(4):
            part = _with_leaf(part, x, y, turn + 1.7 * k, b.rng.uniform(0.07, 0.11))
        size = b.rng.uniform(0.04, 0.06)
        hue = np.array(((1.05, 0.45, 0.5), (0.5, 0.6, 0.95), (1.1, 0.8, 0.4), (0.95, 0.6, 0.85))[number % 4])
        for radius, tone in ((1.0, 0.78), (0.86, 1.0), (0.5, 0.85)):
            part = _over(part, _flower(x, y, 5, size * radius, turn + (radius < 0.6)), tone * hue)
        image[patch] = _over(part, _flower(x, y, 9, 0.24 * size, turn), np.array((1.1, 0.9, 0.35)))
    return image


def _over(image: Floats, inside: Floats, colour: Floats) -> Floats:
    return image + inside[..., None] * (colour - image)


def _with_leaf(image: Floats, x: Floats, y: Floats, turn: float, long: float) -> Floats:
    """Put a pointed leaf with a rib onto the image, from the origin outwards."""
    along = (x * np.cos(turn) + y * np.sin(turn)) / long
    across = (y * np.cos(turn) - x * np.sin(turn)) / long + 0.15 * (along - 0.5) ** 2
    half = 0.85 * np.clip(along * (1.0 - along), 0, None)
    inside = np.clip((half - np.abs(across)) * long * 800, 0, 1)
    tone = np.where(np.abs(across) < 0.022, 0.72, 1.0)[..., None] * np.array((0.5, 0.68, 0.42))
    return _over(image, inside, tone)


def _scattered(b: Bench, count: int, apart: float) -> list[tuple[float, float]]:
    """Return points that keep their distance from each other, over the edges of the tile too."""
    wide, tall = b.columns / b.scale, b.rows / b.scale
    chosen: list[tuple[float, float]] = []
    for _ in range(40 * count):
        x, y = b.rng.random() * wide, b.rng.random() * tall
        gaps = [
            np.hypot((x - p + wide / 2) % wide - wide / 2, (y - q + tall / 2) % tall - tall / 2)
            for p, q in chosen
        ]
        if min(gaps, default=apart) >= apart:
            chosen.append((x, y))
        if len(chosen) == count:
            break
    return chosen


@tile("paper", metres=0.5, size=128)
def paper(b: Bench) -> Floats:
    """Paper fibres, hardly seen."""
    return 1.0 + 0.012 * fractal(b, 0.03, 1.0)
