"""A sheet to draw on, twice as fine as the picture that comes out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Colour = tuple[int, int, int]
_FINE = 2


class Sketch:
    """Draws shapes over each other; x and y go from 0 to 1, right and down, whatever the picture's shape.

    Attributes:
        rng: the chance that decides what is drawn.
        width, height: of the picture in pixels.
        aspect: width over height.
    """

    def __init__(self, rng: np.random.Generator, width: int, height: int, ground: Colour) -> None:
        self.rng, self.width, self.height = rng, width, height
        self.aspect = width / height
        self._image = Image.new("RGB", (width * _FINE, height * _FINE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Fill a polygon."""
        wide, tall = self._image.size
        self._draw.polygon([(x * wide, y * tall) for x, y in points], fill=colour)

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        """Fill a rectangle; one without extent is left out."""
        wide, tall = self._image.size
        if x1 > x0 and y1 > y0:
            right, bottom = max(x0 * wide, x1 * wide - 1), max(y0 * tall, y1 * tall - 1)
            self._draw.rectangle((x0 * wide, y0 * tall, right, bottom), fill=colour)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Colour) -> None:
        """Fill an ellipse."""
        wide, tall = self._image.size
        self._draw.ellipse(((x - rx) * wide, (y - ry) * tall, (x + rx) * wide, (y + ry) * tall), fill=colour)

    def circle(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle whose radius is a share of the picture's height."""
        self.oval(x, y, radius / self.aspect, radius, colour)

    def line(self, points: Sequence[tuple[float, float]], thick: float, colour: Colour) -> None:
        """Draw a line through points, as thick as a share of the picture's height."""
        wide, tall = self._image.size
        self._draw.line(
            [(x * wide, y * tall) for x, y in points],
            fill=colour,
            width=max(1, round(thick * tall)),
            joint="curve",
        )

    def shade_down(self, y0: float, y1: float, top: Colour, bottom: Colour) -> None:
        """Fill the rows from y0 to y1 with colours that change from one to another."""
        wide, tall = self._image.size
        first, last = round(y0 * tall), round(y1 * tall)
        for row in range(first, last):
            self._draw.line(
                (0, row, wide, row), fill=mixed(top, bottom, (row - first) / max(1, last - first))
            )

    def finished(self, grain: float = 0.0, strokes: float = 0.0) -> NDArray[np.uint8]:
        """Return the picture, with so much noise and so much unevenness of brush strokes (0 to about 20)."""
        small = np.asarray(self._image.reduce(_FINE), dtype=np.float32)
        if strokes:
            small = small + strokes * self._brushed()[..., None]
        if grain:
            small = small + grain * self.rng.standard_normal(small.shape[:2], dtype=np.float32)[..., None]
        return np.asarray(np.clip(np.rint(small), 0, 255), dtype=np.uint8)

    def _brushed(self) -> NDArray[np.float32]:
        coarse = self.rng.uniform(-1, 1, (self.height // 2 + 2, self.width // 8 + 2))
        wide = Image.fromarray(coarse.astype(np.float32)).resize(
            (self.width, self.height), Image.Resampling.BICUBIC
        )
        return np.asarray(wide, dtype=np.float32)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return a colour between two: the first at 0, the second at 1."""
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def toned(colour: Colour, factor: float) -> Colour:
    """Return a colour darker (below 1) or lighter (above 1; 2 is white)."""
    if factor <= 1:
        return mixed((0, 0, 0), colour, factor)
    return mixed(colour, (255, 255, 255), min(1.0, factor - 1))


def jittered(rng: np.random.Generator, colour: Colour, reach: int) -> Colour:
    """Return a colour near another, each part at most `reach` away."""
    shift = rng.integers(-reach, reach + 1, 3)
    red, green, blue = (int(np.clip(c + s, 0, 255)) for c, s in zip(colour, shift, strict=True))
    return red, green, blue


def ridge(
    rng: np.random.Generator, level: float, rough: float, points: int = 40
) -> list[tuple[float, float]]:
    """Return a jagged line from left to right around a height, closed along the bottom of the picture."""
    x = np.linspace(0, 1, points)
    y = np.full(points, level)
    for octave in range(1, 6):
        y += rough / octave**1.4 * np.sin(2 * np.pi * (octave * x * rng.uniform(0.4, 1.1) + rng.random()))
    y += 0.15 * rough * rng.standard_normal(points)
    return [*zip(x.tolist(), y.tolist(), strict=True), (1.0, 1.01), (0.0, 1.01)]
