"""The action space `blocks`: walk one block in a direction of the compass, or stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from vlnscope.engine.action_space import ActionSpace, OraclePhases
from vlnscope.types import STOP, Action, Episode, Observation, OracleRule
from vlnscope.worlds.scene import Scene
from vlnscope_gridtown.town import DIRECTIONS, coordinates, junction


class Corner(NamedTuple):
    """Where an agent stands."""

    viewpoint: str


class CornerObservation(Observation, frozen=True, kw_only=True):
    """What an agent at a corner is given: the directions in which there is a street."""

    streets: tuple[str, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Directions, then stop."""
        return (*self.streets, STOP)


def _next(viewpoint: str, direction: str) -> str:
    x, y = coordinates(viewpoint)
    dx, dy = DIRECTIONS[direction]
    return junction(x + dx, y + dy)


def _directions(path: Sequence[str]) -> list[str]:
    return [name for here, there in pairwise(path) for name in DIRECTIONS if _next(here, name) == there]


class BlockMoves(ActionSpace[Corner]):
    """Actions are directions."""

    name = "blocks"

    def start(self, episode: Episode) -> Corner:
        """Begin at the first junction."""
        return Corner(episode.path[0])

    def observe(
        self, scene: Scene, pose: Corner, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        """Show in which directions there are streets."""
        neighbours = {candidate.viewpoint for candidate in scene.candidates(pose.viewpoint)}
        return CornerObservation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=pose.viewpoint,
            heading=0.0,
            elevation=0.0,
            step=step,
            seen=seen,
            streets=tuple(name for name in DIRECTIONS if _next(pose.viewpoint, name) in neighbours),
        )

    def viewpoint(self, scene: Scene, pose: Corner) -> str:
        """Return the junction."""
        return pose.viewpoint

    def move(self, scene: Scene, pose: Corner, action: Action) -> Corner:
        """Walk one block."""
        return Corner(_next(pose.viewpoint, str(action)))

    def forced(self, scene: Scene, pose: Corner, episode: Episode, steps: int) -> Sequence[Action]:
        """Return the directions of the reference."""
        return _directions(episode.path[: steps + 1])

    def phases(
        self, scene: Scene, pose: Corner, episode: Episode, onward: Episode | None, rule: OracleRule
    ) -> OraclePhases:
        """Lead along shortest paths."""
        to_goal = scene.graph.shortest_path(pose.viewpoint, episode.path[-1])
        to_start = scene.graph.shortest_path(episode.path[-1], onward.path[0]) if onward else ()
        return OraclePhases(tuple(_directions(to_goal)), tuple(_directions(to_start)))

    def trajectory(self, poses: Sequence[Corner], scene: Scene | None = None) -> dict[str, Any]:
        """Return the junctions."""
        return {"path": tuple(pose.viewpoint for pose in poses)}
