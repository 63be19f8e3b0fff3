"""The loop of tours in continuous space, with every phase and value of IVLN-CE's environment.

An agent acts until it stops or runs out of actions; an oracle then walks it to its goal (``oracle_goal``)
and, in the next episode of the tour, on to where that starts (``oracle_start``). `TourLoop` keeps poses and
phases only: it draws nothing and knows no agent.

What the released environment does that one would not expect (PROTOCOLS-CE section 3): the observation of a
reset is taken at the next start, before the agent is put back to where it was; a phase may hold one step
more than its limit; and where the oracle fails to reach a start, the agent is put there, but acts first on
what it saw before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vlnscope.types import Phase, Point
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.continuous.follower import ARRIVED, Advice, GreedyFollower, NoWayError
from vlnscope.worlds.continuous.motion import SpacePose, wrap_yaw
from vlnscope.worlds.continuous.pathfinder import PathFinder

_HALF_TURN = 1e-9  # by rounding alone: a start that lies exactly behind is turned to by the right


class TourEpisode(NamedTuple):
    """What the loop needs to know of an episode."""

    episode_id: str
    tour_id: str
    start: SpacePose
    goal: Point


class LoopStep(NamedTuple):
    """What the environment returns.

    Attributes:
        shown: the pose in which the returned observation was taken.
        agent_done: whether the agent's part of the episode is over; None after a reset.
        episode_done: whether the episode is over for the simulator too; None after a reset.
        tour_done: whether a tour ended before this, so that memories are cleared.
        produce_action: whether the agent's next action counts.
    """

    shown: SpacePose
    agent_done: bool | None
    episode_done: bool | None
    tour_done: bool
    produce_action: bool


class LoggedPosition(NamedTuple):
    """Where an agent was before a step, in which phase of which episode."""

    phase: Phase
    episode_id: str
    position: Point


@dataclass
class TourLoop:
    """Walks one agent through the episodes of tours.

    Attributes:
        ground: where it walks.
        episodes: in the order in which they are walked.
        body: how it moves.
        max_steps: how many actions an agent has, stopping included.
        oracle_limit: after how many oracle steps a phase is given up.
        oracle_phases: whether oracles lead the agent at all; if not, it is put at each start.
        goal_phase: whether they lead it to its goal.
    """

    ground: PathFinder
    episodes: Sequence[TourEpisode]
    body: Body = field(default_factory=Body)
    max_steps: int = 500
    oracle_limit: int = 1000
    oracle_phases: bool = True
    goal_phase: bool = True
    phase: Phase = field(default="agent", init=False)
    log: list[LoggedPosition] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        step, angle, _, sliding = self.body
        self._follower = GreedyFollower(self.ground, step, step, angle, sliding)
        self._at = -1
        self._pose = self.episodes[0].start
        self._taken = 0

    @property
    def episode(self) -> TourEpisode:
        """The episode under way."""
        return self.episodes[self._at]

    @property
    def pose(self) -> SpacePose:
        """Where the agent is, which after a reset is not where its observation was taken."""
        return self._pose

    def reset(self) -> LoopStep:
        """Go on to the next episode."""
        self._at += 1
        self._taken = 0
        start = self.episode.start
        tour_done = self._at == 0 or self.episode.tour_id != self.episodes[self._at - 1].tour_id
        if tour_done or not self.oracle_phases:
            self._pose, self.phase = start, "agent"
            return LoopStep(start, None, None, tour_done, True)
        self.phase = "oracle_start"
        acts = self._hand_over(self._advice())
        return LoopStep(start, None, None, False, acts)

    def step(self, action: str) -> LoopStep:
        """Do an action: that of the agent in its own phase, else what the oracle chooses.

        Args:
            action: ``forward``, ``left``, ``right``, ``up``, ``down``; anything else stops.
        """
        self.log.append(LoggedPosition(self.phase, self.episode.episode_id, self._pose.position))
        if self.phase == "agent":
            return self._agent_step(action)
        return self._oracle_step()

    def _agent_step(self, action: str) -> LoopStep:
        self._taken += 1
        if action in MOVES:
            self._pose = self.body.after(self.ground, self._pose, action)
            if self._taken < self.max_steps:
                return LoopStep(self._pose, False, False, False, True)
        return self.take_over(self._pose)

    def take_over(self, pose: SpacePose) -> LoopStep:
        """End the agent's phase in a pose, however it came there, and let the oracle lead."""
        self._pose, self._taken = pose, 0
        self.phase = "oracle_goal"
        leads = self.oracle_phases and self.goal_phase and self._advice() not in (None, ARRIVED)
        if not leads:
            self.phase = "oracle_start"
        return LoopStep(self._pose, True, not leads, False, False)

    def _oracle_step(self) -> LoopStep:
        self._taken += 1
        move = self._advice()
        if move is not None and move != ARRIVED:
            self._pose = self.body.after(self.ground, self._pose, move)
        shown = self._pose
        after = self._advice()
        failed = after is None or self._taken > self.oracle_limit
        if self.phase == "oracle_goal":
            over = failed or after == ARRIVED
            self.phase = "oracle_start" if over else "oracle_goal"
            return LoopStep(shown, True, over, False, False)
        return LoopStep(shown, True, False, False, self._hand_over(None if failed else after))

    def _hand_over(self, advice: Advice | None) -> bool:
        """Let the agent act if it stands at its start; put it there if the oracle cannot lead it."""
        if advice is None:
            self._pose = self.episode.start
        acts = advice in (None, ARRIVED)
        if acts:
            self.phase, self._taken = "agent", 0
        return acts

    def _advice(self) -> Advice | None:
        """Return what the oracle would do; None where it finds no way."""
        try:
            if self.phase == "oracle_goal":
                return self._follower.next(self._pose, self.episode.goal)
            advice = self._follower.next(self._pose, self.episode.start.position)
        except NoWayError:
            return None
        off = wrap_yaw(self.episode.start.yaw - self._pose.yaw)
        if advice != ARRIVED or abs(off) < math.radians(self.body.angle) / 2:
            return advice
        return "right" if off < 0 or off > math.pi - _HALF_TURN else "left"
