"""Experts that walk to a goal: Habitat's greedy geodesic follower, and the older one that made VLN-CE's data.

Both say what to do next in a pose, as a name of `Move`, or `ARRIVED`; neither moves anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.types import Floats
from vlnscope.worlds.continuous.body import Body
from vlnscope.worlds.continuous.motion import SpacePose, forward_many, wrap_yaw
from vlnscope.worlds.continuous.pathfinder import PathFinder

Move = Literal["forward", "left", "right"]
ARRIVED: Literal["arrived"] = "arrived"
Advice = Literal["forward", "left", "right", "arrived"]

_GOOD_ENOUGH = 0.99
_FIRST_TO_BEAT = -0.25
_PER_TURN, _COLLISION, _NEAR_WALL = 0.0125, 0.25, 0.05
_WALL = 0.2
_THRASHING = 16


class NoWayError(Exception):
    """No way leads to the goal, or the follower finds no action that helps."""


class Follower(Protocol):
    """Knows what to do next to reach a goal."""

    def next(self, pose: SpacePose, goal: ArrayLike) -> Advice:
        """Return the next action, or `ARRIVED`; raise `NoWayError` where there is no way."""


@dataclass
class GreedyFollower:
    """Habitat's greedy geodesic follower (habitat-sim 0.1.7).

    It tries turning left or right by 0, 1, 2, … turns up to half a circle and then going forward, and takes
    the first action of what brings it nearest to the goal; turns, collisions and walls within 0.2 m cost a
    little. Where its last 16 answers alternate between left and right, it carries its best plan out to the
    end.

    Attributes:
        ground: where it walks.
        radius: how near is near enough, in metres along the ground; exactly as far is not.
        step: metres of a forward step.
        angle: degrees of a turn.
        sliding: whether bodies slide along walls.
    """

    ground: PathFinder
    radius: float = 0.5
    step: float = 0.25
    angle: float = 15.0
    sliding: bool = True
    _goal: Floats | None = field(default=None, init=False, repr=False)
    _answers: list[Advice] = field(default_factory=list, init=False, repr=False)
    _queued: list[Advice] = field(default_factory=list, init=False, repr=False)

    def next(self, pose: SpacePose, goal: ArrayLike) -> Advice:
        """Return the next action, or `ARRIVED`; raise `NoWayError` where there is no way."""
        self._note_goal(np.asarray(goal, dtype=np.float64))
        if not self._queued:
            plan = self._plan(pose)
            self._queued = plan if self._thrashing() else plan[:1]
        self._answers = [*self._answers[1 - _THRASHING :], self._queued.pop(0)]
        return self._answers[-1]

    def _note_goal(self, goal: Floats) -> None:
        if self._goal is None or not np.allclose(self._goal, goal):
            self._answers, self._queued = [], []
        self._goal = goal

    def _thrashing(self) -> bool:
        last = self._answers
        turning = len(last) == _THRASHING and set(last) == {"left", "right"}
        return turning and all(a != b for a, b in pairwise(last))

    def _plan(self, pose: SpacePose) -> list[Advice]:
        goal = self._goal
        assert goal is not None  # `next` has just set it
        here = float(self.ground.distance([pose.position], goal)[0])
        if not math.isfinite(here):
            raise NoWayError("no way leads to the goal")
        if here < self.radius:
            return [ARRIVED]
        best, reward = None, _FIRST_TO_BEAT
        for turns in range(half_turn(self.angle) + 1):
            for sign, value in self._rewards(pose, turns, here, goal):
                if value > reward:
                    best, reward = (turns, sign), value
            if reward > _GOOD_ENOUGH:
                break
        if best is None:
            raise NoWayError("no action brings the body nearer to the goal")
        side: Advice = "left" if best[1] > 0 else "right"
        return [*([side] * best[0]), "forward"]

    def _rewards(self, pose: SpacePose, turns: int, here: float, goal: Floats) -> Iterator[tuple[int, float]]:
        """Yield what a number of turns and a step forward are worth, to the left and then to the right."""
        signs = (1, -1) if turns else (1,)
        yaws = [pose.yaw + sign * turns * math.radians(self.angle) for sign in signs]
        starts = np.repeat([pose.position], len(signs), axis=0)
        ends, collided = forward_many(self.ground, starts, yaws, self.step, sliding=self.sliding)
        left = self.ground.distance(ends, goal)
        walls = self.ground.wall_distance(ends)
        values = (here - left) / self.step - _PER_TURN * turns
        values = values - _COLLISION * collided - _NEAR_WALL * (walls < _WALL)
        yield from zip(signs, values.tolist(), strict=True)


@dataclass
class TurningFollower:
    """The older follower, which made the published ``*_gt`` files of VLN-CE.

    It turns towards the second corner of the shortest path until it looks there to within one turn, then
    walks. It turns left wherever that helps, also where the way round to the right would be a little shorter:
    the published files have runs of 12 left turns and none of 12 right turns. It has arrived when it is
    `radius` away or nearer.

    On stairs VLN-CE's own one turns too little, and even away from stairs that lead along +z, so that it
    never arrives; this one turns to the way as it is seen from above.

    Attributes:
        ground: where it walks.
        radius: how near is near enough, in metres along the ground.
        angle: degrees of a turn.
    """

    ground: PathFinder
    radius: float = 0.5
    angle: float = 15.0

    def next(self, pose: SpacePose, goal: ArrayLike) -> Advice:
        """Return the next action, or `ARRIVED`; raise `NoWayError` where there is no way."""
        corners = self.ground.path(pose.position, goal)
        if not len(corners):
            raise NoWayError("no way leads to the goal")
        if np.sqrt((np.diff(corners, axis=0) ** 2).sum(axis=1)).sum() <= self.radius:
            return ARRIVED
        x, _, z = corners[min(1, len(corners) - 1)] - corners[0]
        off = wrap_yaw(math.atan2(-x, -z) - pose.yaw) if math.hypot(x, z) > 0 else 0.0
        one = math.radians(self.angle)
        if abs(off) <= one + 1e-6:
            return "forward"
        return "left" if abs(wrap_yaw(off - one)) < abs(off) else "right"


def half_turn(angle: float) -> int:
    """Return how many turns of so many degrees the greedy follower tries: those that a half circle holds.

    habitat-sim adds turns up in single precision and goes on while the sum is below π, so the half turn
    itself is tried where the sum falls short of π by rounding, as it does for 15° and 30°.

    Example:
        >>> half_turn(15.0), half_turn(30.0)
        (12, 6)
    """
    size, total, turns = np.float32(math.radians(angle)), np.float32(0.0), 0
    while float(total) < math.pi:
        total, turns = np.float32(total + size), turns + 1
    return turns - 1


def walk_along(
    follower: Follower,
    ground: PathFinder,
    pose: SpacePose,
    goals: Sequence[ArrayLike],
    *,
    body: Body | None = None,
    limit: int = 1000,
) -> Iterator[tuple[Move, SpacePose]]:
    """Yield the moves of a body that a follower leads to one goal after another, and the pose after each.

    Ends early where the follower finds no way, or after `limit` moves on the way to one goal.
    """
    moves_as = body or Body()
    for goal in goals:
        for _ in range(limit):
            try:
                move = follower.next(pose, goal)
            except NoWayError:
                return
            if move == ARRIVED:
                break
            pose = moves_as.after(ground, pose, move)
            yield move, pose
        else:
            return
