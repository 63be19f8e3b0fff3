"""Noise and edges that repeat with a tile."""

from __future__ import annotations

import numpy as np
from scipy import fft

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.tile import Bench


def noise(b: Bench, width: float, height: float | None = None) -> Floats:
    """Return smooth noise (mean 0, deviation 1) with blobs about `width` by `height` metres large."""
    fx, fy = _frequencies(b)
    tall = width if height is None else height
    return _shaped(b, np.exp(-((fx * width) ** 2 + (fy * tall) ** 2)))


def fractal(b: Bench, largest: float, slope: float = 1.5, stretch: float = 1.0) -> Floats:
    """Return noise with ever finer detail, its mean 0 and its deviation 1.

    Args:
        b: where it is drawn.
        largest: width of its largest blobs in metres.
        slope: the larger, the weaker are fine details (1 is rough, 2 is soft).
        stretch: how much longer it is along the rows than across them.
    """
    fx, fy = _frequencies(b)
    size = np.hypot(fx * stretch, fy) * largest
    return _shaped(b, 1.0 / (1.0 + size * size) ** (slope / 2 + 0.25))


def _frequencies(b: Bench) -> tuple[Floats, Floats]:
    fx = fft.rfftfreq(b.columns, 1.0 / b.scale)[None, :]
    fy = fft.fftfreq(b.rows, 1.0 / b.scale)[:, None]
    return fx, fy


def _shaped(b: Bench, amplitude: Floats) -> Floats:
    white = b.rng.standard_normal(b.shape, dtype=np.float32)
    spectrum = fft.rfft2(white) * amplitude.astype(np.float32)
    spectrum[0, 0] = 0.0
    out = fft.irfft2(spectrum, s=b.shape)
    return np.asarray(out / max(float(out.std()), 1e-12), dtype=np.float64)


def warped(image: Floats, b: Bench, dx: Floats | float, dy: Floats | float) -> Floats:
    """Return the image with each texel taken from so many metres further right and down."""
    rows, columns = np.mgrid[0 : b.rows, 0 : b.columns]
    i = np.rint(rows + np.asarray(dy) * b.scale).astype(np.int64) % b.rows
    j = np.rint(columns + np.asarray(dx) * b.scale).astype(np.int64) % b.columns
    return np.asarray(image[i, j])


def edge(away: Floats, width: float, soft: float) -> Floats:
    """Return 1 within `width` of where `away` is 0, falling to 0 over `soft` metres."""
    return np.asarray(np.clip((width + soft - away) / soft, 0.0, 1.0))


def relief(height: Floats, strength: float) -> Floats:
    """Return how light from the upper left plays on a surface of this height: 1 where it is flat."""
    slope = (np.roll(height, 1, 0) - np.roll(height, -1, 0)) + (
        np.roll(height, 1, 1) - np.roll(height, -1, 1)
    )
    return np.asarray(np.clip(1.0 - strength * slope, 0.3, 1.9))
