"""Habitat's PathFinder and its paths, over our navigation meshes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.habitat.coverage import PartlyCovered
from vlnscope.types import Flags
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh

Vector = NDArray[np.float32]
_TRIES = 100


@dataclass
class PathQuery:
    """``ShortestPath``: from where to where, and, once it is found, how.

    Attributes:
        requested_start: where it begins.
        requested_end: where it ends.
        points: its corners, both ends included; empty if there is none.
        geodesic_distance: its length; infinite if there is none.
    """

    requested_start: Any = None
    requested_end: Any = None
    points: list[Vector] = field(default_factory=list, init=False)
    geodesic_distance: float = field(default=np.inf, init=False)


@dataclass
class MultiGoalQuery:
    """``MultiGoalShortestPath``: the way to the nearest of several goals.

    Attributes:
        requested_start: where it begins.
        requested_ends: where it may end.
        points: its corners; empty if no goal can be reached.
        geodesic_distance: its length; infinite if no goal can be reached.
        closest_end_point_index: which goal it leads to; -1 if none can be reached.
    """

    requested_start: Any = None
    requested_ends: Any = ()
    points: list[Vector] = field(default_factory=list, init=False)
    geodesic_distance: float = field(default=np.inf, init=False)
    closest_end_point_index: int = field(default=-1, init=False)


class HabitatPathFinder(PartlyCovered, called="pathfinder"):
    """What habitat-sim's ``PathFinder`` answers, one question at a time.

    Args:
        ground: the navigation mesh; None until `load_nav_mesh`.
        seed: of random points.
    """

    def __init__(self, ground: NavMesh | None = None, seed: int = 0) -> None:
        self._ground = ground
        self.seed(seed)

    @property
    def ground(self) -> NavMesh:
        """The navigation mesh."""
        if self._ground is None:
            raise InputError(
                "the path finder has no navigation mesh",
                expected="a mesh that is loaded",
                fix="call load_nav_mesh(path) first",
            )
        return self._ground

    @property
    def is_loaded(self) -> bool:
        """Whether there is a navigation mesh."""
        return self._ground is not None

    def load_nav_mesh(self, path: str | Path) -> bool:
        """Read a ``.navmesh`` file."""
        self._ground = NavMesh.read(path)
        return True

    def save_nav_mesh(self, path: str | Path) -> bool:
        """Write a ``.navmesh`` file."""
        self.ground.file.write(Path(path))
        return True

    def seed(self, seed: int) -> None:
        """Let the same random points follow as after any other call with this seed."""
        self._rng = rng_for(int(seed), "navigable point")

    def get_bounds(self) -> tuple[Vector, Vector]:
        """Return the lowest and the highest corner of the box around all ground."""
        low, high = self.ground.bounds
        return low.astype(np.float32), high.astype(np.float32)

    def snap_point(self, point: Any, island_index: int = -1) -> Vector:
        """Return the nearest point of the ground, or of one of its islands; NaN if there is none near."""
        return _vector(self.ground.snap(point, island=_island(island_index))[0])

    def is_navigable(self, point: Any, max_y_delta: float = 0.5) -> bool:
        """Return whether a point lies on the ground."""
        return bool(self.ground.navigable(point, height=max_y_delta)[0])

    def find_path(self, path: Any) -> bool:
        """Find a `PathQuery` or a `MultiGoalQuery`; return whether there is a way."""
        goals = getattr(path, "requested_ends", None)
        if goals is None:
            goals = [path.requested_end]
        which, path.geodesic_distance = self.nearest_goal(path.requested_start, goals)
        path.points = [] if which < 0 else self.corners(path.requested_start, goals[which])
        if hasattr(path, "closest_end_point_index"):
            path.closest_end_point_index = which
        return which >= 0

    def nearest_goal(self, start: Any, goals: Any) -> tuple[int, float]:
        """Return which goal is nearest along the ground, and how far; -1 and infinity if none is reached."""
        if len(goals) == 1:
            far = float(self.ground.distance(start, goals[0])[0])
            return (0 if np.isfinite(far) else -1), far
        distances, which = self.ground.nearest_goal(start, goals)
        return int(which[0]), float(distances[0])

    def corners(self, start: Any, goal: Any) -> list[Vector]:
        """Return the corners of the shortest path; none if there is no way."""
        return [_vector(point) for point in self.ground.path(start, goal)]

    def try_step(self, start: Any, end: Any) -> Vector:
        """Return where a body ends that walks from `start` towards `end` and slides along walls."""
        return _vector(self.ground.step(start, end)[0])

    def try_step_no_sliding(self, start: Any, end: Any) -> Vector:
        """Return where a body ends that walks from `start` towards `end` and stops at walls."""
        return _vector(self.ground.step(start, end, sliding=False)[0])

    def distance_to_closest_obstacle(self, pt: Any, max_search_radius: float = 2.0) -> float:
        """Return how far the nearest wall is, at most `max_search_radius`; infinity off the ground."""
        far = float(self.ground.wall_distance(pt, within=max_search_radius)[0])
        return math.inf if math.isnan(far) else far

    def get_random_navigable_point(self, max_tries: int = 10, island_index: int = -1) -> Vector:
        """Draw a point of the ground, each area as likely as its size."""
        del max_tries
        return _vector(self.ground.random_points(self._rng, 1, island=_island(island_index))[0])

    def get_random_navigable_point_near(
        self, circle_center: Any, radius: float, max_tries: int = _TRIES, island_index: int = -1
    ) -> Vector:
        """Draw points until one lies within `radius` of a place; NaN if none of `max_tries` does."""
        for _ in range(max_tries):
            point = self.get_random_navigable_point(island_index=island_index)
            if np.linalg.norm(point - np.asarray(circle_center, dtype=np.float32)) <= radius:
                return point
        return np.full(3, np.nan, dtype=np.float32)

    def get_island(self, point: Any) -> int:
        """Return the number of the connected piece of ground that a point snaps to; -1 if it does not."""
        return int(self.ground.islands(point)[0])

    @property
    def num_islands(self) -> int:
        """How many connected pieces of ground there are."""
        return self.ground.island_count

    def island_radius(self, pt: Any) -> float:
        """Return how far the corners of a point's island lie from their mean at most; 0 off the ground."""
        island = self.get_island(pt)
        return float(self.ground.island_radii[island]) if island >= 0 else 0.0

    def island_area(self, island_index: int = -1) -> float:
        """Return the area of an island, or of all of them, in square metres."""
        island, areas = _island(island_index), self.ground.island_areas
        return float(areas.sum() if island is None else areas[island])

    def get_topdown_view(self, meters_per_pixel: float, height: float, eps: float = 0.5) -> Flags:
        """Return which cells of the box around the ground are walkable near a height."""
        return self.ground.top_down(height, metres_per_pixel=meters_per_pixel, band=eps)


def _island(index: int) -> int | None:
    """Return the number of an island; None for all, which Habitat calls -1."""
    return None if index < 0 else index


def _vector(row: Any) -> Vector:
    return np.asarray(row, dtype=np.float32)
