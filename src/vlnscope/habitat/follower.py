"""``ShortestPathFollower``: what to do next to reach a place, by Habitat's greedy follower."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.habitat.actions import MOVES, NUMBERS
from vlnscope.habitat.simulator import Simulator
from vlnscope.worlds.continuous.follower import ARRIVED, GreedyFollower, NoWayError

_ACTION_OF = {move: action for action, move in MOVES.items()}


class GreedyFollowerError(Exception):
    """No way leads to the goal, or no action helps."""


class ShortestPathFollower:
    """Leads the agent of a simulator to places, one action at a time.

    Args:
        sim: where the agent is.
        goal_radius: how near is near enough, in metres along the ground.
        return_one_hot: whether answers are vectors with a 1 at the number of the action.
        stop_on_error: whether the answer is to stop where there is no way; if not, `GreedyFollowerError`.
    """

    def __init__(
        self, sim: Simulator, goal_radius: float, return_one_hot: bool = True, stop_on_error: bool = True
    ) -> None:
        self._sim = sim
        self._radius = float(goal_radius)
        self._one_hot = return_one_hot
        self._stop_on_error = stop_on_error
        self._follower: GreedyFollower | None = None
        self._body = sim.body

    def get_next_action(self, goal_pos: Any) -> int | NDArray[np.float32]:
        """Return the next action on the way to a place; 0, to stop, where the agent has arrived."""
        try:
            move = self._leader().next(self._sim.pose, np.asarray(goal_pos, dtype=np.float64))
        except NoWayError as error:
            if not self._stop_on_error:
                raise GreedyFollowerError(str(error)) from None
            move = ARRIVED
        number = NUMBERS["stop" if move == ARRIVED else _ACTION_OF[move]]
        return np.eye(len(NUMBERS), dtype=np.float32)[number] if self._one_hot else number

    def _leader(self) -> GreedyFollower:
        """Return the follower of the ground that the agent is on, made anew if ground or body are others."""
        ground, body = self._sim.ground, self._sim.body
        if self._follower is None or self._follower.ground is not ground or self._body != body:
            self._follower = GreedyFollower(ground, self._radius, body.step, body.angle, body.sliding)
            self._body = body
        return self._follower
