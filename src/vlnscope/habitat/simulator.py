"""The part of Habitat's simulator that evaluation loops call: one agent on walkable ground, with cameras."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.habitat.actions import MOVES, action_name
from vlnscope.habitat.cameras import body_rotation, drawn, drawn_by_sim, sensor_pose
from vlnscope.habitat.config.node import Config
from vlnscope.habitat.config.settings import ACTIONS, Settings
from vlnscope.habitat.coverage import NotCoveredError, PartlyCovered
from vlnscope.habitat.pathfinder import HabitatPathFinder, Vector
from vlnscope.habitat.rotation import rotation_of
from vlnscope.habitat.scenes import ground_for
from vlnscope.habitat.semantics import SemanticAnnotations, annotations_of
from vlnscope.habitat.states import AgentState
from vlnscope.worlds.continuous.body import Body
from vlnscope.worlds.continuous.motion import SpacePose, pose_at
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.scene import Scene, Scenes

UPRIGHT = 1e-3
"""How far from upright a body may be turned, in radians, and still count as upright."""


class Simulator(PartlyCovered, called="sim"):
    """One agent in one scene at a time.

    Args:
        settings: what the configuration asks for.
        scenes: where scenes come from.

    Attributes:
        habitat_config: the options of the simulator, as given.
        pathfinder: answers questions about the ground.
    """

    def __init__(self, settings: Settings, scenes: Scenes) -> None:
        self.habitat_config: Config = settings.simulator
        self.pathfinder = HabitatPathFinder()
        self._settings = settings
        self._scenes = scenes
        self._body = settings.body
        self._seed = settings.seed
        self._scene: Scene | None = None
        self._pose = SpacePose((0.0, 0.0, 0.0), 0.0)
        self._collided = False

    # what Env calls

    def open_scene(self, scan: str) -> None:
        """Go to a scene."""
        if self._scene is None or self._scene.id != scan:
            self._scene = self._scenes.scene(scan)
            self.pathfinder = HabitatPathFinder(ground_for(self._scene, self._settings.ground), self._seed)

    def place(self, pose: SpacePose) -> None:
        """Put the agent somewhere, looking level."""
        self._pose, self._collided = pose, False

    @property
    def pose(self) -> SpacePose:
        """Where the agent stands, in double precision."""
        return self._pose

    @property
    def body(self) -> Body:
        """How far the agent steps and turns."""
        return self._body

    @property
    def scene(self) -> Scene:
        """The scene that the agent is in."""
        if self._scene is None:
            raise InputError("no episode has begun", expected="a reset", fix="call env.reset() first")
        return self._scene

    @property
    def ground(self) -> NavMesh:
        """The navigation mesh that the agent walks on."""
        return self.pathfinder.ground

    # how the agent stands

    def get_agent_state(self, agent_id: int = 0) -> AgentState:
        """Return where the agent and its cameras are."""
        _check_agent(agent_id)
        pose = self._pose
        return AgentState(
            np.asarray(pose.position, dtype=np.float32),
            body_rotation(pose.yaw),
            {sensor.uuid: sensor_pose(sensor, pose) for sensor in self._settings.sensors},
        )

    def set_agent_state(
        self, position: Any, rotation: Any, agent_id: int = 0, reset_sensors: bool = True
    ) -> bool:
        """Put the agent somewhere, as Habitat does without asking whether one can stand there.

        Args:
            position: x, y, z of its foot.
            rotation: a quaternion, or four numbers x, y, z, w; about the up axis.
            agent_id: 0.
            reset_sensors: whether cameras look level again.
        """
        _check_agent(agent_id)
        pitch = 0.0 if reset_sensors else self._pose.pitch
        self._pose = _upright(position, rotation)._replace(pitch=pitch)
        return True

    def get_agent(self, agent_id: int) -> Any:
        """Return the agent: its ``state``, and how far its actions go."""
        _check_agent(agent_id)
        amounts = _amounts(self._body)
        space = {k: SimpleNamespace(name=name, actuation=amounts[name]) for k, name in enumerate(ACTIONS)}
        return SimpleNamespace(
            state=self.get_agent_state(),
            get_state=self.get_agent_state,
            set_state=lambda state, reset_sensors=True: self.set_agent_state(
                state.position, state.rotation, reset_sensors=reset_sensors
            ),
            agent_config=SimpleNamespace(action_space=space),
        )

    # acting and looking

    def step(self, action: Any) -> dict[str, Any]:
        """Do an action and return what the cameras show then; None only looks."""
        if action is not None:
            self.step_without_obs(action)
        return self.observe()

    def step_without_obs(self, action: Any, dt: float = 1 / 60) -> None:
        """Do an action and draw nothing."""
        del dt
        name = action_name(action)
        if name == "stop":
            self._collided = False
            return
        self._pose = self._body.after(self.ground, self._pose, MOVES[name])
        self._collided = self._pose.collided

    @property
    def previous_step_collided(self) -> bool:
        """Whether the last step ran into something; never after a look or a reset."""
        return self._collided

    def observe(self) -> dict[str, Any]:
        """Return what the cameras show."""
        return drawn(self.scene, self._settings.sensors, self._pose)

    def get_observations_at(
        self, position: Any = None, rotation: Any = None, keep_agent_at_new_pose: bool = False
    ) -> dict[str, Any]:
        """Return what the cameras show at a pose, or where the agent is."""
        before = self._pose
        if position is not None and rotation is not None:
            self.set_agent_state(position, rotation, reset_sensors=False)
        self._collided = False
        shown = self.observe()
        if not keep_agent_at_new_pose:
            self._pose = before
        return shown

    def get_sensor_observations(self, agent_ids: int = 0) -> dict[str, Any]:
        """Return what the cameras show as habitat-sim itself gives it; see `drawn_by_sim`."""
        _check_agent(agent_ids)
        shown = drawn_by_sim(self.scene, self._settings.sensors, self._pose)
        return {"collided": self._collided, **shown}

    def render(self, mode: str = "rgb") -> NDArray[Any]:
        """Return what one camera shows."""
        shown = self.observe()
        if mode not in shown:
            raise NotCoveredError(f"render(mode={mode!r})", shown)
        picture: NDArray[Any] = shown[mode]
        return picture

    # questions about the ground

    def geodesic_distance(self, position_a: Any, position_b: Any, episode: Any = None) -> float:
        """Return how far a place is along the ground; of several, the nearest. Infinite without a way."""
        del episode
        goals = np.atleast_2d(np.asarray(position_b, dtype=np.float64))
        return self.pathfinder.nearest_goal(np.asarray(position_a, dtype=np.float64), goals)[1]

    def get_straight_shortest_path_points(self, position_a: Any, position_b: Any) -> list[Vector]:
        """Return the corners of the shortest path, both ends included; none if there is no way."""
        return self.pathfinder.corners(position_a, position_b)

    def is_navigable(self, point: Any) -> bool:
        """Return whether a point lies on the ground."""
        return self.pathfinder.is_navigable(point)

    def sample_navigable_point(self) -> list[float]:
        """Draw a point of the ground."""
        point: list[float] = self.pathfinder.get_random_navigable_point().tolist()
        return point

    def step_filter(self, start_pos: Any, end_pos: Any) -> Vector:
        """Return where a body ends that walks from one place towards another; it slides if the agent does."""
        finder = self.pathfinder
        step = finder.try_step if self._body.sliding else finder.try_step_no_sliding
        return step(start_pos, end_pos)

    def distance_to_closest_obstacle(self, position: Any, max_search_radius: float = 2.0) -> float:
        """Return how far the nearest wall is, at most `max_search_radius`."""
        return self.pathfinder.distance_to_closest_obstacle(position, max_search_radius)

    def island_radius(self, position: Any) -> float:
        """Return how large the connected piece of ground of a place is; see `HabitatPathFinder`."""
        return self.pathfinder.island_radius(position)

    @property
    def up_vector(self) -> NDArray[np.float64]:
        """The direction up: y."""
        return np.array([0.0, 1.0, 0.0])

    @property
    def forward_vector(self) -> NDArray[np.float64]:
        """The direction in which a body looks that is not turned: -z."""
        return np.array([0.0, 0.0, -1.0])

    def semantic_annotations(self) -> SemanticAnnotations:
        """Return what the numbers of ``semantic`` mean."""
        return annotations_of(self.scene)

    @property
    def semantic_scene(self) -> SemanticAnnotations:
        """What the numbers of ``semantic`` mean."""
        return self.semantic_annotations()

    @property
    def config(self) -> Any:
        """Habitat-sim's configuration, of which only ``sim_cfg.allow_sliding`` is here; it can be set."""
        return SimpleNamespace(sim_cfg=_SlidingSwitch(self))

    def seed(self, seed: int) -> None:
        """Seed random points."""
        self._seed = int(seed)
        self.pathfinder.seed(seed)

    def close(self, destroy: bool = True) -> None:
        """Forget the scene."""
        del destroy
        self._scene = None


class _SlidingSwitch(PartlyCovered, called="sim.config.sim_cfg"):
    """``sim.config.sim_cfg``: waypoint agents switch sliding on and off there."""

    def __init__(self, sim: Simulator) -> None:
        self.__dict__["_sim"] = sim

    @property
    def allow_sliding(self) -> bool:
        return bool(self._sim.body.sliding)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "allow_sliding":
            raise NotCoveredError(f"sim.config.sim_cfg.{name}", ["allow_sliding"])
        self._sim._body = self._sim.body._replace(sliding=bool(value))


def _check_agent(agent_id: Any) -> None:
    if agent_id != 0:
        raise NotCoveredError(f"agent {agent_id!r}", "one agent, number 0")


def _amounts(body: Body) -> dict[str, Any]:
    turn, tilt = body.angle, body.tilt
    metres_or_degrees: Sequence[float] = (0.0, body.step, turn, turn, tilt, tilt)
    return {
        name: SimpleNamespace(amount=int(amount) if amount == int(amount) else amount)
        for name, amount in zip(ACTIONS, metres_or_degrees, strict=True)
    }


def _upright(position: Any, rotation: Any) -> SpacePose:
    turned = rotation_of(rotation)
    x, _, z = turned.turned([0.0, 1.0, 0.0]) if turned.norm() > 0 else (0.0, 0.0, 0.0)
    if math.hypot(x, z) > UPRIGHT:
        raise NotCoveredError(
            f"a body that is not upright: rotation {turned}",
            "rotations about the up axis",
            "tilt cameras with the orientation of their sensors, or with look_up and look_down",
        )
    return pose_at(position, (turned.x, turned.y, turned.z, turned.w))
