"""Plants, earth and water."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.masonry import cobbles
from vlnscope.worlds.rendering.matter.noise import fractal, noise, relief
from vlnscope.worlds.rendering.matter.tile import Bench, tile


def _strokes(b: Bench, count: int, long: float, wide: float, upright: float) -> Floats:
    """Return the tones of many thin strokes drawn over each other, 0 where there is none.

    Args:
        b: where they are drawn.
        count: how many.
        long: their length in metres.
        wide: their width in metres.
        upright: 0 for all directions, 1 for upright ones.
    """
    image = np.zeros(b.shape)
    steps = max(2, round(long * b.scale))
    x, y = b.rng.random((2, count)) * np.array([[b.columns], [b.rows]])
    angle = b.rng.normal(np.pi / 2, np.pi * (1.0 - upright) + 0.25, count)
    size = b.rng.uniform(0.5, 1.0, count) * steps
    bend = b.rng.normal(0, 0.5, count)
    tone = b.rng.uniform(0.25, 1.0, count)
    thick = max(1, round(wide * b.scale))
    share = np.linspace(0, 1, 2 * steps)[:, None]
    turned = angle + bend * share
    px, py = x + np.cos(turned) * share * size, y - np.sin(turned) * share * size
    for k in range(thick):
        i = np.floor(py).astype(np.int64) % b.rows
        j = (np.floor(px) + k).astype(np.int64) % b.columns
        image[i, j] = tone * (0.55 + 0.45 * share)
    return image


@tile("grass", metres=2.56, size=512)
def grass(b: Bench) -> Floats:
    """Blades over blades, with patches that are drier."""
    blades = _strokes(b, 26000, 0.06, 0.005, 0.7)
    tone = 0.45 + 0.85 * blades
    patch = fractal(b, 1.0, 1.4)
    return np.stack(
        [tone * (1 + 0.05 * patch), tone * (1 + 0.015 * patch), tone * (1 - 0.02 * patch)], axis=2
    )


@tile("leaves", metres=1.28)
def leaves(b: Bench) -> Floats:
    """A dense crown: pointed leaves over leaves, the ones behind in the shade."""
    tone = 0.28 * (1.0 + 0.2 * noise(b, 0.05))
    for layer in range(1700):
        light = 0.35 + 0.75 * layer / 1700
        _leaf(b, tone, b.rng.uniform(0.03, 0.055), light * b.rng.uniform(0.75, 1.25))
    tone = tone * (1.0 + 0.08 * fractal(b, 0.4))
    return np.stack([tone * (0.86 + 0.16 * tone), tone, tone * 0.8], axis=2)


def _leaf(b: Bench, tone: Floats, long: float, light: float) -> None:
    """Draw a leaf at a chance place, one half of it brighter than the other."""
    reach = long * b.scale
    patch, x, y = b.patch(b.rng.random() * b.columns, b.rng.random() * b.rows, reach)
    turn = b.rng.uniform(0, 2 * np.pi)
    along = (x * np.cos(turn) + y * np.sin(turn)) / (2 * reach) + 0.5
    across = (y * np.cos(turn) - x * np.sin(turn)) / (2 * reach)
    inside = np.abs(across) < np.clip(0.95 * along * (1.0 - along), 0, None)
    shade = light * np.where(across > 0, 1.12, 0.86) * (0.8 + 0.3 * along)
    tone[patch] = np.where(inside, shade, tone[patch])


@tile("needles", metres=1.28)
def needles(b: Bench) -> Floats:
    """Twigs of needles, dark within."""
    tone = 0.3 + 0.9 * _strokes(b, 5200, 0.10, 0.005, 0.35)
    return tone * (1.0 + 0.22 * noise(b, 0.16))


@tile("soil", metres=1.0)
def soil(b: Bench) -> Floats:
    """Crumbs of earth."""
    rough = fractal(b, 0.08, 1.0)
    return relief(rough, 0.16) * (1.0 + 0.14 * rough)


@tile("gravel", metres=1.28)
def gravel(b: Bench) -> Floats:
    """Pebbles of about 2 cm."""
    pieces = cobbles(b, 56, 56, 0.4)
    count = int(pieces.number.max()) + 1
    dome = np.clip(pieces.away / 0.008, 0, 1) ** 0.6
    hue = b.rng.uniform(0.62, 1.3, (count, 1)) * b.rng.uniform(0.94, 1.06, (count, 3))
    return hue[pieces.number] * (relief(dome, 0.22) * (0.4 + 0.65 * dome))[..., None]


@tile("asphalt", metres=1.28)
def asphalt(b: Bench) -> Floats:
    """Tar with chips of stone in it."""
    chips = np.clip(noise(b, 0.010) - 0.6, 0, 2)
    return 0.9 + 0.28 * chips + 0.025 * fractal(b, 0.5, 1.2)


@tile("water", metres=2.0, gloss=0.1)
def water(b: Bench) -> Floats:
    """Ripples."""
    waves = noise(b, 0.28, 0.12) + 0.5 * noise(b, 0.12, 0.06)
    return relief(waves, 0.35) * (1.0 + 0.03 * fractal(b, 0.8))


@tile("metal", metres=0.64, gloss=0.30, grain=True)
def metal(b: Bench) -> Floats:
    """Brushed metal."""
    return 1.0 + 0.035 * noise(b, 0.35, 0.002) + 0.02 * noise(b, 0.9, 0.02)


@tile("gloss", size=2, gloss=0.06)
def gloss(b: Bench) -> Floats:
    """Smooth lacquer, ceramic or plastic: nothing to see but reflections."""
    return np.ones(b.shape)


@tile("screen", size=2, gloss=0.05)
def screen(b: Bench) -> Floats:
    """A pane in front of a dark screen."""
    return np.ones(b.shape)
