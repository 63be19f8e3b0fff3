"""What can be asked of walkable ground, whatever it is made of.

Everything is in Habitat's frame: y up, metres, one row x, y, z per point. Methods take many points at once
and return one answer per row. `vlnscope.worlds.continuous.navmesh.navmesh.NavMesh` is the one that agents
walk on.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.types import Flags, Floats, Ints


class PathFinder(Protocol):
    """Walkable ground with Habitat's rules."""

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest corner of the box around all ground."""

    def snap(self, points: ArrayLike) -> Floats:
        """Return the nearest point of the ground, within ±2 m (±4 m vertically); NaN where there is none."""

    def islands(self, points: ArrayLike) -> Ints:
        """Return the number of the connected piece of ground that each point snaps to; -1 if it does not."""

    def distance(self, starts: ArrayLike, goals: ArrayLike) -> Floats:
        """Return the geodesic distance of each start and goal; infinite where no path leads there.

        Starts and goals broadcast against each other: one start and many goals, or the other way round.
        """

    def path(self, start: ArrayLike, goal: ArrayLike) -> Floats:
        """Return the corners of the shortest path, both ends included; no row where there is no path."""

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        """Return where agents end up that head straight for `targets`, along walls if they may slide."""

    def wall_distance(self, points: ArrayLike, *, within: float = 2.0) -> Floats:
        """Return how far the nearest wall is from each snapped point, at most `within`; NaN off the mesh."""

    def navigable(self, points: ArrayLike, *, height: float = 0.5) -> Flags:
        """Return which points lie on the ground: at most `height` above or below it, 0.01 m beside it."""

    def random_points(self, rng: np.random.Generator, count: int, *, island: int | None = None) -> Floats:
        """Draw points of the ground, each area as likely as its size; of one island, if it is named."""

    def top_down(self, height: float, *, metres_per_pixel: float = 0.05, band: float = 0.5) -> Flags:
        """Return which cells of the box around the ground are walkable within `band` of a height.

        Rows go along z, columns along x, from the lower bound on.
        """
