"""``waypoint`` and ``metres``: agents propose where to go, as an angle and a distance.

A decision carries its ``proposals``: pairs (angle, distance) of radians to the left and metres, and `STOP`. A
free choice is a list of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from vlnscope.engine.action_space import register_action_space
from vlnscope.engine.continuous import BodyMove, SpaceActions, SpaceState, ground_of
from vlnscope.engine.decisions import AgentError
from vlnscope.types import STOP, Action, Decision, Observation
from vlnscope.worlds.continuous.body import Body
from vlnscope.worlds.continuous.motion import forward, turn
from vlnscope.worlds.scene import Scene

FARTHEST = 100.0
"""Metres that one decision may ask for."""


class Waypoint(NamedTuple):
    """Where to go: radians to the left of where the agent looks, and metres ahead from there."""

    angle: float
    distance: float


class _Proposing(SpaceActions):
    """A space in which agents think of actions themselves."""

    def choices(self, observation: Observation, decision: Decision) -> tuple[Action, ...]:
        """Return the proposals of a decision; stop alone if it has none."""
        try:
            proposals = tuple(decision.proposals)
        except TypeError:
            raise AgentError(f"the proposals are {decision.proposals!r}, and no list") from None
        named = (each if isinstance(each, str) and each == STOP else waypoint_of(each) for each in proposals)
        return tuple(named) or observation.actions


@register_action_space
class WaypointSpace(_Proposing):
    """An angle and a distance, walked in turns of 15° and steps of 0.25 m (waypoint agents, ETPNav).

    The body turns to the nearest multiple of 15°, half a circle to the left, and takes as many whole steps as
    the distance holds. It does not slide, as in VLN-CE's task for waypoint agents.
    """

    name = "waypoint"
    body = Body(sliding=False)

    def move(self, scene: Scene, pose: SpaceState, action: Action) -> SpaceState:
        """Walk to a waypoint, or do one move of the body."""
        if isinstance(action, str):
            return super().move(scene, pose, action)
        waypoint = waypoint_of(action)
        turns = round(math.degrees(waypoint.angle % math.tau) / self.body.angle)
        if turns * self.body.angle > 180:
            turns -= round(360 / self.body.angle)
        steps = math.floor(waypoint.distance / self.body.step + 1e-9)
        side = "left" if turns > 0 else "right"
        return self._moved(scene, pose, [*[side] * abs(turns), *["forward"] * steps])


@register_action_space
class MetresSpace(_Proposing):
    """A turn and a way ahead of any size: one turn, then forward in steps of at most 0.25 m."""

    name = "metres"

    def move(self, scene: Scene, pose: SpaceState, action: Action) -> SpaceState:
        """Turn and walk, or do one move of the body."""
        if isinstance(action, str):
            return super().move(scene, pose, action)
        moves = tuple(self._moves(scene, pose, waypoint_of(action)))
        return SpaceState(moves[-1].pose if moves else pose.pose, moves)

    def _moves(self, scene: Scene, state: SpaceState, waypoint: Waypoint) -> Iterator[BodyMove]:
        ground, body = ground_of(scene), state.pose
        if waypoint.angle:
            body = turn(body, math.degrees(math.remainder(waypoint.angle, math.tau)))
            yield BodyMove("left" if waypoint.angle > 0 else "right", body)
        left = waypoint.distance
        while left > 1e-9:
            body = forward(ground, body, min(left, self.body.step), sliding=self.body.sliding)
            yield BodyMove("forward", body)
            left -= self.body.step


def waypoint_of(action: Action) -> Waypoint:
    """Return the waypoint that an action names.

    Raises:
        AgentError: it is no angle and distance, or nobody walks so far at once.
    """
    try:
        numbers = tuple(map(float, action)) if not isinstance(action, str) else ()
    except (TypeError, ValueError, OverflowError):  # whatever an agent may think of
        numbers = ()
    if len(numbers) != 2 or not all(map(math.isfinite, numbers)) or not 0 <= numbers[1] <= FARTHEST:
        raise AgentError(f"{action!r} is no waypoint: radians to the left, and 0 to {FARTHEST:g} metres")
    return Waypoint(*numbers)
