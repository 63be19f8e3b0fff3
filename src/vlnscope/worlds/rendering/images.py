"""Pictures on disk and on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole

_GAP, _LINE = 6, 16
_PAPER, _INK = (250, 250, 248), (30, 30, 34)


def contact_sheet(
    images: Sequence[NDArray[np.uint8] | Image.Image], labels: Sequence[str] = (), columns: int = 6
) -> Image.Image:
    """Lay pictures out in rows, each with its label beneath; labels may be fewer or none.

    Cells are as large as the largest picture; smaller ones are centred. Long labels are cut to fit.
    """
    if not images or columns < 1:
        raise InputError(
            f"a sheet of {len(images)} pictures in {columns} columns would be empty",
            expected="at least one picture and one column",
            fix="choose other viewpoints or classes",
        )
    tiles = [image if isinstance(image, Image.Image) else Image.fromarray(image) for image in images]
    columns = min(columns, len(tiles))
    width, height = max(t.width for t in tiles), max(t.height for t in tiles)
    line = _LINE if labels else 0
    rows = -(-len(tiles) // columns)
    sheet = Image.new("RGB", (columns * (width + _GAP) + _GAP, rows * (height + line + _GAP) + _GAP), _PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=12)
    for i, tile in enumerate(tiles):
        x = _GAP + i % columns * (width + _GAP)
        y = _GAP + i // columns * (height + line + _GAP)
        sheet.paste(tile.convert("RGB"), (x + (width - tile.width) // 2, y + (height - tile.height) // 2))
        if i < len(labels):
            pen.text((x, y + height + 1), _fit(labels[i], pen, font, width), fill=_INK, font=font)
    return sheet


def save_png(image: NDArray[np.uint8] | Image.Image, path: str | Path) -> None:
    """Write a picture as PNG, whole or not at all; equal pictures give equal bytes."""
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image)
    with write_whole(path) as stream:
        picture.save(stream, format="PNG", compress_level=6)


def false_colours(numbers: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return a picture of class or object numbers: a colour for each, black for -1."""
    n = numbers.astype(np.uint64) + np.uint64(1)
    mixed = (n * np.uint64(2654435761)) & np.uint64(0xFFFFFF)
    parts = [(mixed >> np.uint64(shift)) & np.uint64(0xFF) for shift in (0, 8, 16)]
    picture = (np.stack(parts, axis=-1) // np.uint64(2) + np.uint64(100)).astype(np.uint8)
    picture[numbers < 0] = 0
    return picture


def depth_picture(depth: NDArray[np.float32], *, far: float = 8.0) -> NDArray[np.uint8]:
    """Return a grey picture of depths: near is light, `far` metres and beyond (and the sky) black."""
    grey = np.clip(1.0 - depth / far, 0.0, 1.0)
    return np.repeat((grey * 255.0 + 0.5).astype(np.uint8)[..., None], 3, axis=-1)


def _fit(
    text: str, pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: int
) -> str:
    while len(text) > 1 and pen.textlength(text, font=font) > width:
        text = text[:-2] + "…"
    return text
