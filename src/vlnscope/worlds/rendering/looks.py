"""What drawing the faces of a mesh takes: their matter and the light on them, side by side in arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.bounces import GLASS, GLOW, MATT, MIRROR, SCREEN, SHINY
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.light.sky import sky_at
from vlnscope.worlds.rendering.matter.matter import matter_of
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

_KINDS = {"glass": GLASS, "mirror": MIRROR, "glow": GLOW, "screen": SCREEN}
_SHINES, _MOST_GLOSS = 0.02, 0.1
USUAL = 0.62
"""Light on a usual wall, times the exposure."""
_FROM_ABOVE = np.array((0.24, -0.40, 0.88))


class FaceLooks(NamedTuple):
    """How n faces look, ready for `shading.shade_surfaces`.

    Attributes:
        colour: linear red, green and blue, (n, 3).
        gloss: share of the light that comes back as from a mirror, seen straight on.
        kind: how a face answers light, one of those in `bounces`.
        tile: number of its texture tile.
        frames: (n, 4, 4), from x, y, z, 1 to u, v and to column and row of the baked light.
        texels: of the tiles.
        pictures: texels of images.
        table: what there is to know of each tile and image.
        atlas: baked light, (rows, columns, 3).
        sky: parameters of the sky.
        exposure: how bright pictures are.
    """

    colour: NDArray[np.float32]
    gloss: NDArray[np.float32]
    kind: NDArray[np.uint8]
    tile: NDArray[np.int32]
    frames: NDArray[np.float32]
    texels: NDArray[np.uint32]
    pictures: NDArray[np.uint32]
    table: NDArray[np.int32]
    atlas: NDArray[np.float32]
    sky: Floats
    exposure: float


def face_looks(mesh: Mesh, light: BakedLight | None) -> FaceLooks:
    """Return how the faces of a mesh look under baked light.

    Without light every face is lit by its direction alone, brightest from above.
    """
    matter = matter_of(mesh)
    colour = matter.base
    kind = np.full(len(mesh), MATT, dtype=np.uint8)
    kind[matter.gloss > _SHINES] = SHINY
    for name, number in _KINDS.items():
        kind[mesh.texture == TEXTURES.index(name)] = number
    if light is None:
        light = _everywhere(len(mesh))
        colour = colour * _by_direction(mesh)[:, None]
    elif not light.lamps:
        kind[kind == GLOW] = MATT
    return FaceLooks(
        np.ascontiguousarray(colour, dtype=np.float32),
        np.minimum(matter.gloss, _MOST_GLOSS),
        kind,
        matter.tile,
        np.ascontiguousarray(np.concatenate([matter.frames, light.frames], axis=1), dtype=np.float32),
        matter.texels,
        matter.pictures,
        matter.table,
        light.atlas,
        light.sky,
        light.exposure,
    )


def _everywhere(count: int) -> BakedLight:
    return BakedLight(
        frames=np.zeros((count, 2, 4), dtype=np.float32),
        atlas=np.ones((2, 2, 3), dtype=np.float32),
        sky=sky_at(12.0).params(),
        exposure=1.0,
        lamps=True,
    )


def _by_direction(mesh: Mesh) -> NDArray[np.float32]:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    return np.asarray(0.78 + 0.22 * (normals @ _FROM_ABOVE), dtype=np.float32)
