"""Lit images in GLB files that keep every label."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.appearance import CLAMP, LIT, MIRROR, REPEAT, MeshAppearance, TextureImage
from vlnscope.worlds.rendering.appearance import lit as unprinted
from vlnscope.worlds.rendering.mesh import Mesh

WRAPS = {REPEAT: 10497, CLAMP: 33071, MIRROR: 33648}
"""What glTF calls what lies beyond the edge of an image."""


def printed_images(mesh: Mesh) -> NDArray[np.int32]:
    """Return the number of the lit image on each face; `LIT` where there is none."""
    look = mesh.appearance
    if look is None:
        return np.full(len(mesh), LIT, dtype=np.int32)
    return np.where(look.own, LIT, look.image).astype(np.int32)


def image_tables(look: MeshAppearance, views: list[int]) -> dict[str, list[dict[str, Any]]]:
    """Return glTF's lists of images, samplers and textures, given where the bytes of each image are."""
    wraps = [[WRAPS[side] for side in image.wrap] for image in look.images]
    return {
        "images": [{"bufferView": view, "mimeType": "image/png"} for view in views],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": s, "wrapT": t} for s, t in wraps],
        "textures": [{"sampler": k, "source": k} for k in range(len(views))],
    }


def as_png(image: TextureImage) -> bytes:
    """Return an image as the bytes of a PNG file, in which no colour changes."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(image.pixels).save(stream, format="PNG", compress_level=6)
    return stream.getvalue()


class KeptImages:
    """The images of a file that `to_glb` wrote, each read once."""

    def __init__(self, header: dict[str, Any], data: bytes) -> None:
        self._header, self._data = header, data
        self._read: dict[int, TextureImage] = {}

    def on(self, number: int, uv: NDArray[np.float32]) -> MeshAppearance:
        """Return the appearance of faces with an image, their corners lying at `uv`, (n, 3, 2).

        Raises:
            ValueError: the image cannot be read.
        """
        if number not in self._read:
            self._read[number] = self._image(number)
        plain = unprinted(len(uv))
        plain.image[:] = 0
        return MeshAppearance(plain.image, np.ascontiguousarray(uv), plain.tint, (self._read[number],))

    def _image(self, number: int) -> TextureImage:
        from PIL import Image

        texture = self._header["textures"][number]
        view = self._header["bufferViews"][self._header["images"][texture["source"]]["bufferView"]]
        raw = self._data[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        sampler = self._header["samplers"][texture["sampler"]]
        codes = {code: wrap for wrap, code in WRAPS.items()}
        try:
            pixels = np.asarray(Image.open(io.BytesIO(raw), formats=["PNG"]).convert("RGB"))
        except (OSError, SyntaxError, Image.DecompressionBombError) as error:
            raise ValueError(f"image {number}: {error}") from None
        return TextureImage(pixels, (codes[sampler["wrapS"]], codes[sampler["wrapT"]]), lit=True)
