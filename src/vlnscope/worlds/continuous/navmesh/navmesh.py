"""A navigation mesh that agents walk on, with the answers of Habitat's PathFinder."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags, Floats, Ints
from vlnscope.worlds.continuous.navmesh.file import NavMeshFile, read_navmesh
from vlnscope.worlds.continuous.navmesh.geodesic import distances, nearest_goals, path_points
from vlnscope.worlds.continuous.navmesh.nearest import project_all
from vlnscope.worlds.continuous.navmesh.point_rows import one_row, paired_rows, point_rows
from vlnscope.worlds.continuous.navmesh.sampling import draw_points
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.surface import Surface, only_island, surface_of
from vlnscope.worlds.continuous.navmesh.tile import CORNERS, Tile
from vlnscope.worlds.continuous.navmesh.top_down import blocks_of_cells, cell_marks
from vlnscope.worlds.continuous.navmesh.walk import steps
from vlnscope.worlds.continuous.navmesh.walls import wall_distances

BESIDE = np.float32(0.01)
"""How far beside the ground a navigable point may lie, in metres."""


class NavMesh:
    """Walkable ground of one building; a `PathFinder`.

    All answers are those of Detour under the rules of Habitat, in 32-bit numbers. A point that is not finite
    is nowhere: it snaps to NaN, is infinitely far from everything, and a step from or to it is not made.

    Args:
        file: what a ``.navmesh`` file holds.
    """

    def __init__(self, file: NavMeshFile) -> None:
        self.file = file
        self._surface = surface_of(file.tile, file.origin, file.tile_size)
        self._alone: dict[int, Surface] = {}

    @classmethod
    def read(cls, path: str | Path) -> NavMesh:
        """Read a ``.navmesh`` file of Habitat; see `read_navmesh`."""
        return cls(read_navmesh(path))

    @classmethod
    def of(cls, tile: Tile, settings: NavMeshSettings) -> NavMesh:
        """Make a mesh of a tile that was baked with `settings`."""
        return cls(NavMeshFile.of(tile, settings))

    @property
    def settings(self) -> NavMeshSettings:
        """How the mesh was baked; Habitat's defaults, if its file does not say."""
        return self.file.settings or NavMeshSettings()

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest corner of the box around all ground."""
        low, high = self._surface.tree.bounds.astype(np.float64)
        return low, high

    @property
    def island_count(self) -> int:
        """How many connected pieces of ground there are."""
        return int(self._surface.islands.max(initial=-1)) + 1

    @cached_property
    def island_areas(self) -> Floats:
        """Ground of each island, in square metres along the slope."""
        areas = np.where(self._surface.walkable, self._surface.areas, 0.0)
        return np.bincount(self._surface.islands, areas, self.island_count).astype(np.float64)

    @cached_property
    def island_radii(self) -> Floats:
        """How far the corners of each island's polygons lie from their mean, at most."""
        used = np.arange(CORNERS) < self._surface.counts[:, None]
        owner = np.repeat(self._surface.islands, self._surface.counts)
        corners = self._surface.corners[used].astype(np.float64)
        count = np.bincount(owner, minlength=self.island_count)[:, None]
        sums = [np.bincount(owner, column, self.island_count) for column in corners.T]
        away = np.linalg.norm(corners - (np.stack(sums, axis=1) / count)[owner], axis=1)
        radii = np.zeros(self.island_count)
        np.maximum.at(radii, owner, away)
        return radii

    def snap(self, points: ArrayLike, *, island: int | None = None) -> Floats:
        """Return the nearest point of the ground, within ±2 m (±4 m vertically); NaN where there is none.

        Args:
            points: rows x, y, z.
            island: leave out all other pieces of ground.
        """
        surface = self._surface if island is None else self._only(island)
        return project_all(surface, point_rows(points))[1].astype(np.float64)

    def islands(self, points: ArrayLike) -> Ints:
        """Return the number of the connected piece of ground that each point snaps to; -1 if it does not."""
        polys, _ = project_all(self._surface, point_rows(points))
        return np.append(self._surface.islands, -1)[polys].astype(np.int64)

    def distance(self, starts: ArrayLike, goals: ArrayLike) -> Floats:
        """Return the geodesic distance of each start and goal; infinite where no path leads there.

        Starts and goals broadcast against each other: one start and many goals, or the other way round.
        """
        first, second = paired_rows(starts, goals)
        return distances(self._surface, first, second).astype(np.float64)

    def nearest_goal(self, starts: ArrayLike, goals: ArrayLike) -> tuple[Floats, Ints]:
        """Return how far the nearest of all goals is from each start, and which it is.

        Infinity and -1 where no goal can be reached. Like Habitat, this tries goals in the order of their
        straight distance and leaves out those that are farther in a straight line than the best so far.
        """
        far, which = nearest_goals(self._surface, point_rows(starts), point_rows(goals))
        return far.astype(np.float64), which.astype(np.int64)

    def path(self, start: ArrayLike, goal: ArrayLike) -> Floats:
        """Return the corners of the shortest path, both ends included; no row where there is no path.

        An end that lies over the ground keeps its height.
        """
        return path_points(self._surface, one_row(start), one_row(goal)).astype(np.float64)

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        """Return where agents end up that head straight for `targets`, along walls if they may slide.

        An agent stays where it is if either end snaps to nothing, or both snap to different islands. Starts
        and targets broadcast as in `distance`.
        """
        first, second = paired_rows(starts, targets)
        count = 0 if 0 in (len(first), len(second)) else max(len(first), len(second))
        first, second = (np.ascontiguousarray(np.broadcast_to(rows, (count, 3))) for rows in (first, second))
        return steps(self._surface, first, second, bool(sliding)).astype(np.float64)

    def wall_distance(self, points: ArrayLike, *, within: float = 2.0) -> Floats:
        """Return how far the nearest wall is from each snapped point, at most `within`; NaN off ground."""
        if not 0 <= within < np.inf:
            raise InputError(
                f"walls are looked for within {within} m",
                expected="a distance of at least 0",
                fix="give `within` in metres",
            )
        return wall_distances(self._surface, point_rows(points), np.float32(within)).astype(np.float64)

    def navigable(self, points: ArrayLike, *, height: float = 0.5) -> Flags:
        """Return which points lie on the ground: at most `height` above or below it, 0.01 m beside it."""
        asked = point_rows(points)
        polys, near = project_all(self._surface, asked)
        away = near - asked
        beside = np.sqrt(away[:, 0] * away[:, 0] + away[:, 2] * away[:, 2])
        level = np.abs(away[:, 1]) <= np.float32(height)
        return np.asarray((polys >= 0) & level & (beside <= BESIDE))

    def random_points(self, rng: np.random.Generator, count: int, *, island: int | None = None) -> Floats:
        """Draw points of the ground, each area as likely as its size; of one island, if it is named."""
        if island is not None:
            self._check_island(island)
        return draw_points(self._surface, rng, count, island)

    def top_down(self, height: float, *, metres_per_pixel: float = 0.05, band: float = 0.5) -> Flags:
        """Return which cells of the box around the ground are walkable within `band` of a height.

        Rows go along z, columns along x, from the lower bound on; a cell is walkable if its lower corner is.
        """
        x, z = cell_marks(self._surface.tree.bounds, metres_per_pixel)
        rows = [self.navigable(points, height=band) for points in blocks_of_cells(x, z, height)]
        return np.concatenate([np.empty(0, bool), *rows]).reshape(len(z), len(x))

    def _only(self, island: int) -> Surface:
        """The ground of one island."""
        if island not in self._alone:
            self._check_island(island)
            self._alone[island] = only_island(self._surface, island)
        return self._alone[island]

    def _check_island(self, island: int) -> None:
        if not 0 <= island < self.island_count:
            raise InputError(
                f"there is no island {island}",
                expected=f"a number from 0 to {self.island_count - 1}",
                fix="`islands` tells on which island a point lies",
            )
