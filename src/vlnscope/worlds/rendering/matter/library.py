"""The tiles of all textures in one array, with coarser levels of each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import cache_dir, digest, write_whole
from vlnscope.types import Floats
from vlnscope.worlds.rendering.matter import cloth, masonry, nature, walls, woods
from vlnscope.worlds.rendering.matter.tile import TILES, Bench
from vlnscope.worlds.rendering.mesh import TEXTURES
from vlnscope.worlds.rendering.texels import FIXED, LEVELS, UNIT

DRAWERS = (cloth, masonry, nature, walls, woods)
"""The modules that draw tiles."""
VERSION = 1
"""Of the way in which tiles are kept."""
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
    """Return the tiles of all textures.

    They are drawn once and kept in the cache folder, from which all processes map them into memory. Where
    it cannot be written, or what is kept there is damaged, they are drawn for this process alone.
    """
    path = cache_dir() / "tiles" / f"v{VERSION}-{_drawing_key()}.npy"
    texels = _kept(path)
    if texels is None:
        texels = np.concatenate(
            [packed_texels(level) for name in TEXTURES for level in levels(drawn_tile(name))]
        )
        with suppress(InputError), write_whole(path) as stream:
            np.save(stream, texels)
        texels = texels if (kept := _kept(path)) is None else kept
    texels.flags.writeable = False
    gloss = [TILES[name].gloss if name in TILES else 0.0 for name in TEXTURES]
    return TileLibrary(texels, _table(), np.array(gloss, dtype=np.float32))


def _kept(path: Path) -> NDArray[np.uint32] | None:
    try:
        texels = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    fits = texels.dtype == np.uint32 and texels.shape == (_total(),)
    return np.asarray(texels) if fits else None


def _drawing_key() -> str:
    """What tells these tiles from those that other code draws."""
    folder = Path(__file__).parent
    return digest(*(path.read_bytes() for path in sorted(folder.glob("*.py"))))[:16]


def _sizes(name: str) -> list[tuple[int, int]]:
    """Return rows and columns of all levels of a tile."""
    rows, columns = (TILES[name].rows, TILES[name].columns) if name in TILES else (1, 1)
    sizes = [(rows, columns)]
    while max(sizes[-1]) > 1 and len(sizes) < LEVELS:
        sizes.append((max(1, sizes[-1][0] // 2), max(1, sizes[-1][1] // 2)))
    return sizes


def _total() -> int:
    return sum(rows * columns for name in TEXTURES for rows, columns in _sizes(name))


def _table() -> NDArray[np.int32]:
    rows, start = [], 0
    for name in TEXTURES:
        sizes = _sizes(name)
        scale = TILES[name].scale if name in TILES else 1.0
        rows.append(table_row(sizes, start, scale, bounded=False))
        start += sum(height * width for height, width in sizes)
    return np.array(rows, dtype=np.int32)


def drawn_tile(name: str) -> Floats:
    """Return the finest level of a tile, (rows, columns, 3) with a mean of 1."""
    if name not in TILES:
        return np.ones((1, 1, 3))
    kind = TILES[name]
    image = kind.draw(Bench(name, kind.rows, kind.columns, kind.scale))
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    image = np.maximum(image, 0.0)
    return np.asarray(image / image.mean(axis=(0, 1)))


def levels(image: Floats | NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Return an image and ever coarser ones, each texel the mean of up to four of the level before."""
    chain = [np.asarray(image, dtype=np.float32)]
    while max(chain[-1].shape[:2]) > 1 and len(chain) < LEVELS:
        chain.append(_halved(_halved(chain[-1]).swapaxes(0, 1)).swapaxes(0, 1))
    return chain


def _halved(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means of pairs of rows; of a single row, the row."""
    rows = len(image) // 2
    if not rows:
        return image
    return np.asarray((image[0 : 2 * rows : 2] + image[1 : 2 * rows : 2]) * np.float32(0.5))


def table_row(sizes: list[tuple[int, int]], start: int, scale: float, *, bounded: bool) -> list[int]:
    """Return what `sample` needs to know of a tile with levels of these rows and columns."""
    height, width = sizes[0]
    starts = [start, *(start + end for end in accumulate(rows * columns for rows, columns in sizes[:-1]))]
    padding = [starts[-1]] * (LEVELS - len(starts))
    return [round(scale * FIXED), width, height, len(sizes) - 1, int(bounded), *starts, *padding]


def packed_texels(image: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return factors of linear light (0 to 4) as texels, row by row."""
    code = np.rint(np.sqrt(np.clip(image, 0.0, _MOST)) * UNIT).astype(np.uint32).reshape(-1, 3)
    return np.asarray(code[:, 0] | (code[:, 1] << 8) | (code[:, 2] << 16), dtype=np.uint32)
