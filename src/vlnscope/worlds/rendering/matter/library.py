"""The tiles of all textures in one array, with coarser levels of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter import cloth, masonry, nature, walls, woods
from vlnscope.worlds.rendering.matter.tile import TILES, Bench
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.texels import FIXED, LEVELS, UNIT

DRAWERS = (cloth, masonry, nature, walls, woods)
"""The modules that draw tiles."""
_MOST = 4.0


@dataclass(frozen=True, eq=False)
class TileLibrary:
    """The tiles of `TEXTURES`, in this order.

    Attributes:
        texels: of all tiles and levels, as `texels` describes them; read-only.
        table: one row per texture, (textures, 16).
        gloss: per texture, as in `TileKind`.
    """

    texels: NDArray[np.uint32]
    table: NDArray[np.int32]
    gloss: NDArray[np.float32]


@cache
def tile_library() -> TileLibrary:
    """Return the tiles of all textures; drawn once per process."""
    words, rows, start = [], [], 0
    for name in TEXTURES:
        image, scale = drawn_tile(name)
        chain = levels(image)
        starts = start + np.cumsum([0, *(level.size // 3 for level in chain)])
        rows.append(table_row(chain, starts[:-1].tolist(), scale, bounded=False))
        words += [packed_texels(level) for level in chain]
        start = int(starts[-1])
    texels = np.concatenate(words)
    texels.flags.writeable = False
    gloss = [TILES[name].gloss if name in TILES else 0.0 for name in TEXTURES]
    return TileLibrary(texels, np.array(rows, dtype=np.int32), np.array(gloss, dtype=np.float32))


def drawn_tile(name: str) -> tuple[Floats, float]:
    """Return the finest level of a tile, (rows, columns, 3) with a mean of 1, and its texels per metre."""
    if name not in TILES:
        return np.ones((1, 1, 3)), 1.0
    kind = TILES[name]
    image = kind.draw(Bench(name, kind.rows, kind.columns, kind.scale))
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    image = np.maximum(image, 0.0)
    return image / image.mean(axis=(0, 1)), kind.scale


def levels(image: Floats) -> list[Floats]:
    """Return an image and ever coarser ones, each texel the mean of up to four of the level before."""
    chain = [image]
    while max(chain[-1].shape[:2]) > 1 and len(chain) < LEVELS:
        fine = chain[-1]
        rows, columns = (max(1, side // 2) for side in fine.shape[:2])
        down, across = min(2, fine.shape[0]), min(2, fine.shape[1])
        kept = fine[: rows * down, : columns * across]
        chain.append(kept.reshape(rows, down, columns, across, 3).mean(axis=(1, 3)))
    return chain


def table_row(chain: list[Floats], starts: list[int], scale: float, *, bounded: bool) -> list[int]:
    """Return what `sample` needs to know of a tile."""
    height, width = chain[0].shape[:2]
    padding = [starts[-1]] * (LEVELS - len(starts))
    return [round(scale * FIXED), width, height, len(chain) - 1, int(bounded), *starts, *padding]


def packed_texels(image: Floats) -> NDArray[np.uint32]:
    """Return factors of linear light (0 to 4) as texels, row by row."""
    code = np.rint(np.sqrt(np.clip(image, 0.0, _MOST)) * UNIT).astype(np.uint32).reshape(-1, 3)
    return np.asarray(code[:, 0] | (code[:, 1] << 8) | (code[:, 2] << 16), dtype=np.uint32)
