"""Tiles: square or oblong patterns that repeat without a seam, drawn once per texture."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats

Drawer = Callable[["Bench"], Floats]
Rows = NDArray[np.int64]


class Bench:
    """Where a tile is drawn.

    Attributes:
        rows, columns: of texels.
        scale: texels per metre.
        rng: chance that depends on the texture's name alone.
        x, y: metres along the rows and down the columns, one number per texel (its centre).
    """

    def __init__(self, name: str, rows: int, columns: int, scale: float) -> None:
        self.rows, self.columns, self.scale = rows, columns, scale
        self.rng = rng_for(0, "tile", name)
        place = (np.mgrid[0:rows, 0:columns] + 0.5) / scale
        self.y: Floats = place[0]
        self.x: Floats = place[1]

    def patch(self, column: float, row: float, reach: float) -> tuple[tuple[Rows, Rows], Floats, Floats]:
        """Return a square around a point, all in texels: the index of its texels, and how far they are.

        The distances are to the right and down. The square goes on over the edges of the tile.
        """
        span = np.arange(-int(reach) - 1, int(reach) + 2)
        i, j = int(row) + span, int(column) + span
        down, right = np.meshgrid(i + 0.5 - row, j + 0.5 - column, indexing="ij")
        return (i[:, None] % self.rows, j[None, :] % self.columns), right, down

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns


class TileKind(NamedTuple):
    """How a texture is drawn and laid.

    Attributes:
        draw: returns how much of linear light each texel leaves, (rows, columns) or (rows, columns, 3); it
            is scaled to a mean of 1.
        rows, columns: powers of two.
        scale: texels per metre.
        gloss: share of the light that a surface reflects like a mirror when looked at straight on.
        grain: whether it runs along the longer side of each face.
        unit: width in metres of what a pattern consists of; shifts keep whole ones. 0 if any shift will do.
    """

    draw: Drawer
    rows: int
    columns: int
    scale: float
    gloss: float
    grain: bool
    unit: float


TILES: dict[str, TileKind] = {}
"""How each texture is drawn; textures that are not here are plain."""


def tile(
    name: str,
    *,
    metres: float = 1.0,
    size: int = 256,
    columns: int | None = None,
    gloss: float = 0.0,
    grain: bool = False,
    unit: float = 0.0,
) -> Callable[[Drawer], Drawer]:
    """Register how a texture is drawn: `size` rows of texels over so many metres, and `columns` of them."""

    def register(draw: Drawer) -> Drawer:
        TILES[name] = TileKind(draw, size, columns or size, size / metres, gloss, grain, unit)
        return draw

    return register
