"""The images on the faces of a mesh, packed for `texels.sample`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import MeshAppearance, TextureImage
from vlnscope.worlds.rendering.light.screen import to_linear
from vlnscope.worlds.rendering.matter.library import levels, packed_texels, table_row
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.painting import corner_weights

BRIGHT = 4.0
"""By how much more light a texel of an image stands for; the base colour of its faces is that much darker."""
_STEP = 0.5
"""How finely texels per metre are told apart, in powers of two."""


class Printed(NamedTuple):
    """Faces with lit images.

    Attributes:
        faces: their numbers.
        row: per face, which of `table` it has.
        frames: (faces, 2, 4), from x, y, z, 1 to u, v in metres.
        tint: (faces, 3), what images are multiplied with, linear.
        mean: (faces, 3), mean linear colour of the image.
        table: a row per image and size in which it is shown.
        texels: of all images.
    """

    faces: NDArray[np.int64]
    row: NDArray[np.int64]
    frames: NDArray[np.float32]
    tint: Floats
    mean: Floats
    table: NDArray[np.int32]
    texels: NDArray[np.uint32]


def printed_faces(mesh: Mesh) -> Printed | None:
    """Return the lit images of a mesh; None without any."""
    look = mesh.appearance
    if look is None or not any(image.lit for image in look.images):
        return None
    shown = np.array([*(image.lit for image in look.images), False, False])[look.image]
    faces = np.flatnonzero(shown)
    used, of_face = np.unique(look.image[faces], return_inverse=True)
    packs = [_Pack(look.images[number]) for number in used]
    starts = np.cumsum([0, *(len(pack.texels) for pack in packs)])
    sizes = np.array([pack.size for pack in packs])
    frames = _frames(mesh, look, faces) * sizes[of_face][:, :, None]
    density = np.sqrt(np.linalg.norm(frames[:, 0, :3], axis=1) * np.linalg.norm(frames[:, 1, :3], axis=1))
    step = np.rint(np.log2(np.clip(density, 1.0, 16384.0)) / _STEP).astype(np.int64)
    kinds, row = np.unique(np.stack([of_face, step], axis=1), axis=0, return_inverse=True)
    scale = 2.0 ** (_STEP * step)
    table = [
        packs[number].row(int(starts[number]), 2.0 ** (_STEP * power)) for number, power in kinds.tolist()
    ]
    return Printed(
        faces=faces,
        row=row.reshape(-1),
        frames=(frames / scale[:, None, None]).astype(np.float32),
        tint=to_linear(look.tint[faces].mean(axis=1) / 255.0),
        mean=np.array([pack.mean for pack in packs])[of_face],
        table=np.array(table, dtype=np.int32),
        texels=np.concatenate([pack.texels for pack in packs]),
    )


class _Pack:
    """One image with its levels."""

    def __init__(self, image: TextureImage) -> None:
        chain = levels((BRIGHT * to_linear(np.arange(256) / 255.0)).astype(np.float32)[image.pixels])
        self._sizes = [(level.shape[0], level.shape[1]) for level in chain]
        self.size = (image.pixels.shape[1], image.pixels.shape[0])
        self.mean = chain[0].mean(axis=(0, 1), dtype=np.float64) / BRIGHT
        self.texels = np.concatenate([packed_texels(level) for level in chain])

    def row(self, start: int, scale: float) -> list[int]:
        """What `sample` needs to know of the image if it begins there and is shown at this scale."""
        return table_row(self._sizes, start, scale, bounded=True)


def _frames(mesh: Mesh, look: MeshAppearance, faces: NDArray[np.int64]) -> Floats:
    """Return the maps from x, y, z, 1 to image coordinates."""
    weights = corner_weights(np.asarray(mesh.vertices, dtype=np.float64), mesh.faces[faces])
    uv = look.uv[faces].astype(np.float64)
    sides = np.stack([uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]], axis=1)
    frames: Floats = np.einsum("fks,fkj->fsj", sides, weights)
    frames[:, :, 3] += uv[:, 0]
    return frames
