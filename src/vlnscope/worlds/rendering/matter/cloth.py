"""Cloth, leather, pile and weave."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter.masonry import cobbles
from vlnscope.worlds.rendering.matter.noise import fractal, noise, relief
from vlnscope.worlds.rendering.matter.tile import Bench, tile


def _weave(b: Bench, thread: float) -> Floats:
    """Return the tone of a plain weave: threads along and across that pass over and under each other."""
    p, q = b.x / thread, b.y / thread
    over = (np.floor(p) + np.floor(q)) % 2 == 0
    round_along = np.sin(np.pi * (q % 1.0)) ** 0.5
    round_across = np.sin(np.pi * (p % 1.0)) ** 0.5
    return np.where(over, 0.80 + 0.30 * round_along, 0.74 + 0.30 * round_across)


@tile("fabric", metres=0.64)
def fabric(b: Bench) -> Floats:
    """A coarse weave with threads of uneven thickness."""
    uneven = 1.0 + 0.05 * noise(b, 0.08, 0.006) + 0.05 * noise(b, 0.006, 0.08)
    return _weave(b, 0.01) * uneven * (1.0 + 0.02 * fractal(b, 0.3, 1.2))


@tile("striped fabric", metres=0.64, unit=0.16)
def striped_fabric(b: Bench) -> Floats:
    """Woven stripes, light and dark."""
    u = b.x % 0.16
    tone = np.where(u < 0.07, 1.3, 0.72)
    tone = np.where((u > 0.10) & (u < 0.115) | (u > 0.13) & (u < 0.145), 1.3, tone)
    return tone * _weave(b, 0.01) * (1.0 + 0.03 * fractal(b, 0.3))


@tile("checked fabric", metres=0.64, unit=0.16)
def checked_fabric(b: Bench) -> Floats:
    """Gingham with a thin line through its squares."""
    p, q = b.x % 0.16, b.y % 0.16
    tone = np.where(p < 0.08, 1.25, 0.8) * np.where(q < 0.08, 1.25, 0.8)
    line = (np.abs(p - 0.12) < 0.004) | (np.abs(q - 0.12) < 0.004)
    return np.where(line, 1.5, tone) * _weave(b, 0.01) * (1.0 + 0.03 * fractal(b, 0.3))


@tile("knit", metres=0.48)
def knit(b: Bench) -> Floats:
    """Rows of knitted stitches, each a V."""
    p = b.x / 0.02 % 1.0
    q = (b.y / 0.015 + 0.9 * np.abs(p - 0.5)) % 1.0
    stitch = np.sin(np.pi * q) ** 0.7 * (0.55 + 0.45 * np.sin(2 * np.pi * (p % 0.5)) ** 0.6)
    return (0.62 + 0.55 * stitch) * (1.0 + 0.05 * noise(b, 0.006)) * (1.0 + 0.03 * fractal(b, 0.2))


@tile("velvet", metres=1.0, gloss=0.01)
def velvet(b: Bench) -> Floats:
    """Soft pile that was stroked both ways."""
    strokes = np.tanh(1.6 * fractal(b, 0.35, 1.8))
    return 1.0 + 0.11 * strokes + 0.04 * noise(b, 0.004)


@tile("carpet", metres=2.56, size=512)
def carpet(b: Bench) -> Floats:
    """Tufts, and the shade of footsteps."""
    tufts = noise(b, 0.009)
    return relief(tufts, 0.05) * (1.0 + 0.10 * tufts + 0.025 * fractal(b, 0.5, 1.2))


@tile("leather", metres=0.64, gloss=0.018)
def leather(b: Bench) -> Floats:
    """Pebbled hide with faint folds."""
    cells = cobbles(b, 72, 72, 0.45)
    bump = np.clip(cells.away / 0.003, 0, 1)
    folds = np.exp(-((fractal(b, 0.25, 1.8) / 0.06) ** 2))
    return relief(bump, 0.10) * (0.93 + 0.08 * bump) * (1.0 - 0.10 * folds + 0.05 * fractal(b, 0.3))


@tile("thatch", metres=0.32, unit=0.04)
def thatch(b: Bench) -> Floats:
    """A basket weave of cane."""
    p, q = b.x / 0.02, b.y / 0.02
    over = (np.floor(p) + np.floor(q)) % 2 == 0
    along, across = q % 1.0, p % 1.0
    strands = np.where(over, np.sin(3 * np.pi * along), np.sin(3 * np.pi * across)) ** 2
    bulge = np.where(over, np.sin(np.pi * across), np.sin(np.pi * along))
    hollow = np.where(over, np.abs(along - 0.5), np.abs(across - 0.5)) > 0.44
    return (0.45 + 0.35 * bulge + 0.3 * strands) * np.where(hollow, 0.4, 1.0) * (1.0 + 0.08 * noise(b, 0.02))
