"""``vlnscope/NavCEVector-v0``: many agents in continuous space, moved and shown their pictures together.

It is tested to do what as many `NavCEEnv` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.engine.action_spaces.vlnce import MAX_ACTIONS
from vlnscope.engine.continuous import ground_of
from vlnscope.engine.gym.sensors import draw
from vlnscope.engine.gym.space_task import DATA, SENSORS, SpaceTask, told
from vlnscope.engine.gym.walks import Reward, SpaceWalks, check_reward
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import STOP, Episode, Flags, Floats
from vlnscope.worlds.continuous.motion import SpacePose, forward_many

Step = tuple[dict[str, Any], Floats, Flags, Flags, dict[str, Any]]


class NavCEVectorEnv(VectorEnv[dict[str, Any], NDArray[np.int64], NDArray[Any]]):
    """Many agents that follow instructions in continuous space; actions and observations are `NavCEEnv`'s.

    Forward steps in one scene are one query of its navigation mesh, and pictures in it are drawn at once.
    Agent i draws the episodes that a `NavCEEnv` draws with seed + i. After the end of its episode, the next
    step of an agent begins another, whatever its action (gymnasium's ``NEXT_STEP``).

    Args:
        num_envs: how many agents.
        data: as in `NavCEEnv`, and so on.
        root: folder of the data.
        scenes: folder with meshes of scenes.
        action_space: ``vlnce`` or ``rxr-ce``.
        max_steps: after how many actions an episode is cut off.
        reward: ``success`` or ``progress``.
        sensors: cameras.

    ``reset(options={"episode_id": […]})`` chooses the first episode of each agent.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        data: str | Dataset = DATA,
        root: str | Path | None = None,
        *,
        scenes: str | Path | None = None,
        action_space: str = "vlnce",
        max_steps: int = MAX_ACTIONS,
        reward: Reward = "success",
        sensors: Sequence[str] = SENSORS,
    ) -> None:
        check_reward(reward)
        if num_envs < 1:
            raise InputError(f"there are {num_envs} agents", expected="at least one", fix="set num_envs")
        self._task = SpaceTask(data, root, scenes, action_space, max_steps, sensors)
        self._walks = SpaceWalks(num_envs, reward)
        self._max_steps = max_steps
        self.num_envs = num_envs
        self.episodes = self._task.episodes
        self.single_action_space = self._task.action_space
        self.single_observation_space = self._task.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._rngs: list[np.random.Generator] = []
        self._walked: list[Episode] = []
        self._poses: list[SpacePose] = []
        self._over: Flags = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode with every agent."""
        super().reset(seed=seed)
        wanted = self._wanted((options or {}).get("episode_id"))
        if seed is not None or not self._rngs:
            seeds = [None if seed is None else seed + i for i in range(self.num_envs)]
            self._rngs = [seeding.np_random(each)[0] for each in seeds]
        self._walked = [self._task.choose(*each) for each in zip(self._rngs, wanted, strict=True)]
        self._poses = [self._begin(row) for row in range(self.num_envs)]
        self._over[:] = False
        return self._shown(), self._told([])

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Move every agent; one whose episode is over begins another instead."""
        if not self._poses:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset first")
        if not self.action_space.contains(np.asarray(actions)):
            raise gymnasium.error.InvalidAction(f"{actions} is not in {self.action_space}")
        names = [str(self._task.actions[int(action)]) for action in actions]
        for row in np.flatnonzero(self._over).tolist():
            self._walked[row] = self._task.choose(self._rngs[row], None)
            self._poses[row] = self._begin(row)
        rows = np.flatnonzero(~self._over)
        self._move({row: names[row] for row in rows.tolist()})
        stopped = np.array([name == STOP for name in names]) & ~self._over
        rewards = np.zeros(self.num_envs)
        rewards[rows] = self._walks.go(rows, [self._poses[row] for row in rows], stopped[rows])
        truncated = ~stopped & (self._walks.steps >= self._max_steps)
        self._over = stopped | truncated
        return self._shown(), rewards, stopped, truncated, self._told(np.flatnonzero(self._over).tolist())

    def _wanted(self, episode_ids: Sequence[str] | None) -> Sequence[str | None]:
        if episode_ids is None:
            return [None] * self.num_envs
        if isinstance(episode_ids, str) or len(episode_ids) != self.num_envs:
            raise InputError(
                f"episode_id is {episode_ids!r}, and there are {self.num_envs} agents",
                expected="a list with one episode per agent",
                fix="name as many episodes as agents",
            )
        return episode_ids

    def _begin(self, row: int) -> SpacePose:
        self._task.begin(self._walks, row, self._walked[row])
        return self._task.space.start(self._walked[row]).pose

    def _move(self, moves: dict[int, str]) -> None:
        body, poses = self._task.space.body, self._poses
        ahead = [row for row, move in moves.items() if move == "forward"]
        for scan, rows in self._by_scan(ahead).items():
            ground = ground_of(self._task.environment.scene(scan))
            at, yaws = [poses[row].position for row in rows], [poses[row].yaw for row in rows]
            ends, collided = forward_many(ground, at, yaws, body.step, sliding=body.sliding)
            for row, (x, y, z), hit in zip(rows, ends.tolist(), collided.tolist(), strict=True):
                poses[row] = poses[row]._replace(position=(x, y, z), collided=hit)
        for row, move in moves.items():
            if move not in ("forward", STOP):
                ground = ground_of(self._task.environment.scene(self._walked[row].scan))
                poses[row] = body.after(ground, poses[row], move)

    def _by_scan(self, rows: Sequence[int]) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for row in rows:
            groups.setdefault(self._walked[row].scan, []).append(row)
        return groups

    def _shown(self) -> dict[str, Any]:
        poses = self._poses
        return {
            "instruction": tuple(episode.instruction for episode in self._walked),
            "position": np.array([pose.position for pose in poses]),
            "heading": np.array([[pose.heading] for pose in poses]),
            "elevation": np.array([[pose.pitch] for pose in poses]),
            "collided": np.array([[pose.collided] for pose in poses], dtype=np.int8),
            **self._pictures(),
        }

    def _pictures(self) -> dict[str, NDArray[Any]]:
        boxes = [(sensor.name, sensor.box) for sensor in self._task.sensors]
        shown = {name: np.empty((self.num_envs, *box.shape), dtype=box.dtype) for name, box in boxes}
        for scan, rows in self._by_scan(range(self.num_envs)).items():
            scene = self._task.environment.scene(scan)
            drawn = draw(self._task.sensors, scene, [self._poses[row] for row in rows])
            for name, pictures in drawn.items():
                shown[name][rows] = pictures
        return shown

    def _told(self, ended: Sequence[int]) -> dict[str, Any]:
        """Return ``info`` as gymnasium lays it out: an array per key, and another that says who has it."""
        infos: dict[str, Any] = {}
        for row, episode in enumerate(self._walked):
            outcome = self._walks.outcome(row) if row in ended else {}
            infos = self._add_info(infos, told(episode) | outcome, row)
        return infos
