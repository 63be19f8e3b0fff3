"""Words on a poster, in the face that Pillow brings along."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import ImageDraw, ImageFont

from vlnscope.worlds.maps.raster import plain

Anchor = Literal["left", "middle", "right"]
_ANCHORS: dict[Anchor, str] = {"left": "ls", "middle": "ms", "right": "rs"}
Colour = tuple[int, int, int]


@lru_cache(maxsize=32)
def typeface(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the face at a size in pixels."""
    return ImageFont.load_default(size=size)


class LetterPen:
    """Writes on a picture.

    Args:
        draw: where to.
        ink: the usual colour.
    """

    def __init__(self, draw: ImageDraw.ImageDraw, ink: Colour) -> None:
        self._draw = draw
        self._ink = ink

    def write(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        *,
        colour: Colour | None = None,
        anchor: Anchor = "left",
        bold: bool = False,
        spacing: float = 0.0,
    ) -> float:
        """Write a line and return its width in pixels.

        Args:
            at: where its base line begins, has its middle or ends.
            text: what is written.
            size: of the letters in pixels.
            colour: another colour than the usual one.
            anchor: what `at` is.
            bold: write in heavier strokes.
            spacing: pixels between letters, for small capitals and the like.
        """
        words, font = plain(text), typeface(size)
        stroke = size / 40 if bold else 0.0
        fill = colour or self._ink
        if not spacing:
            self._draw.text(at, words, fill, font, _ANCHORS[anchor], stroke_width=stroke)
            return float(font.getlength(words))
        widths = [float(font.getlength(letter)) + spacing for letter in words]
        whole = sum(widths) - spacing
        x = at[0] - {"left": 0.0, "middle": whole / 2, "right": whole}[anchor]
        for letter, width in zip(words, widths, strict=True):
            self._draw.text((x, at[1]), letter, fill, font, "ls", stroke_width=stroke)
            x += width
        return whole
