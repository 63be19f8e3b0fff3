"""What the environments in continuous space share: episodes, scenes, actions and spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.continuous import SpaceActions, ground_of
from vlnscope.engine.environment import Environment
from vlnscope.engine.gym.sensors import camera_sensors
from vlnscope.engine.gym.walks import SpaceWalks, text_space
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import STOP, Continuous, Episode, Floats, Point
from vlnscope.worlds.continuous.body import MOVES
from vlnscope.worlds.scene import Scenes

ACTION_SPACES = ("vlnce", "rxr-ce")
DATA = "houses-ce/train@1"
SENSORS = ("rgb:128x128", "depth:128x128")
_SNAP = 4.0


class SpaceTask:
    """Episodes in continuous space, with what agents may do and see; the arguments are `NavCEEnv`'s.

    Attributes:
        episodes: by id.
        space: what agents may do.
        environment: shows it to agents, and keeps the scenes.
        sensors: the cameras.
        actions: by their numbers in Habitat, to stop first.
    """

    def __init__(
        self,
        data: str | Dataset,
        root: str | Path | None,
        scenes: str | Path | None,
        action_space: str,
        max_steps: int,
        sensors: Sequence[str],
    ) -> None:
        if action_space not in ACTION_SPACES:
            raise UnknownNameError("action space", action_space, ACTION_SPACES)
        if not max_steps >= 1:
            raise InputError(f"max_steps is {max_steps}", expected="at least 1", fix="VLN-CE has 500")
        self.sensors = camera_sensors(sensors)
        dataset = data if isinstance(data, Dataset) else open_dataset(data, root, scenes=scenes)
        self.environment = Environment(_scenes(dataset), tuple(sensors), data_root(root), action_space)
        self.episodes = {episode.episode_id: _with_goal(episode) for episode in dataset.episodes()}
        self._ids = list(self.episodes)
        if not self._ids:
            raise InputError(f"{dataset.name} has no episodes", expected="at least one", fix="choose another")
        self.space = self._actions_of(action_space)
        self.actions = (STOP, *sorted(set(self.space.offered) - {STOP}, key=lambda a: MOVES[str(a)]))
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = self._space(max_steps)

    @staticmethod
    def _actions_of(name: str) -> SpaceActions:
        space = make_action_space(name)
        assert isinstance(space, SpaceActions)
        return space

    def choose(self, rng: np.random.Generator, wanted: str | None) -> Episode:
        """Return the episode that is wanted, or draw one."""
        if wanted is None:
            wanted = self._ids[int(rng.integers(len(self._ids)))]
        if wanted not in self.episodes:
            raise UnknownNameError("episode", str(wanted), self._ids)
        return self.episodes[wanted]

    def begin(self, walks: SpaceWalks, row: int, episode: Episode) -> None:
        """Begin to measure the walk of an episode."""
        ground = ground_of(self.environment.scene(episode.scan))
        walks.begin(row, ground, place_of(episode).start_position, place_of(episode).goals[0])

    def _space(self, max_steps: int) -> spaces.Dict:
        episodes = list(self.episodes.values())
        low, high = _box([place_of(e).start_position for e in episodes], max_steps * self.space.body.step)
        return spaces.Dict(
            {
                "instruction": text_space(episodes),
                "position": spaces.Box(low, high, dtype=np.float64),
                "heading": spaces.Box(0.0, math.tau, (1,), np.float64),
                "elevation": spaces.Box(-math.pi, math.pi, (1,), np.float64),
                "collided": spaces.MultiBinary(1),
                **{sensor.name: sensor.box for sensor in self.sensors},
            }
        )


def place_of(episode: Episode) -> Continuous:
    """Return the place of an episode that has one."""
    assert episode.continuous is not None
    return episode.continuous


def told(episode: Episode) -> dict[str, Any]:
    """Return what ``info`` always says."""
    return {"episode_id": episode.episode_id, "scan": episode.scan}


def _scenes(dataset: Dataset) -> Scenes:
    if not dataset.continuous:
        raise InputError(
            f"data set {dataset.name} is on navigation graphs",
            expected="a data set in continuous space, for example houses-ce/train@1",
            fix="make vlnscope/Nav-v0 instead",
        )
    if dataset.scenes is None:
        raise InputError(
            f"the scenes of {dataset.name} are not there",
            expected="meshes of the scenes: DIR/SCAN/SCAN.glb, with SCAN.navmesh beside it",
            fix="name their folder: scenes=DIR",
        )
    return dataset.scenes


def _with_goal(episode: Episode) -> Episode:
    if episode.continuous is None or not episode.continuous.goals:
        raise InputError(
            f"episode {episode.episode_id} has no goal, so nobody can be rewarded for it",
            expected="episodes in continuous space whose goals are known",
            fix="choose another split, for example train",
        )
    return episode


def _box(starts: Sequence[Point], reach: float) -> tuple[Floats, Floats]:
    """Return corners of a box that no walk leaves: a slide may take a body twice as far as a step."""
    points = np.array(starts).reshape(-1, 3)
    margin = 2 * reach + _SNAP
    return points.min(axis=0) - margin, points.max(axis=0) + margin
