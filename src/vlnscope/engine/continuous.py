"""What the action spaces of continuous space share: bodies on a navigation mesh, and how walks are written.

A decision may take several moves of the body (a waypoint: turns and forward steps). A `SpaceState` keeps them
all, so that evidence holds the position after each, as VLN-CE's own files do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.engine.action_space import ActionSpace, OraclePhases
from vlnscope.engine.decisions import AgentError
from vlnscope.types import STOP, Action, Episode, Observation, OracleRule, SpaceObservation
from vlnscope.worlds.cameras import Stance
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.continuous.follower import GreedyFollower, walk_along
from vlnscope.worlds.continuous.motion import SpacePose, pose_at
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.projection import feet_of, projected_path
from vlnscope.worlds.scene import Scene


class BodyMove(NamedTuple):
    """A move of the body: what it did, and its pose afterwards."""

    action: str
    pose: SpacePose


class SpaceState(NamedTuple):
    """Where an agent is, and how it came there from where it decided last.

    Attributes:
        pose: where it stands.
        trail: the moves since the state before.
        viewpoint: the viewpoint that it stands at, if that is known without looking.
    """

    pose: SpacePose
    trail: tuple[BodyMove, ...] = ()
    viewpoint: str = ""


class SpaceActions(ActionSpace[SpaceState]):
    """An action space in continuous space; a subclass says what agents may do and how it is carried out.

    Attributes:
        body: how agents move.
        offered: the actions that there are everywhere, stop last; agents may propose others, if a space lets
            them.
        actions_per_step: actions that stand for a step on a graph, when the limit of a benchmark is
        translated.
    """

    continuous = True
    decides_next = False
    body: ClassVar[Body] = Body()
    offered: ClassVar[tuple[Action, ...]] = (STOP,)
    actions_per_step: ClassVar[float] = 1.0

    def start(self, episode: Episode) -> SpaceState:
        """Return the start position and rotation of the episode."""
        space = episode.continuous
        if space is None:
            raise InputError(
                f"episode {episode.episode_id} has no start position",
                expected="an episode in continuous space",
                fix="name such data, for example houses-ce/val_unseen",
            )
        at = episode.path[0] if episode.path else ""
        return SpaceState(pose_at(space.start_position, space.start_rotation), (), at)

    def observe(
        self, scene: Scene, pose: SpaceState, episode: Episode, step: int, seen: Mapping[str, Any]
    ) -> Observation:
        """Return what an agent is given: its pose, and its sensors in `seen`."""
        body = pose.pose
        return SpaceObservation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            heading=body.heading,
            elevation=body.pitch,
            step=step,
            position=body.position,
            rotation=body.rotation,
            collided=body.collided,
            offered=self.offered,
            seen=seen,
        )

    def viewpoint(self, scene: Scene, pose: SpaceState) -> str:
        """Return the viewpoint that is nearest on the mesh and on the same storey; empty without a graph."""
        return pose.viewpoint or next(iter(projected_path(scene, [pose.pose.position])), "")

    def stance(self, scene: Scene, pose: SpaceState) -> Stance:
        """Return where the body stands."""
        return Stance(pose.pose.position, pose.pose.yaw, pose.pose.pitch)

    def move(self, scene: Scene, pose: SpaceState, action: Action) -> SpaceState:
        """Do one move of the body: ``forward``, ``left``, ``right``, ``up`` or ``down``."""
        return self._moved(scene, pose, [str(action)])

    def _moved(self, scene: Scene, state: SpaceState, moves: Iterable[str]) -> SpaceState:
        ground, pose, trail = ground_of(scene), state.pose, []
        for move in moves:
            if move not in MOVES:
                raise AgentError(f"{move!r} is none of {', '.join(MOVES)}")
            pose = self.body.after(ground, pose, move)
            trail.append(BodyMove(move, pose))
        return SpaceState(pose, tuple(trail))

    def forced(self, scene: Scene, pose: SpaceState, episode: Episode, steps: int) -> Sequence[Action]:
        """Return the moves with which Habitat's follower walks to the viewpoints of the reference in turn."""
        nodes = episode.path[1 : steps + 1]
        if not nodes:
            return []  # the scene may have no graph at all
        feet = feet_of(scene)
        goals = [feet[scene.graph.row(node)] for node in nodes]
        return [move for move, _ in self.walk(scene, pose.pose, goals)]

    def walk(self, scene: Scene, pose: SpacePose, goals: Sequence[Any]) -> Iterable[tuple[str, SpacePose]]:
        """Yield the moves of the follower to some goals, one after the other, with the pose after each."""
        ground, (step, angle, _, sliding) = ground_of(scene), self.body
        follower = GreedyFollower(ground, step, step, angle, sliding)
        return walk_along(follower, ground, pose, goals, body=self.body)

    def phases(
        self, scene: Scene, pose: SpaceState, episode: Episode, onward: Episode | None, rule: OracleRule
    ) -> OraclePhases:
        """Return nothing: in continuous space `vlnscope.engine.space_tours` leads agents."""
        return OraclePhases()

    def walked_to(self, scene: Scene, viewpoint: str, poses: Sequence[SpaceState]) -> str | None:
        """Return the candidate that a walk is nearer to first, on the mesh, than to the viewpoint itself."""
        near = (viewpoint, *(candidate.viewpoint for candidate in scene.candidates(viewpoint)))
        path = projected_path(scene, [state.pose.position for state in poses], among=near)
        return next((node for node in path if node != viewpoint), None)

    def limit(self, steps: int) -> int:
        """Return how many actions an agent has where it has so many steps on a graph."""
        return round(steps * self.actions_per_step)

    def trajectory(self, poses: Sequence[SpaceState], scene: Scene | None = None) -> dict[str, Any]:
        """Return positions and headings after every move, the moves, which of them collided, and the path.

        The path is the walk projected onto the graph, where the scene has one: a viewpoint for each position.
        """
        moves = [move for state in poses[1:] for move in state.trail]
        walked = [poses[0].pose, *(move.pose for move in moves)]
        positions = tuple(pose.position for pose in walked)
        known = (poses[0].viewpoint,) if poses[0].viewpoint and not moves else ()
        path = known or (projected_path(scene, positions) if scene is not None else ())
        return {
            "positions": positions,
            "headings": tuple(pose.heading for pose in walked),
            "actions": tuple(MOVES[move.action] for move in moves),
            "collisions": tuple(i for i, move in enumerate(moves) if move.pose.collided),
            **({"path": path} if path else {}),
        }


def ground_of(scene: Scene) -> PathFinder:
    """Return the walkable ground of a scene.

    Raises:
        MissingLayerError: it has no navigation mesh.
    """
    ground: PathFinder = scene.layer("navmesh")
    return ground
