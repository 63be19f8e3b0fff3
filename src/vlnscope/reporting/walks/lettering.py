"""Text in pictures: broken into lines that fit, and written with the letters that Pillow brings along."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PIL import Image, ImageFont

from vlnscope.worlds.maps.canvas import Canvas
from vlnscope.worlds.maps.raster import Painting, can_write, plain

INK, FAINT, GOOD, BAD = "#1f2126", "#666b76", "#00795a", "#b3261e"
_LEADING = 1.35


class Sheet:
    """A stretch of a picture on which lines of text are written from top to bottom.

    Args:
        width: in pixels.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.height = 0.0
        self._canvas = Canvas(0.0, 0.0)

    def write(self, text: str, size: float, *, most: int = 99, gap: float = 0.0, **style: str) -> None:
        """Write a text below what is there.

        Args:
            text: what to write.
            size: of letters.
            most: how many lines it may take.
            gap: between it and what is above it.
            style: attributes of an SVG text, such as ``fill``.
        """
        dress: dict[str, Any] = {"fill": INK, **style}
        self.height += gap
        for line in wrapped(text, size, self.width, most):
            self._canvas.page_text((0.0, self.height + size * _LEADING / 2), line, size, **dress)
            self.height += size * _LEADING

    def picture(self) -> Image.Image:
        """Return what was written."""
        painting = Painting((self.width, max(1.0, self.height)))
        painting.draw(self._canvas.elements)
        return painting.finished()


def wrapped(text: str, size: float, width: float, most: int = 99) -> list[str]:
    """Break a text into lines that are no wider than `width` pixels; what is too much ends in an ellipsis.

    A word that is wider than a line by itself gets one of its own.

    Example:
        >>> wrapped("walk to the sofa and stop", 10, 70)
        ['walk to the sofa', 'and stop']
        >>> wrapped("walk to the sofa and stop", 10, 70, most=1)
        ['walk to the …']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and written_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while " " in last and written_width(f"{last} …", size) > width:
        last = last.rpartition(" ")[0]
    return [*lines[: most - 1], f"{last} …"]


def written_width(text: str, size: float) -> float:
    """Return how many pixels a text takes."""
    return float(_font(round(size)).getlength(plain(text)))


def writable(text: str, otherwise: str) -> str:
    """Return a text if pictures can write all of its letters, else what to write instead."""
    return text if can_write(" ".join(text.split())) else otherwise


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)
