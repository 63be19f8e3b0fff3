"""Rugs seen from above; their main colour covers most of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.pictures.motif import motif
from vlnscope.worlds.rendering.pictures.sketch import Colour, mixed, toned

_SECONDS: tuple[Colour, ...] = ((38, 52, 84), (124, 36, 40), (196, 152, 84), (72, 92, 76), (60, 52, 50))
_CREAM: Colour = (226, 214, 190)


class _Loom:
    """Weaves a rug: x and y from the middle, the half of the shorter side being 1.

    Attributes:
        x, y: of each pixel.
        wide, tall: half of the rug.
        away: distance to the nearest edge.
        pixels: the colours so far.
    """

    def __init__(self, rng: np.random.Generator, width: int, height: int, ground: Colour) -> None:
        self.rng = rng
        half = min(width, height) / 2
        self.wide, self.tall = width / 2 / half, height / 2 / half
        self.x, self.y = np.meshgrid(
            (np.arange(width) + 0.5) / half - self.wide, (np.arange(height) + 0.5) / half - self.tall
        )
        self.away = np.minimum(self.wide - np.abs(self.x), self.tall - np.abs(self.y))
        self.pixels: Floats = np.empty((height, width, 3))
        self.pixels[:] = ground

    def fill(self, where: NDArray[np.bool_], colour: Colour) -> None:
        self.pixels[where] = colour

    def finished(self, pile: float) -> NDArray[np.uint8]:
        rows = 1.0 + 0.25 * pile * np.cos(np.pi * np.arange(len(self.pixels)))[:, None, None] * 0.2
        noise = 1.0 + pile * self.rng.standard_normal(self.pixels.shape[:2])[..., None]
        fade = 1.0 + 0.04 * np.sin(2.2 * self.x + self.rng.random() * 6)[..., None]
        return np.asarray(np.clip(self.pixels * rows * noise * fade, 0, 255), dtype=np.uint8)


def _others(rng: np.random.Generator, colour: Colour) -> tuple[Colour, Colour]:
    """Return a light and a dark colour that go with the main one."""
    light = _CREAM if sum(colour) < 560 else toned(colour, 0.72)
    far = [c for c in _SECONDS if sum(abs(p - q) for p, q in zip(c, colour, strict=True)) > 90]
    return light, mixed(far[int(rng.integers(len(far)))], colour, 0.15)


def _rosettes(loom: _Loom, u: Floats, v: Floats, size: float, petals: int) -> NDArray[np.bool_]:
    """Tell pixels in flowers that stand in a grid of this size."""
    p, q = (u / size + 0.5) % 1.0 - 0.5, (v / size + 0.5) % 1.0 - 0.5
    radius, angle = np.hypot(p, q), np.arctan2(q, p)
    rim = 0.26 + 0.12 * np.cos(petals * angle)
    return np.asarray((radius < rim) & (radius > 0.09))


@motif("persian")
def persian(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """Borders of flowers around a field with a medallion and corner pieces."""
    light, dark = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    band = rng.uniform(0.2, 0.3)
    for reach, tint in ((band + 0.05, light), (band + 0.035, dark), (0.055, light), (0.035, colour)):
        loom.fill(loom.away < reach, tint)
    ring = (loom.away > 0.055) & (loom.away < band + 0.035)
    loom.fill(ring, dark)
    flowers = _rosettes(loom, loom.x - loom.wide + 0.04, loom.y - loom.tall + 0.04, (band - 0.02) * 1.02, 5)
    inner = (loom.away > 0.07) & (loom.away < band + 0.02)
    loom.fill(inner & flowers, light)
    loom.fill(inner & _rosettes(loom, loom.x + 0.06, loom.y + 0.06, 0.11, 4) & ~flowers, colour)
    field = loom.away > band + 0.05
    loom.fill(field & _rosettes(loom, loom.x, loom.y, rng.uniform(0.16, 0.22), 6), mixed(colour, light, 0.55))
    stretch = rng.uniform(1.0, 1.3)
    along = loom.x / stretch if loom.wide >= loom.tall else loom.x
    across = loom.y if loom.wide >= loom.tall else loom.y / stretch
    radius, angle = np.hypot(along, across), np.arctan2(across, along)
    lobes = int(rng.choice([8, 12, 16]))
    for size, tint in (
        (0.52, dark),
        (0.46, light),
        (0.42, colour),
        (0.3, dark),
        (0.25, light),
        (0.13, colour),
    ):
        loom.fill(field & (radius < size * (1 + 0.12 * np.cos(lobes * angle))), tint)
    corner = np.hypot(loom.wide - band - np.abs(loom.x), loom.tall - band - np.abs(loom.y))
    turn = np.arctan2(loom.tall - band - np.abs(loom.y), loom.wide - band - np.abs(loom.x))
    for size, tint in ((0.36, light), (0.32, dark)):
        loom.fill(field & (corner < size * (1 + 0.1 * np.cos(8 * turn))), tint)
    return loom.finished(0.05)


@motif("kilim")
def kilim(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """Rows of stepped diamonds and zigzags."""
    light, dark = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    u, v = (loom.x, loom.y) if loom.wide >= loom.tall else (loom.y, loom.x)
    step = 0.05
    p, q = np.floor(u / step) * step, np.floor(v / step) * step
    size = rng.uniform(0.5, 0.8)
    cell = np.abs((p / size + 0.5) % 1.0 - 0.5) + np.abs((q / size + 0.5) % 1.0 - 0.5)
    for reach, tint in ((0.42, dark), (0.34, light), (0.26, colour), (0.14, dark), (0.07, light)):
        loom.fill(cell < reach, tint)
    band = np.abs(np.abs(u) - (max(loom.wide, loom.tall) - 0.25)) < 0.12
    zigzag = (np.abs((v / 0.2) % 1.0 - 0.5) * 0.4 + u) % 0.12 < 0.05
    loom.fill(band, dark)
    loom.fill(band & zigzag, light)
    loom.fill(loom.away < 0.05, dark)
    return loom.finished(0.06)


@motif("striped rug")
def striped_rug(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """Stripes of chance widths across the rug."""
    light, dark = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    u, reach = (loom.x, loom.wide) if loom.wide >= loom.tall else (loom.y, loom.tall)
    at = -reach
    while at < reach:
        thick = rng.uniform(0.03, 0.2)
        tint = (colour, colour, light, toned(colour, 0.7), dark)[int(rng.integers(5))]
        loom.fill((u >= at) & (u < at + thick), tint)
        at += thick
    return loom.finished(0.06)


@motif("shag")
def shag(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """Long pile of one colour, ruffled."""
    loom = _Loom(rng, width, height, colour)
    rough = rng.standard_normal((height, width))
    for shift in (1, 2, 3):
        rough += np.roll(rough, shift, axis=int(rng.integers(2)))
    waves = np.sin(3.0 * loom.x + 1.2 * np.sin(2.7 * loom.y + rng.random() * 6)) * 0.04
    loom.pixels *= (1.0 + 0.05 * rough + waves)[..., None]
    return loom.finished(0.08)


@motif("bordered rug")
def bordered_rug(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """A plain field with one or two plain borders."""
    light, dark = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    edge = rng.uniform(0.08, 0.2)
    loom.fill(loom.away < edge, dark if rng.random() < 0.5 else light)
    loom.fill(loom.away < 0.03, toned(colour, 0.8))
    if rng.random() < 0.6:
        loom.fill(np.abs(loom.away - edge - 0.09) < 0.022, light)
    return loom.finished(0.06)


@motif("trellis")
def trellis(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """A lattice of curved lines on the main colour."""
    light, _ = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    size = rng.uniform(0.22, 0.36)
    wave = np.cos(2 * np.pi * loom.x / size) + np.cos(2 * np.pi * loom.y / size)
    if rng.random() < 0.5:
        wave = np.cos(2 * np.pi * (loom.x + loom.y) / size) * np.cos(2 * np.pi * (loom.x - loom.y) / size)
    loom.fill(np.abs(wave) < 0.24, light)
    loom.fill(loom.away < 0.05, light)
    loom.fill(loom.away < 0.03, colour)
    return loom.finished(0.05)


@motif("rings")
def rings(rng: np.random.Generator, width: int, height: int, colour: Colour) -> NDArray[np.uint8]:
    """Braided rings about the middle, for a round rug."""
    light, dark = _others(rng, colour)
    loom = _Loom(rng, width, height, colour)
    radius = np.hypot(loom.x / loom.wide, loom.y / loom.tall)
    at = 0.0
    while at < 1.5:
        thick = rng.uniform(0.06, 0.2)
        tint = (colour, colour, light, toned(colour, 0.75), dark)[int(rng.integers(5))]
        loom.fill((radius >= at) & (radius < at + thick), tint)
        at += thick
    braid = 1.0 + 0.1 * np.sin(80 * radius) * np.sin(60 * np.arctan2(loom.y, loom.x))
    loom.pixels *= braid[..., None]
    return loom.finished(0.06)
