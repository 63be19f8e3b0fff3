"""What an oracle in space sees along the paths of a data set, as maps from its depth images.

Along the path of an episode the oracle does what the ground truth of the episode does, or follows its
reference path where there is none. Between episodes, Habitat's follower leads it along the ground to where
the next starts; it first looks along the way. What is seen on a path therefore does not depend on the tour,
and is worked out once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vlnscope.benchmarks.tours.coverage.depth_maps import (
    CAMERA,
    CELL,
    FLOOR,
    Band,
    StoreyCells,
    cells_of,
    seen_cells,
)
from vlnscope.benchmarks.tours.coverage.visibility import REACH
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Continuous, Flags, Points
from vlnscope.worlds.cameras import Camera
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.continuous.follower import GreedyFollower, walk_along
from vlnscope.worlds.continuous.motion import SpacePose, pose_at
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.scene import Scene

NEAR = 0.25
"""How near the oracle comes to where it is led, metres."""

_NAMES = {number: name for name, number in MOVES.items()}


@dataclass(frozen=True, eq=False)
class ObservedCells:
    """What is seen of a scene by an oracle that walks its paths in space.

    Attributes:
        scene: has a graph, ``heights``, ``navmesh`` and ``renderer``.
        places: the paths of episodes in space, by their viewpoints.
        cells: of the map.
        camera: of the oracle.
        band: which heights count.
    """

    scene: Scene
    places: Mapping[tuple[str, ...], Continuous]
    cells: StoreyCells
    camera: Camera = CAMERA
    band: Band = FLOOR
    _known: dict[tuple[str, ...], NDArray[np.uint8]] = field(default_factory=dict, init=False, repr=False)

    def along(self, path: tuple[str, ...]) -> Flags:
        """Return which cells are seen on a path; none on an empty one.

        The path of an episode is walked as its ground truth is, any other straight to its end.
        """
        key = path if path in self.places else path[:1] + path[-1:]
        if key not in self._known:
            renderer = self.scene.layer("renderer")
            seen = seen_cells(renderer, self.cells, self.poses(key), camera=self.camera, band=self.band)
            self._known[key] = np.packbits(seen)  # thousands of ways between paths are kept
        return np.unpackbits(self._known[key], count=len(self.cells.counted)).view(np.bool_)

    def poses(self, path: tuple[str, ...]) -> list[SpacePose]:
        """Return how the oracle stands at the start of a path and after each of its moves."""
        ground: PathFinder = self.scene.layer("navmesh")
        if path in self.places:
            return episode_poses(ground, self.places[path])
        if len(set(path)) < 2:  # nobody is led anywhere
            return []
        feet = feet_of(self.scene)
        start, end = (tuple(feet[self.scene.graph.row(node)].tolist()) for node in (path[0], path[-1]))
        corners = ground.path(start, end)
        x, _, z = corners[1] - corners[0] if len(corners) > 1 else (0.0, 0.0, -1.0)
        return _followed(ground, SpacePose(start, math.atan2(-x, -z)), (end,))


def episode_poses(ground: PathFinder, place: Continuous) -> list[SpacePose]:
    """Return how an oracle stands at the start of an episode and after each of its moves.

    It repeats the actions of the ground truth; without any, Habitat's follower leads it from one point of the
    reference path to the next.
    """
    start = pose_at(place.start_position, place.start_rotation)
    if not place.actions:
        return _followed(ground, start, place.reference_path[1:])
    poses, body = [start], Body()
    for action in place.actions:
        if action in _NAMES:
            poses.append(body.after(ground, poses[-1], _NAMES[action]))
    return poses


def _followed(ground: PathFinder, start: SpacePose, goals: Points) -> list[SpacePose]:
    follower = GreedyFollower(ground, NEAR)
    return [start, *(pose for _, pose in walk_along(follower, ground, start, goals))]


def observed_in_space(
    dataset: Dataset,
    reach: float = REACH,
    *,
    cell: float = CELL,
    camera: Camera = CAMERA,
    band: Band = FLOOR,
) -> Callable[[str], ObservedCells]:
    """Look with the depth camera of an oracle that walks the episodes of a data set in space.

    Args:
        dataset: its episodes have viewpoints and a place in space, as those of ``houses-ce`` do.
        reach: metres that the camera sees.
        cell: metres along the side of a piece of the map.
        camera: of the oracle; its `far` is replaced by `reach`.
        band: which heights count: `FLOOR`, or `STANDING` for the maps of IVLN's agent.

    Raises:
        InputError: no episode is in space.
    """
    places: dict[str, dict[tuple[str, ...], Continuous]] = {}
    for episode in dataset.episodes():
        if episode.continuous is not None and episode.path:
            places.setdefault(episode.scan, {}).setdefault(episode.path, episode.continuous)
    scenes = dataset.scenes
    if not places or scenes is None:
        raise InputError(
            f"{dataset.name}: no episode has both viewpoints and a place in space",
            expected="a data set such as houses-ce/val_unseen",
            fix="take --coverage viewpoints or floor on graphs",
        )
    seeing = replace(camera, far=reach)

    @cache
    def sight(scan: str) -> ObservedCells:
        scene = scenes.scene(scan)
        cells = cells_of(scene, cell, walkable=band == FLOOR)
        return ObservedCells(scene, places.get(scan, {}), cells, seeing, band)

    return sight
