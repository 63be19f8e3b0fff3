"""``graph``: an agent stands at viewpoints of a navigation graph, goes to candidates, and stops."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vlnscope.engine.action_space import ActionSpace, OraclePhases, register_action_space
from vlnscope.types import Action, Candidate, Episode, Observation, OracleRule
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.scene import Scene

_LATEST = 50


class Pose(NamedTuple):
    """Where an agent stands and looks."""

    viewpoint: str
    heading: float
    elevation: float


def start_pose(episode: Episode) -> Pose:
    """Return where an episode begins: its first viewpoint, its heading (0 if unknown), level."""
    return Pose(episode.path[0], wrap_heading(episode.heading or 0.0), 0.0)


@register_action_space
class GraphSpace(ActionSpace[Pose]):
    """Actions are the viewpoints of the candidates, in MatterSim's order, then stop."""

    name = "graph"

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[tuple[Candidate, ...], dict[Action, Pose]]] = {}

    def candidates(self, scene: Scene, viewpoint: str) -> tuple[Candidate, ...]:
        """Return where an agent can go from a viewpoint."""
        return self._around(scene, viewpoint)[0]

    def _around(self, scene: Scene, viewpoint: str) -> tuple[tuple[Candidate, ...], dict[Action, Pose]]:
        """Return the candidates of a viewpoint and the poses in which one comes there, worked out once."""
        key = (scene.id, viewpoint)
        if key not in self._known:
            candidates = scene.candidates(viewpoint)
            poses: dict[Action, Pose] = {
                c.viewpoint: Pose(c.viewpoint, wrap_heading(c.heading), c.elevation) for c in candidates
            }
            self._known[key] = candidates, poses
        return self._known[key]

    def start(self, episode: Episode) -> Pose:
        """Return the first viewpoint of the path, and the heading that the episode says."""
        return start_pose(episode)

    def observe(
        self, scene: Scene, pose: Pose, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        """Return what an agent is given: the candidates."""
        viewpoint, heading, elevation = pose
        return Observation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=viewpoint,
            heading=heading,
            elevation=elevation,
            step=step,
            candidates=self.candidates(scene, viewpoint),
            seen=seen,
        )

    def viewpoint(self, scene: Scene, pose: Pose) -> str:
        """Return where an agent stands."""
        return pose.viewpoint

    def move(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        """Go to a viewpoint and look the way one went; forced steps may follow no edge."""
        reached = self._around(scene, pose.viewpoint)[1].get(action)
        if reached is not None:
            return reached
        graph, target = scene.graph, str(action)
        x, y, z = graph.positions[graph.row(target)] - graph.positions[graph.row(pose.viewpoint)]
        return Pose(target, wrap_heading(math.atan2(x, y)), math.atan2(z, math.hypot(x, y)))

    def lead(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        """Go where an oracle goes; an agent that stands there already keeps its pose."""
        return pose if action == pose.viewpoint else self.move(scene, pose, action)

    def forced(self, scene: Scene, pose: Pose, episode: Episode, steps: int) -> Sequence[Action]:
        """Return the viewpoints of the reference after the first."""
        return episode.path[1 : steps + 1]

    def phases(
        self, scene: Scene, pose: Pose, episode: Episode, onward: Episode | None, rule: OracleRule
    ) -> OraclePhases:
        """Return the viewpoints that an agent is led through; see `to_goal` and `to_start`."""
        goal = to_goal(scene.graph, pose.viewpoint, episode.path[-1], rule)
        if onward is None:
            return OraclePhases(goal)
        here = goal[-1] if goal else pose.viewpoint
        return OraclePhases(goal, to_start(scene.graph, here, onward.path[0], rule))

    def trajectory(self, poses: Sequence[Pose], scene: Scene | None = None) -> dict[str, Any]:
        """Return path, headings and elevations."""
        path, headings, elevations = zip(*poses, strict=True)
        return {"path": path, "headings": headings, "elevations": elevations}


def to_goal(graph: NavGraph, here: str, goal: str, rule: OracleRule) -> tuple[str, ...]:
    """Return the viewpoints that an oracle leads an agent through to its goal (PROTOCOLS B.3).

    ``whole``: as the paper describes it, from where the agent stopped to the goal, the goal included.
    ``starts``: nothing, because IVLN's leaderboard keeps goals secret and leads from start to start alone.
    ``ivln``: as the released discrete code does it: without the goal, with where the agent stands, and of all
    this only the last 50. Nothing where no path leads there.

    Example:
        >>> line = NavGraph.build("abcd", [[i, 0, 0] for i in range(4)], [*zip("abc", "bcd")])
        >>> to_goal(line, "a", "d", "whole"), to_goal(line, "a", "d", "ivln")
        (('b', 'c', 'd'), ('a', 'b', 'c'))
    """
    if rule == "starts":
        return ()
    path = graph.shortest_path(here, goal)
    return path[:-1][-_LATEST:] if rule == "ivln" else path[1:]


def to_start(graph: NavGraph, here: str, start: str, rule: OracleRule) -> tuple[str, ...]:
    """Return the viewpoints that an agent is led through on to the next start, without that start."""
    path = graph.shortest_path(here, start)[:-1]
    return path[-_LATEST:] if rule == "ivln" else path[1:]
