"""Pictures of maps for people: the agent in the middle, what is ahead of it up, colours by class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping.classes import CLASSES, COLOURS
from vlnscope.perception.mapping.egocentric import CELL, MIDDLE, SIZE, EgocentricMap

EMPTY, OCCUPIED, AGENT, INK = "#fbfaf7", "#4b515c", "#d6006d", "#1e1e22"
"""Colours of nothing, of things without a class, of the agent, and of letters."""
_ARROW = ((0.0, -2.2), (1.4, 1.6), (0.0, 0.8), (-1.4, 1.6))
_LEGEND, _LINE, _MARGIN = 150, 20, 10


def map_picture(shown: EgocentricMap, number: int = 0, *, scale: int = 8, legend: bool = True) -> Image.Image:
    """Return a picture of one of several maps.

    Cells with a class have its colour, other occupied ones (walls, doors, lamps) are dark. The arrow is the
    agent; the bar is 1 m long.

    Args:
        shown: the maps.
        number: which of them.
        scale: pixels along each side of a cell.
        legend: whether the classes on the map are named beside it.

    Raises:
        InputError: there is no such map, or no such scale.

    Example:
        >>> from vlnscope.perception.mapping.egocentric import blank_map
        >>> map_picture(blank_map(1), scale=2, legend=False).size
        (128, 128)
    """
    if not 0 <= number < len(shown.occupancy) or scale < 1:
        raise InputError(
            f"there is no map {number} to draw at scale {scale}",
            expected=f"a number below {len(shown.occupancy)} and a scale of at least 1",
            fix="give `number` the place of the agent whose map is meant",
        )
    occupancy, classes = shown.occupancy[number], shown.classes[number]
    cells = Image.fromarray(_coloured(occupancy, classes))
    grid = cells.resize((SIZE * scale, SIZE * scale), Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(grid)
    middle = (MIDDLE + 0.5) * scale
    pen.polygon([(middle + x * scale, middle + y * scale) for x, y in _ARROW], fill=AGENT, outline="#ffffff")
    _draw_bar(pen, scale)
    return _with_legend(grid, _named(occupancy, classes)) if legend else grid


def _coloured(occupancy: NDArray[np.uint8], classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    palette = np.array([ImageColor.getrgb(colour) for colour in (EMPTY, OCCUPIED, *COLOURS)], dtype=np.uint8)
    return palette[np.where(classes > 0, classes + 1, occupancy)]


def _draw_bar(pen: ImageDraw.ImageDraw, scale: int) -> None:
    left, low, cells = 2 * scale, (SIZE - 2) * scale, round(1.0 / CELL)
    pen.rectangle((left, low, left + cells * scale, low + max(1, scale // 2)), fill=INK)


def _named(occupancy: NDArray[np.uint8], classes: NDArray[np.uint8]) -> list[tuple[str, str]]:
    """Return the colour and the name of each class on a map, and of things without one."""
    there = [(COLOURS[k - 1], CLASSES[k].replace("_", " ")) for k in np.unique(classes).tolist() if k]
    plain = bool((occupancy.astype(bool) & (classes == 0)).any())
    return [*there, *([(OCCUPIED, "walls and other things")] if plain else [])]


def _with_legend(grid: Image.Image, rows: Sequence[tuple[str, str]]) -> Image.Image:
    width, height = grid.width + _LEGEND + _MARGIN, max(grid.height, 2 * _MARGIN + _LINE * len(rows))
    sheet = Image.new("RGB", (width, height), "#ffffff")
    sheet.paste(grid, (0, 0))
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=12)
    for k, (colour, name) in enumerate(rows):
        left, top = grid.width + _MARGIN, _MARGIN + k * _LINE
        pen.rectangle((left, top, left + 12, top + 12), fill=colour, outline=INK)
        pen.text((left + 18, top - 1), name, fill=INK, font=font)
    return sheet
