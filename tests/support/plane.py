"""An endless plane as walkable ground, with at most one wall."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.types import Flags, Floats, Ints


class Plane:
    """A `PathFinder` without obstacles.

    Args:
        wall_x: no way leads from one side of this x to the other; bodies stop there.
    """

    def __init__(self, wall_x: float | None = None) -> None:
        self._wall = wall_x

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        return np.full(3, -100.0), np.full(3, 100.0)

    def snap(self, points: ArrayLike) -> Floats:
        rows = np.atleast_2d(np.asarray(points, dtype=np.float64))
        return rows * np.array([1.0, 0.0, 1.0])

    def islands(self, points: ArrayLike) -> Ints:
        rows = self.snap(points)
        return np.zeros(len(rows), dtype=np.int64) if self._wall is None else (rows[:, 0] > self._wall) * 1

    def distance(self, starts: ArrayLike, goals: ArrayLike) -> Floats:
        a, b = self.snap(starts), self.snap(goals)
        apart = self.islands(a) != self.islands(b)
        return np.where(apart, np.inf, np.sqrt(((a - b) ** 2).sum(axis=1)))

    def path(self, start: ArrayLike, goal: ArrayLike) -> Floats:
        if np.isinf(self.distance(start, goal)[0]):
            return np.zeros((0, 3))
        return np.concatenate([self.snap(start), self.snap(goal)])

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        a, b = self.snap(starts), self.snap(targets)
        return np.where((self.islands(a) != self.islands(b))[:, None], a, b)

    def wall_distance(self, points: ArrayLike, *, within: float = 2.0) -> Floats:
        return np.full(len(self.snap(points)), within)

    def navigable(self, points: ArrayLike, *, height: float = 0.5) -> Flags:
        return np.abs(np.atleast_2d(points)[:, 1]) <= height

    def random_points(self, rng: np.random.Generator, count: int, *, island: int | None = None) -> Floats:
        return self.snap(rng.uniform(-5, 5, (count, 3)))

    def top_down(self, height: float, *, metres_per_pixel: float = 0.05, band: float = 0.5) -> Flags:
        return np.ones((4000, 4000), dtype=np.bool_)
