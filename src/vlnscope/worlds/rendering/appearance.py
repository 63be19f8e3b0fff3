"""The own colours of meshes: texture images, or a colour at each corner of a face.

Scans have their light baked in, so faces with colours of their own are drawn as they are: no light, no shade
and no haze, as Habitat draws them. Images that are `lit`, such as paintings and rugs in houses, are part of
what a face is made of: the light of the house falls on them as on any other face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats

REPEAT, CLAMP, MIRROR = 0, 1, 2
"""What lies beyond the edge of a texture image: the image again, its last texels, or its mirror image."""
PAINTED, LIT = -1, -2
SPREAD = np.array([[4, 1, 1], [1, 4, 1], [1, 1, 4], [2, 2, 2]]) / 6.0
"""Four points of a face, as the shares of its corners."""
MIDDLE = SPREAD[3:]
"""The middle of a face."""


@dataclass(frozen=True, eq=False)
class TextureImage:
    """A texture.

    Attributes:
        pixels: (height, width, 3), 0-255, top row first.
        wrap: what lies beyond its edges, across and down: `REPEAT`, `CLAMP` or `MIRROR`.
        lit: whether the light of the place falls on it; if not, the image has its light in it.
    """

    pixels: NDArray[np.uint8]
    wrap: tuple[int, int] = (REPEAT, REPEAT)
    lit: bool = False


@dataclass(frozen=True, eq=False)
class MeshAppearance:
    """The own colours of the n faces of a mesh.

    Attributes:
        image: per face an index into `images`; `PAINTED` if only `tint` counts, `LIT` if the face has no
            colours of its own and is drawn as the faces of houses are.
        uv: (n, 3, 2), where each corner lies in its image: 0, 0 is the top left corner, 1, 1 the bottom
            right one.
        tint: (n, 3, 3), red, green and blue of each corner, 0-255; between corners they are interpolated.
            What is in an image is multiplied with it, so that white changes nothing.
        images: the textures.
    """

    image: NDArray[np.int32]
    uv: NDArray[np.float32]
    tint: NDArray[np.uint8]
    images: tuple[TextureImage, ...] = ()

    def __len__(self) -> int:
        return len(self.image)

    @property
    def own(self) -> NDArray[np.bool_]:
        """Tell the faces that are drawn as they are, without light."""
        # the two codes for "no image" come last, where -1 and -2 find them
        unlit = np.array([*(not image.lit for image in self.images), False, True])
        return np.asarray(unlit[self.image])

    def of(self, faces: NDArray[np.bool_] | NDArray[np.integer[Any]]) -> MeshAppearance:
        """Return the colours of the chosen faces (a mask or numbers)."""
        return MeshAppearance(self.image[faces], self.uv[faces], self.tint[faces], self.images)


def lit(count: int) -> MeshAppearance:
    """Return the appearance of faces without colours of their own."""
    return MeshAppearance(
        np.full(count, LIT, dtype=np.int32),
        np.zeros((count, 3, 2), dtype=np.float32),
        np.full((count, 3, 3), 255, dtype=np.uint8),
    )


def painted(corners: NDArray[np.uint8]) -> MeshAppearance:
    """Return the appearance of faces with a colour at each corner, (n, 3, 3)."""
    count = len(corners)
    image = np.full(count, PAINTED, dtype=np.int32)
    return MeshAppearance(image, np.zeros((count, 3, 2), dtype=np.float32), corners)


def joined(parts: Sequence[MeshAppearance]) -> MeshAppearance:
    """Put appearances together; an image that several parts have is kept once."""
    images = tuple({id(image): image for part in parts for image in part.images}.values())
    number = {id(image): i for i, image in enumerate(images)}
    # the two codes for "no image" come last, where -1 and -2 find them
    numbers = [np.array([*(number[id(i)] for i in part.images), LIT, PAINTED]) for part in parts]
    return MeshAppearance(
        np.concatenate([to[part.image] for to, part in zip(numbers, parts, strict=True)]).astype(np.int32),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.tint for part in parts]),
        images,
    )


def quartered(whole: MeshAppearance) -> MeshAppearance:
    """Return the colours of faces that were each cut into four, as `mesh.subdivided` cuts them."""
    return MeshAppearance(
        np.repeat(whole.image, 4),
        _quarters(whole.uv),
        np.rint(_quarters(whole.tint)).astype(np.uint8),
        whole.images,
    )


def _quarters(corners: NDArray[Any]) -> NDArray[np.float32]:
    a, b, c = (corners[:, i].astype(np.float32) for i in range(3))
    six = np.stack([a, b, c, (a + b) / 2, (b + c) / 2, (c + a) / 2], axis=1)
    pattern = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]])
    return six[:, pattern].reshape(-1, 3, corners.shape[2])


def mean_colours(appearance: MeshAppearance, points: Floats = SPREAD) -> NDArray[np.uint8]:
    """Return the mean colour of some points of each face; a texture is looked at in these alone."""
    shade = np.einsum("pc,fck->fpk", points, appearance.tint / 255.0)
    for number, image in enumerate(appearance.images):
        faces = np.flatnonzero(appearance.image == number)
        places = np.einsum("pc,fck->fpk", points, appearance.uv[faces].astype(np.float64))
        height, width, _ = image.pixels.shape
        columns = _texels(places[..., 0], width, image.wrap[0])
        rows = _texels(places[..., 1], height, image.wrap[1])
        shade[faces] *= image.pixels[rows, columns] / 255.0
    return np.asarray(np.rint(shade.mean(axis=1) * 255.0), dtype=np.uint8)


def _texels(places: Floats, size: int, wrap: int) -> NDArray[np.int64]:
    if wrap == REPEAT:
        places = places % 1.0
    elif wrap == MIRROR:
        places = 1.0 - np.abs(places % 2.0 - 1.0)
    return np.floor(np.clip(places, 0.0, 1.0) * size).astype(np.int64).clip(0, size - 1)
