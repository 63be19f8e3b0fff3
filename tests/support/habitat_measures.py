"""Habitat's measures of one episode, updated action by action, beside the package's own metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vlnscope.metrics.kernels.fastdtw import fast_warping_costs
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.types import Floats, Point
from vlnscope.worlds.continuous.pathfinder import PathFinder

RADIUS = 3.0


@dataclass
class HabitatMeasures:
    """What Habitat and VLN-CE know of an episode after each action; make one where the episode starts."""

    ground: PathFinder
    start: Point
    goal: Point
    locations: Sequence[Point]
    distance_to_goal: float = field(init=False)
    success: float = field(init=False, default=0.0)
    oracle_success: float = field(init=False, default=0.0)
    oracle_error: float = field(init=False, default=math.inf)
    spl: float = field(init=False, default=0.0)
    oracle_spl: float = field(init=False, default=0.0)
    path_length: float = field(init=False, default=0.0)
    steps_taken: float = field(init=False, default=0.0)
    collisions: int = field(init=False, default=0)
    ndtw: float = field(init=False)

    def __post_init__(self) -> None:
        self._at = self._measured_at = np.asarray(self.start)
        self.distance_to_goal = self._distance()
        self._whole_way = self.distance_to_goal
        self._logged = [tuple(self.start)]
        self._look(stop=False)
        self.ndtw = self._warp()

    def act(self, position: Point, *, stop: bool = False, collided: bool = False) -> None:
        """Take in where an action led."""
        here = np.asarray(position)
        self.steps_taken += 1.0
        self.collisions += collided
        self.path_length += float(np.linalg.norm(here - self._at, ord=2))
        self._at = here
        if not np.allclose(self._measured_at, here, atol=1e-4):
            self._measured_at = here
            self.distance_to_goal = self._distance()
        self._look(stop)
        if tuple(position) != self._logged[-1]:
            self._logged.append(tuple(position))

    def finish(self) -> dict[str, float]:
        """Return the values after the last action, by the names of the package's metrics."""
        self.ndtw = self._warp()
        return {
            "TL": self.path_length,
            "steps": self.steps_taken,
            "NE": self.distance_to_goal,
            "ONE": self.oracle_error,
            "SR": self.success,
            "OSR": self.oracle_success,
            "SPL": self.spl,
            "oracle-SPL": self.oracle_spl,
            "nDTW": self.ndtw,
            "sDTW": self.success * self.ndtw,
            "collisions": float(self.collisions),
        }

    def _look(self, stop: bool) -> None:
        near = self.distance_to_goal < RADIUS
        self.oracle_error = min(self.oracle_error, self.distance_to_goal)
        self.oracle_success = float(bool(self.oracle_success) or near)
        self.success = float(stop and near)
        if self.success:
            self.spl = self._whole_way / max(self._whole_way, self.path_length)
        self.oracle_spl = max(self.oracle_spl, self.spl)

    def _distance(self) -> float:
        return float(self.ground.distance(self._at[None], np.asarray([self.goal]))[0])

    def _warp(self) -> float:
        cost: Floats = fast_warping_costs(*Ragged.points([self._logged]), *Ragged.points([self.locations]), 1)
        return math.exp(-float(cost[0]) / (len(self.locations) * RADIUS))
