"""Geodesic distances to goals, on the navigation meshes of scenes that have one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vlnscope.core.exceptions import DataNotFoundError, UnknownNameError
from vlnscope.metrics.kernels import loops as kernels
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.types import Floats, Ints
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.scene import Scenes

LAYER = "navmesh"


class SceneMeshes:
    """The navigation meshes of scenes, each opened when it is first needed; many scenes may have none."""

    def __init__(self, scenes: Scenes | None) -> None:
        self._scenes = scenes
        self._meshes: dict[str, PathFinder | None] = {}

    def mesh(self, scan: str) -> PathFinder | None:
        """Return the mesh of a scene; None if the scene is not at hand or has none."""
        if scan not in self._meshes:
            self._meshes[scan] = self._opened(scan)
        return self._meshes[scan]

    def to_goal(self, scans: Sequence[str], paths: Ragged, goals: Floats) -> Floats:
        """Return how far every point of a path is from the path's goal.

        As in Habitat, the distance is measured anew only where the agent has moved: by more than
        1e-4 m + 1e-5 times the coordinate, in some coordinate, since it was last measured.

        Args:
            scans: scene of each path.
            paths: points in Habitat's frame.
            goals: one per path; NaN where it is not known.

        Returns:
            One distance per point; infinite where no path leads to the goal, NaN where the goal is not known
            or the scene has no mesh.
        """
        measured_at = kernels.refreshes(*paths)
        fresh = np.flatnonzero(measured_at == np.arange(len(measured_at)))
        path = np.repeat(np.arange(len(scans)), paths.sizes)[fresh]
        distances = np.full(len(measured_at), np.nan)
        distances[fresh] = self.between(scans, path, paths.flat[fresh], goals[path])
        return distances[measured_at]

    def between(self, scans: Sequence[str], scene_of: Ints, starts: Floats, goals: Floats) -> Floats:
        """Return the distance of each start to its goal; point k lies in scene ``scans[scene_of[k]]``.

        Infinite where no path leads to the goal, NaN where a place is not known or the scene has no mesh.
        """
        names, number = np.unique(np.asarray(scans, dtype=object), return_inverse=True)
        known = np.isfinite(starts).all(axis=1) & np.isfinite(goals).all(axis=1)
        distances = np.full(len(starts), np.nan)
        for k, name in enumerate(names):
            at = np.flatnonzero((number[scene_of] == k) & known)
            mesh = self.mesh(name) if len(at) else None
            if mesh is not None:
                distances[at] = mesh.distance(starts[at], goals[at])
        return distances

    def _opened(self, scan: str) -> PathFinder | None:
        if self._scenes is None:
            return None
        try:
            scene = self._scenes.scene(scan)
        except (DataNotFoundError, UnknownNameError):  # users hold the scenes of some episodes only
            return None
        mesh: PathFinder | None = scene.layer(LAYER) if scene.has(LAYER) else None
        return mesh
