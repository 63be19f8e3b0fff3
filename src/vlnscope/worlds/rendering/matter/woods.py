"""Wood: grain, boards, parquet and panels."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.noise import fractal, noise
from vlnscope.worlds.rendering.matter.tile import Bench, tile


def grain_of(b: Bench) -> Floats:
    """Return the tone of wood whose fibres run along the rows, about 1."""
    bend = 0.02 * noise(b, 0.7, 0.12) + 0.004 * noise(b, 0.25, 0.05)
    rings = np.sin(np.rint(b.rows / b.scale / 0.022) * 2 * np.pi * (b.y / (b.rows / b.scale)) + 120.0 * bend)
    fibres = noise(b, 0.16, 0.003)
    return np.asarray(1.0 + 0.10 * rings + 0.08 * fibres + 0.06 * fractal(b, 0.5, 1.5, 6.0))


@tile("wood", metres=1.0, size=256, columns=512, gloss=0.03, grain=True)
def wood(b: Bench) -> Floats:
    """Rings cut along the trunk, with fibres and blotches."""
    return grain_of(b)
