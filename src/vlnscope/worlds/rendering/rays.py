"""Bare rays against a mesh: what is hit first, and how far away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.mesh import Mesh


class RayScene:
    """A mesh prepared for rays; a mesh without faces is never hit."""

    def __init__(self, mesh: Mesh) -> None:
        self._scene = embree_scene(mesh.vertices, mesh.faces) if len(mesh) else None

    def first_hits(self, origins: ArrayLike, directions: ArrayLike) -> NDArray[np.int64]:
        """Return the first face that each ray meets; -1 if it meets none."""
        starts, ways = _rows(origins), _rows(directions)
        if self._scene is None or not len(starts):
            return np.full(len(starts), -1, dtype=np.int64)
        return np.asarray(self._scene.run(starts, ways, query="INTERSECT"), dtype=np.int64)

    def distances(self, origins: ArrayLike, directions: ArrayLike) -> Floats:
        """Return how far each ray goes, in lengths of its direction; infinite if it meets nothing."""
        starts, ways = _rows(origins), _rows(directions)
        if self._scene is None or not len(starts):
            return np.full(len(starts), np.inf)
        far = np.asarray(self._scene.run(starts, ways, query="DISTANCE"), dtype=np.float64)
        return np.where(far >= 1e30, np.inf, far)


def _rows(values: ArrayLike) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.asarray(values, dtype=np.float32).reshape(-1, 3))


def embree_scene(vertices: ArrayLike, faces: ArrayLike) -> Any:
    """Return Embree's tree of triangles, at least one; it is built, so that several threads may use it."""
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    scene = EmbreeScene()
    TriangleMesh(scene, _rows(vertices), np.ascontiguousarray(faces, dtype=np.int32))
    first = np.zeros((1, 3), dtype=np.float32)
    scene.run(first, first + np.float32(1.0), query="INTERSECT")  # Embree builds the tree for its first ray
    return scene
