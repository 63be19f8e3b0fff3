"""``vlnscope/NavCE-v0``: one agent in continuous space."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from vlnscope.engine.action_spaces.vlnce import MAX_ACTIONS
from vlnscope.engine.gym.space_task import DATA, SENSORS, SpaceTask, told
from vlnscope.engine.gym.walks import Reward, SpaceWalks, check_reward
from vlnscope.engine.session import Session
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Observation, SpaceObservation

_ONLY = np.array([0])


class NavCEEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Follow instructions in continuous space, as in VLN-CE.

    Actions have Habitat's numbers: 0 stop, 1 forward, 2 left, 3 right; with ``rxr-ce`` 4 up, 5 down.
    Observations are dictionaries: ``instruction`` (text), ``position`` (of the foot in Habitat's frame, in
    metres), ``heading`` (radians clockwise, 0 along -z), ``elevation`` (radians that the camera looks up),
    ``collided`` (whether the last move ended at something), and each sensor under its name. ``info`` has
    ``episode_id`` and ``scan``, and at the end ``success``, ``spl``, ``distance`` (geodesic, to the goal),
    ``path_length`` and ``collisions``. Neither tells the answer before the end; rewards for progress do, and
    so does the environment itself (``episodes``).

    Args:
        data: a data set in continuous space such as ``houses-ce/train@1``, an episode file, or an opened
            data set.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        scenes: folder with meshes of scenes; ``$VLNSCOPE_SCENES`` if not given. Houses need none.
        action_space: ``vlnce`` or ``rxr-ce``.
        max_steps: after how many actions an episode is cut off, which is no success.
        reward: ``success`` (1 for stopping less than 3 m from the goal) or ``progress`` (metres by which the
            geodesic distance to it shrinks at each move, and 1 for success).
        sensors: cameras, as agents write them in ``needs``: ``rgb``, ``depth``, ``semantic``, with a size.

    ``reset(options={"episode_id": …})`` chooses an episode; otherwise they are drawn at random.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
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
        self._task = SpaceTask(data, root, scenes, action_space, max_steps, sensors)
        self._session = Session(self._task.environment)
        self._walk = SpaceWalks(1, reward)
        self._max_steps = max_steps
        self.episodes = self._task.episodes
        self.action_space = self._task.action_space
        self.observation_space = self._task.observation_space
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: the one that ``options["episode_id"]`` names, else one drawn at random."""
        super().reset(seed=seed)
        self._episode = self._task.choose(self.np_random, (options or {}).get("episode_id"))
        self._task.begin(self._walk, 0, self._episode)
        self._over = False
        return self._shown(self._session.reset(self._episode)), told(self._episode)

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Move, or stop."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset first")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(
                f"{action} is none of the actions 0 to {len(self._task.actions) - 1}"
            )
        observation = self._session.step(self._task.actions[int(action)])
        stopped = self._session.stopped
        (reward,) = self._walk.go(_ONLY, [self._session.pose.pose], np.array([stopped]))
        truncated = not stopped and int(self._walk.steps[0]) >= self._max_steps
        info = told(self._episode)
        if stopped or truncated:
            info |= self._walk.outcome(0)
            self._over = True
        return self._shown(observation), float(reward), stopped, truncated, info

    def _shown(self, observation: Observation) -> dict[str, Any]:
        assert isinstance(observation, SpaceObservation)
        return {
            "instruction": observation.instruction,
            "position": np.array(observation.position),
            "heading": np.array([observation.heading]),
            "elevation": np.array([observation.elevation]),
            "collided": np.array([observation.collided], dtype=np.int8),
            **{sensor.name: np.array(observation.seen[sensor.name]) for sensor in self._task.sensors},
        }
