"""Looks up texels: how a pattern or a picture changes the colour of a face at a point.

A texel is a whole number with red in its lowest byte, then green, then blue. A byte b multiplies linear light
by (b / `UNIT`)²: 0 to 4, with fine steps in the dark. Tables have one row of whole numbers per tile:

====== =====================================================================================
column what
====== =====================================================================================
0      texels per metre, times `FIXED`
1, 2   width and height in texels; powers of two in a tile that repeats
3      number of the coarsest level; each level has half the width and height of the one before
4      0 for a tile that repeats, in `texels`; 1 for an image that ends at its edges, in `pictures`
5 …    where each level begins
====== =====================================================================================
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import inlined

RGB = tuple[float, float, float]
UNIT = 127.5
"""The byte that changes nothing."""
FIXED = 65536.0
LEVELS = 11
"""Most levels of a tile."""
_SHARE = 1.0 / (UNIT * UNIT)


@inlined
def _decoded(word: int) -> RGB:
    r, g, b = float(word & 255), float((word >> 8) & 255), float((word >> 16) & 255)
    return r * r * _SHARE, g * g * _SHARE, b * b * _SHARE


@inlined
def _texel(
    texels: NDArray[np.uint32],
    pictures: NDArray[np.uint32],
    bounded: int,
    start: int,
    width: int,
    height: int,
    i: int,
    j: int,
) -> int:
    if bounded == 0:
        return int(texels[start + (j & (height - 1)) * width + (i & (width - 1))])
    return int(pictures[start + min(max(j, 0), height - 1) * width + min(max(i, 0), width - 1)])


@inlined
def sample(
    texels: NDArray[np.uint32],
    pictures: NDArray[np.uint32],
    table: NDArray[np.int32],
    tile: int,
    u: float,
    v: float,
    footprint: float,
) -> RGB:
    """Return by how much red, green and blue of a surface are multiplied at a point, in linear light.

    Args:
        texels: of the library (`Matter.texels`).
        pictures: texels of the mesh's own images (`Matter.pictures`).
        table: of all tiles and images (`Matter.table`).
        tile: row of the table.
        u: metres along the rows of texels.
        v: metres down the columns.
        footprint: width in metres of what one pixel sees there; it chooses the level. Between the texels of
            the finest level colours are interpolated, else the nearest texel counts.
    """
    scale = table[tile, 0] * (1.0 / FIXED)
    bounded, width, height = table[tile, 4], table[tile, 1], table[tile, 2]
    wide, level = footprint * scale, 0
    if wide < 0.4:
        x, y = u * scale - 0.5, v * scale - 0.5
        i, j = math.floor(x), math.floor(y)
        s, t, start = x - i, y - j, table[tile, 5]
        a = _decoded(_texel(texels, pictures, bounded, start, width, height, i, j))
        b = _decoded(_texel(texels, pictures, bounded, start, width, height, i + 1, j))
        c = _decoded(_texel(texels, pictures, bounded, start, width, height, i, j + 1))
        d = _decoded(_texel(texels, pictures, bounded, start, width, height, i + 1, j + 1))
        p, q, r, w = (1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t
        return (
            p * a[0] + q * b[0] + r * c[0] + w * d[0],
            p * a[1] + q * b[1] + r * c[1] + w * d[1],
            p * a[2] + q * b[2] + r * c[2] + w * d[2],
        )
    while wide > 1.5 and level < table[tile, 3]:
        wide *= 0.5
        scale *= 0.5
        level += 1
    i, j = math.floor(u * scale), math.floor(v * scale)
    width, height = max(1, width >> level), max(1, height >> level)
    return _decoded(_texel(texels, pictures, bounded, table[tile, 5 + level], width, height, i, j))
