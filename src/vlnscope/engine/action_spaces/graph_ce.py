"""``graph-ce``: an agent that decides at viewpoints walks in continuous space.

It is given what agents on graphs are given, and chooses a candidate; Habitat's greedy follower then walks its
body along the edge. So any agent made for graphs can be run, scored and diagnosed in continuous space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vlnscope.engine.action_space import register_action_space
from vlnscope.engine.continuous import BodyMove, SpaceActions, SpaceState
from vlnscope.types import Action, Episode, Observation
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.scene import Scene

NEAR = 0.5
"""How near the follower must come to a viewpoint for the agent to be there, in metres."""


@register_action_space
class GraphInSpace(SpaceActions):
    """Candidates and stop, as in ``graph``; the body walks each edge in quarter metres and turns of 15°.

    The agent looks where its body does. Where the follower finds no way along an edge, the agent stays at the
    viewpoint that it wanted to leave, wherever on the edge its body came to a halt.
    """

    name = "graph-ce"
    decides_next = True

    def observe(
        self, scene: Scene, pose: SpaceState, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        """Return what an agent on the graph is given at this viewpoint."""
        viewpoint = self.viewpoint(scene, pose)
        return Observation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=viewpoint,
            heading=pose.pose.heading,
            elevation=0.0,
            step=step,
            candidates=scene.candidates(viewpoint),
            seen=seen,
        )

    def move(self, scene: Scene, pose: SpaceState, action: Action) -> SpaceState:
        """Walk along the edge to a viewpoint."""
        goal = feet_of(scene)[scene.graph.row(str(action))]
        moves = tuple(BodyMove(move, body) for move, body in self.walk(scene, pose.pose, [goal]))
        end = moves[-1].pose if moves else pose.pose
        off = sum((a - b) ** 2 for a, b in zip(end.position, goal, strict=True)) ** 0.5
        arrived = off < NEAR
        return SpaceState(end, moves, str(action) if arrived else self.viewpoint(scene, pose))

    def forced(self, scene: Scene, pose: SpaceState, episode: Episode, steps: int) -> Sequence[Action]:
        """Return the viewpoints of the reference after the first."""
        return episode.path[1 : steps + 1]
