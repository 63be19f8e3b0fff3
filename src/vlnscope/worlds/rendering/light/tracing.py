"""Rays for light: the mesh with and without its window panes, and which storage point a ray meets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.rays import embree_scene

Singles = NDArray[np.float32]


class FaceScene:
    """Some faces of a mesh, prepared for rays; without faces nothing is ever met."""

    def __init__(self, vertices: Floats, faces: NDArray[np.int32], chosen: NDArray[np.bool_]) -> None:
        self._number = np.flatnonzero(chosen).astype(np.int32)
        self._scene = _embree(vertices, faces[self._number]) if len(self._number) else None

    def first_faces(self, origins: Singles, directions: Singles) -> NDArray[np.int32]:
        """Return the first face that each ray meets, -1 for none."""
        if self._scene is None:
            return np.full(len(origins), -1, dtype=np.int32)
        hits = np.asarray(self._scene.run(origins, directions, query="INTERSECT"), dtype=np.int32)
        return np.where(hits >= 0, self._number[hits], np.int32(-1))

    def blocked(self, origins: Singles, directions: Singles, reach: Singles) -> NDArray[np.bool_]:
        """Return whether anything lies within `reach` lengths of each ray's direction."""
        if self._scene is None:
            return np.zeros(len(origins), dtype=np.bool_)
        hits = self._scene.run(origins, directions, reach, query="OCCLUDED")
        return np.asarray(hits) >= 0


def _embree(vertices: Floats, faces: NDArray[np.int32]) -> Any:
    used, numbers = np.unique(faces, return_inverse=True)
    return embree_scene(vertices[used], numbers.reshape(-1, 3))
