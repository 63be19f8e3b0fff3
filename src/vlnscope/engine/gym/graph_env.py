"""``vlnscope/Nav-v0``: navigation on graphs as a gymnasium environment.

An action is the number of a candidate, in MatterSim's order; the last action is to stop. How many candidates
there are differs from place to place: all but those that the action mask allows leave the agent where it is,
and cost a step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.environment import Environment
from vlnscope.engine.gym.walks import SUCCESS_DISTANCE, Reward, check_reward, text_space
from vlnscope.engine.session import Session
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import MAX_STEPS, Episode, Observation
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.scene import Scenes


class NavEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Follow instructions in the scenes of a data set.

    Observations are dictionaries: ``instruction`` (text), ``heading`` and ``elevation`` (radians),
    ``candidates`` (one row per candidate: radians to the right of where the agent looks, elevation, metres;
    zeros where there is none) and ``action_mask``. ``info`` has what else there is: ids, the viewpoints of
    the candidates, what `needs` asks for (under ``seen``), and, at the end, success, distance and path.
    Neither tells the answer before the end; the environment itself (``episodes``) does, since it rewards.

    Args:
        data: a data set such as ``r2r/train``, an episode file, or an opened data set.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        max_steps: after how many moves an episode is cut off.
        reward: ``success`` (1 for stopping less than 3 m from the goal) or ``progress`` (metres gained
            towards it at each move, and 1 for success).
        needs: what agents may need, see `vlnscope.agents.protocol`.

    ``reset(options={"episode_id": …})`` chooses an episode; otherwise they are drawn at random.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        data: str | Dataset = "sample/demo",
        root: str | Path | None = None,
        *,
        max_steps: int = MAX_STEPS,
        reward: Reward = "success",
        needs: Sequence[str] = (),
    ) -> None:
        check_reward(reward)
        dataset = data if isinstance(data, Dataset) else open_dataset(data, root)
        scenes = None if dataset.continuous else dataset.scenes
        if scenes is None:
            raise InputError(
                f"data set {dataset.name} is in continuous space",
                expected="a data set on navigation graphs, for example r2r/train",
                fix="make vlnscope/NavCE-v0 instead",
            )
        self.episodes = {episode.episode_id: episode for episode in dataset.episodes()}
        self._ids = list(self.episodes)
        self._max_steps = max_steps
        self._reward = reward
        self._environment = Environment(scenes, needs, data_root(root))
        self._session = Session(self._environment)
        self._most, farthest = _extent(scenes, {episode.scan for episode in self.episodes.values()})
        self.action_space = spaces.Discrete(self._most + 1)
        self.observation_space = _space(self._most, farthest, list(self.episodes.values()))
        self._now: Observation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: the one that ``options["episode_id"]`` names, else one drawn at random."""
        super().reset(seed=seed)
        wanted = (options or {}).get("episode_id")
        if wanted is None:
            wanted = self._ids[int(self.np_random.integers(len(self._ids)))]
        if wanted not in self.episodes:
            raise UnknownNameError("episode", str(wanted), self._ids)
        self._episode = self.episodes[wanted]
        self._steps = 0
        return self._shown(self._session.reset(self._episode))

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Go to a candidate, or stop."""
        if self._now is None:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset first")
        before = self._to_goal()
        stops = int(action) == self._most
        valid = stops or 0 <= int(action) < len(self._now.candidates)
        if valid:
            self._session.step(self._now.actions[-1 if stops else int(action)])
        self._steps += 1
        after = self._to_goal()
        success = stops and after < SUCCESS_DISTANCE
        reward = float(success)
        if self._reward == "progress" and math.isfinite(before - after):
            reward += before - after
        seen, info = self._shown(self._session.observe())
        info["valid_action"] = valid
        truncated = not stops and self._steps >= self._max_steps
        if stops or truncated:
            path = tuple(pose.viewpoint for pose in self._session.poses)
            info |= {"success": success, "distance": after, "path": path}
            self._now = None
        return seen, reward, stops, truncated, info

    def _to_goal(self) -> float:
        graph = self._environment.scene(self._episode.scan).graph
        return graph.distance(self._session.viewpoint, self._episode.path[-1])

    def _shown(self, observation: Observation) -> tuple[dict[str, Any], dict[str, Any]]:
        self._now = observation
        count = len(observation.candidates)
        mask = np.zeros(self._most + 1, dtype=np.int8)
        mask[:count] = mask[self._most] = 1
        rows = np.zeros((self._most, 3), dtype=np.float32)
        for row, candidate in zip(rows, observation.candidates, strict=False):
            right = (candidate.heading - observation.heading + math.pi) % math.tau - math.pi
            row[:] = (right, candidate.elevation, candidate.distance)
        info = {
            "episode_id": self._episode.episode_id,
            "scan": self._episode.scan,
            "viewpoint": observation.viewpoint,
            "candidates": tuple(candidate.viewpoint for candidate in observation.candidates),
            "action_mask": mask.copy(),
            "seen": observation.seen,
        }
        seen = {
            "instruction": self._episode.instruction,
            "heading": np.array([observation.heading], dtype=np.float32),
            "elevation": np.array([observation.elevation], dtype=np.float32),
            "candidates": rows,
            "action_mask": mask,
        }
        return seen, info


def _extent(scenes: Scenes, scans: set[str]) -> tuple[int, float]:
    """Return the largest number of candidates of any place, and how far away one may be."""
    tables = [candidates(scenes.scene(scan).graph) for scan in sorted(scans)]
    most = max((int(np.diff(table.starts).max(initial=0)) for table in tables), default=0)
    farthest = max((float(table.distance.max(initial=0.0)) for table in tables), default=0.0)
    return max(most, 1), max(farthest, 1.0)


def _space(most: int, farthest: float, episodes: Sequence[Episode]) -> spaces.Dict:
    low = np.tile(np.array([-math.pi, -math.pi / 2, 0.0], dtype=np.float32), (most, 1))
    high = np.tile(np.array([math.pi, math.pi / 2, farthest], dtype=np.float32), (most, 1))
    return spaces.Dict(
        {
            "instruction": text_space(episodes),
            "heading": spaces.Box(0.0, math.tau, (1,), np.float32),
            "elevation": spaces.Box(-math.pi / 2, math.pi / 2, (1,), np.float32),
            "candidates": spaces.Box(low, np.nextafter(high, np.float32(np.inf)), dtype=np.float32),
            "action_mask": spaces.MultiBinary(most + 1),
        }
    )
