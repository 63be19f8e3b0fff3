"""Draws faces in their own colours: the texel or the interpolated colour at the point that a pixel sees."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import CLAMP, LIT, REPEAT, MeshAppearance


class Painter:
    """Own colours of a mesh, ready to be drawn.

    Args:
        appearance: the colours.
        vertices: of the mesh, as its rays see them.
        faces: of the mesh.

    Attributes:
        covers_all: whether every face has colours of its own that are not lit. Then nothing else is drawn,
            and where there is no face it is black, as in Habitat.
    """

    def __init__(self, appearance: MeshAppearance, vertices: Floats, faces: NDArray[np.int32]) -> None:
        own = appearance.own
        self.covers_all = bool(own.all())
        self._weights = corner_weights(vertices, faces)
        self._image = np.ascontiguousarray(np.where(own, appearance.image, LIT), dtype=np.int32)
        self._uv = np.ascontiguousarray(appearance.uv, dtype=np.float32)
        self._tint = np.ascontiguousarray(appearance.tint, dtype=np.uint8)
        self._tinted = (self._tint != 255).any(axis=(1, 2)).astype(np.uint8)
        none = np.zeros((0, 0, 3), dtype=np.uint8)
        pixels = [none if image.lit else image.pixels for image in appearance.images]
        wraps = [image.wrap for image in appearance.images]
        sizes = [(*texels.shape[:2], *wrap) for texels, wrap in zip(pixels, wraps, strict=True)]
        starts = np.cumsum([0, *(height * width for height, width, *_ in sizes)])
        rows = [(start, *size) for start, size in zip(starts.tolist(), sizes, strict=False)]
        self._sizes = np.array(rows, dtype=np.int64).reshape(-1, 5)
        self._texels = np.concatenate([*(texels.reshape(-1, 3) for texels in pixels), none.reshape(0, 3)])

    def paint(
        self,
        prim: NDArray[np.int32],
        rays: NDArray[np.float32],
        origins: Floats,
        depth: NDArray[np.float32],
        rgb: NDArray[np.uint8],
    ) -> None:
        """Fill `rgb` where a ray hits a face with own colours, and around a mesh that has no other faces."""
        _paint(
            prim,
            rays,
            origins,
            depth,
            self._weights,
            self._image,
            self._uv,
            self._tint,
            self._tinted,
            self._texels,
            self._sizes,
            self.covers_all,
            rgb,
        )


def corner_weights(vertices: Floats, faces: NDArray[np.int32]) -> Floats:
    """Return per face how the shares of its second and third corner depend on x, y, z and 1, (n, 2, 4)."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    e, f = b - a, c - a
    ee, ef, ff = (e * e).sum(axis=1), (e * f).sum(axis=1), (f * f).sum(axis=1)
    area = ee * ff - ef * ef
    scale = np.divide(1.0, area, out=np.zeros_like(area), where=area > 0)[:, None]
    slopes = np.stack(
        [(ff[:, None] * e - ef[:, None] * f) * scale, (ee[:, None] * f - ef[:, None] * e) * scale], 1
    )
    offsets = -(slopes * a[:, None]).sum(axis=2, keepdims=True)
    return np.ascontiguousarray(np.concatenate([slopes, offsets], axis=2))


@compiled
def _texel(place: float, size: int, wrap: int) -> int:
    if wrap == REPEAT:
        place -= math.floor(place)
    elif wrap == CLAMP:
        place = min(1.0, max(0.0, place))
    else:
        place = abs(place - 2.0 * math.floor(0.5 * place + 0.5))
    return min(int(place * size), size - 1)


@compiled
def _paint(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    origins: Floats,
    depth: NDArray[np.float32],
    weights: Floats,
    image: NDArray[np.int32],
    uv: NDArray[np.float32],
    tint: NDArray[np.uint8],
    tinted: NDArray[np.uint8],
    texels: NDArray[np.uint8],
    sizes: NDArray[np.int64],
    background: bool,
    rgb: NDArray[np.uint8],
) -> None:
    views, height, width = prim.shape
    for k in range(views):
        ox, oy, oz = origins[k, 0], origins[k, 1], origins[k, 2]
        for row in range(height):
            for column in range(width):
                face = prim[k, row, column]
                if face < 0 or image[face] == LIT:
                    if background:
                        rgb[k, row, column, 0] = rgb[k, row, column, 1] = rgb[k, row, column, 2] = 0
                    continue
                t = float(depth[k, row, column])
                x = ox + t * float(rays[k, row, column, 0])
                y = oy + t * float(rays[k, row, column, 1])
                z = oz + t * float(rays[k, row, column, 2])
                w = weights[face]
                second = max(0.0, w[0, 0] * x + w[0, 1] * y + w[0, 2] * z + w[0, 3])
                third = max(0.0, w[1, 0] * x + w[1, 1] * y + w[1, 2] * z + w[1, 3])
                if (
                    second + third > 1.0
                ):  # rounding must not lead out of the face into another part of an image
                    total = second + third
                    second, third = second / total, third / total
                first = 1.0 - second - third
                number, at = image[face], 0
                if number >= 0:
                    c = uv[face]
                    u = first * c[0, 0] + second * c[1, 0] + third * c[2, 0]
                    v = first * c[0, 1] + second * c[1, 1] + third * c[2, 1]
                    start, rows, columns, across, down = sizes[number]
                    at = start + _texel(v, rows, down) * columns + _texel(u, columns, across)
                for i in range(3):
                    value = float(texels[at, i]) if number >= 0 else 255.0
                    if tinted[face]:
                        s = tint[face]
                        value *= (first * s[0, i] + second * s[1, i] + third * s[2, i]) * (1.0 / 255.0)
                    rgb[k, row, column, i] = int(value + 0.5)
