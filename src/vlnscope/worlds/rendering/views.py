"""What cameras see: pictures, and the surfaces in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.worlds.rendering.pinhole import half_tangents


@dataclass(frozen=True, eq=False)
class Views:
    """What k cameras see.

    Attributes:
        rgb: (k, height, width, 3), 0-255.
        depth: metres along the view axis (not along the ray) to what a pixel's centre sees; infinite where
            it sees the sky.
        semantic: index into the mesh's `classes`; -1 for the sky.
        instance: index into the mesh's `objects`; -1 for the sky.
        vfov: vertical angle of view in degrees.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    semantic: NDArray[np.int32]
    instance: NDArray[np.int32]
    vfov: float

    def __len__(self) -> int:
        return len(self.rgb)

    def distance(self) -> NDArray[np.float32]:
        """Return metres along each ray, from the camera to the point that it hits."""
        _, height, width = self.depth.shape
        tan_x, tan_y = half_tangents(width, height, self.vfov)
        a = tan_x * ((2 * np.arange(width) + 1) / width - 1.0)
        b = tan_y * (1.0 - (2 * np.arange(height) + 1) / height)
        length = np.sqrt(1.0 + a[None, :] ** 2 + b[:, None] ** 2)
        return np.asarray(self.depth * length, dtype=np.float32)


class Surfaces(NamedTuple):
    """What k cameras see, without colours: (k, height, width) each.

    Attributes:
        face: number of the face that a pixel's centre sees; -1 for the sky.
        depth: as in `Views`.
        semantic: as in `Views`.
        instance: as in `Views`.
    """

    face: NDArray[np.int32]
    depth: NDArray[np.float32]
    semantic: NDArray[np.int32]
    instance: NDArray[np.int32]
