"""How walks of agents are measured and rewarded; many in continuous space side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.types import Episode, Flags, Floats, Ints, Point
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.continuous.pathfinder import PathFinder

SUCCESS_DISTANCE = 3.0
Reward = Literal["success", "progress"]
_MOVED = 1e-4


def check_reward(reward: str) -> None:
    """Refuse a reward that there is not."""
    if reward not in get_args(Reward):
        raise UnknownNameError("reward", reward, get_args(Reward))


def text_space(episodes: Sequence[Episode]) -> spaces.Text:
    """Return the space of the instructions of some episodes."""
    texts = [episode.instruction for episode in episodes]
    signs = frozenset("".join(texts)) or frozenset(" ")
    return spaces.Text(max(map(len, texts), default=1) or 1, min_length=0, charset=signs)


class SpaceWalks:
    """What is measured of walks in continuous space, each in a row of its own.

    Distances are geodesic and to the first goal. As in Habitat, they are measured anew only where a body has
    moved by more than 1e-4 m + 1e-5 times the coordinate since; and here only when they are asked for.

    Args:
        count: how many walks.
        reward: what `go` pays, see `vlnscope.engine.gym.space_env`.

    Attributes:
        steps: actions of each walk, to stop included.
    """

    def __init__(self, count: int, reward: Reward) -> None:
        self.steps: Ints = np.zeros(count, dtype=np.int64)
        self._pays_progress = reward == "progress"
        self._grounds: list[PathFinder | None] = [None] * count
        self._at, self._measured_at, self._goals = (np.zeros((count, 3)) for _ in range(3))
        self._left, self._length = (np.zeros(count) for _ in range(2))
        self._known, self._success = (np.zeros(count, dtype=np.bool_) for _ in range(2))
        self._starts: Floats = np.zeros((count, 3))
        self._collisions: Ints = np.zeros(count, dtype=np.int64)

    def begin(self, row: int, ground: PathFinder, start: Point, goal: Point) -> None:
        """Forget the walk in a row, and begin another."""
        self._grounds[row] = ground
        for points in (self._at, self._measured_at, self._starts):
            points[row] = start
        self._goals[row] = goal
        for numbers in (self.steps, self._length, self._collisions, self._known, self._success):
            numbers[row] = 0

    def go(self, rows: Ints, poses: Sequence[SpacePose], stopped: Flags) -> Floats:
        """Take down an action of some walks, and return the reward of each.

        Args:
            rows: the walks.
            poses: where their bodies are after it.
            stopped: which of them have stopped.
        """
        before = self.left(rows) if self._pays_progress else None
        self._move(rows, np.array([pose.position for pose in poses]).reshape(-1, 3))
        self._collisions[rows] += np.array([pose.collided for pose in poses], dtype=np.int64) * ~stopped
        self.steps[rows] += 1
        ended = rows[stopped]
        self._success[ended] = self.left(ended) < SUCCESS_DISTANCE
        rewards: Floats = self._success[rows].astype(np.float64)
        if before is not None:
            after = self.left(rows)
            known = np.isfinite(before) & np.isfinite(after)
            rewards[known] += before[known] - after[known]
        return rewards

    def left(self, rows: Ints) -> Floats:
        """Return metres to the goal; infinite where no path leads there."""
        stale = rows[~self._known[rows]]
        self._left[stale] = self._between(stale, self._measured_at)
        self._known[stale] = True
        return self._left[rows]

    def outcome(self, row: int) -> dict[str, Any]:
        """Return what is told of a walk when it is over."""
        only = np.array([row])
        shortest, length = float(self._between(only, self._starts)[0]), float(self._length[row])
        longest = max(shortest, length)
        share = shortest / longest if 0 < longest < np.inf else float(longest == 0)
        return {
            "success": bool(self._success[row]),
            "spl": float(self._success[row]) * share,
            "distance": float(self.left(only)[0]),
            "path_length": length,
            "collisions": int(self._collisions[row]),
        }

    def _move(self, rows: Ints, positions: Floats) -> None:
        self._length[rows] += np.sqrt(((positions - self._at[rows]) ** 2).sum(axis=1))
        self._at[rows] = positions
        far = ~np.isclose(self._measured_at[rows], positions, atol=_MOVED).all(axis=1)
        self._measured_at[rows[far]] = positions[far]
        self._known[rows[far]] = False

    def _between(self, rows: Ints, points: Floats) -> Floats:
        """Return distances to the goal from the points of some walks, those on the same ground at once."""
        distances = np.empty(len(rows))
        grounds = {id(ground): ground for ground in self._grounds if ground is not None}
        where = np.array([id(self._grounds[row]) for row in rows])
        for key in dict.fromkeys(where.tolist()):
            at = np.flatnonzero(where == key)
            distances[at] = grounds[key].distance(points[rows[at]], self._goals[rows[at]])
        return distances
