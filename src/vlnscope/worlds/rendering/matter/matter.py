"""What the faces of a mesh are made of, ready for a kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.light.screen import to_linear
from vlnscope.worlds.rendering.matter.frames import frames_of
from vlnscope.worlds.rendering.matter.library import tile_library
from vlnscope.worlds.rendering.matter.printed import BRIGHT, printed_faces
from vlnscope.worlds.rendering.mesh import Mesh


@dataclass(frozen=True, eq=False)
class Matter:
    """The surfaces of the n faces of a mesh.

    The unlit colour of a point, in linear light, is `base` times what `texels.sample` returns for `tile`
    at u, v, which `frames` gives for the point. Colours of files (`MeshAppearance` that is not lit) are left
    to `Painter`.

    Attributes:
        tile: row of `table` per face.
        frames: (n, 2, 4), the affine map from x, y, z, 1 to u, v in metres.
        base: (n, 3), red, green and blue to multiply with.
        mean: (n, 3), mean red, green and blue of the face, for light that bounces off it.
        gloss: share of the light that is reflected as by a mirror when the face is looked at straight on.
        texels: of the tiles that repeat, shared by all meshes; read-only.
        pictures: texels of the mesh's own images.
        table: what `sample` needs to know of each tile and image.
    """

    tile: NDArray[np.int32]
    frames: NDArray[np.float32]
    base: NDArray[np.float32]
    mean: NDArray[np.float32]
    gloss: NDArray[np.float32]
    texels: NDArray[np.uint32]
    pictures: NDArray[np.uint32]
    table: NDArray[np.int32]


def matter_of(mesh: Mesh) -> Matter:
    """Return what the faces of a mesh are made of."""
    library = tile_library()
    tile, frames = mesh.texture.astype(np.int32), frames_of(mesh)
    base = to_linear(mesh.colour / 255.0).astype(np.float32)
    mean, table, pictures = base, library.table, np.zeros(1, dtype=np.uint32)
    images = printed_faces(mesh)
    if images is not None:
        base, mean = base.copy(), base.copy()
        tile[images.faces] = len(table) + images.row
        frames[images.faces] = images.frames
        base[images.faces] = images.tint / BRIGHT
        mean[images.faces] = images.tint * images.mean
        table, pictures = np.concatenate([table, images.table]), images.texels
    gloss = library.gloss[mesh.texture]
    return Matter(tile, frames, base, mean, gloss, library.texels, pictures, table)
