"""``habitat.Env``: episodes, one after the other, in which a loop moves one agent."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.habitat.config.settings import settings_of
from vlnscope.habitat.coverage import PartlyCovered
from vlnscope.habitat.dataset import HabitatDataset, dataset_of
from vlnscope.habitat.episodes import EpisodeIterator, VLNEpisode
from vlnscope.habitat.simulator import Simulator
from vlnscope.habitat.spaces import action_space, observation_space
from vlnscope.habitat.task import NavigationTask
from vlnscope.worlds.continuous.motion import pose_at


class Env(PartlyCovered, called="Env"):
    """Runs episodes with Habitat's calls and Habitat's rules.

    An episode is over when the agent stops, or after as many actions (or seconds) as the configuration
    allows; success then is 0, wherever the agent is.

    Args:
        config: a whole configuration of Habitat, or its part ``habitat`` (``TASK_CONFIG`` in 0.1.7).
        dataset: the episodes, if not those that the configuration names.

    Attributes:
        number_of_episodes: how many there are.
    """

    def __init__(self, config: Mapping[str, Any], dataset: HabitatDataset | Dataset | None = None) -> None:
        self._settings = settings_of(config)
        self._config = config
        self._dataset = _as_habitat(dataset) if dataset else dataset_of(self._settings.dataset)
        self._sim = Simulator(self._settings, self._dataset.scenes)
        self._task = NavigationTask(self._settings, self._sim, self._dataset)
        self.number_of_episodes = len(self._dataset.episodes)
        self._iterator: Iterator[VLNEpisode] = self._new_iterator()
        self._episode: VLNEpisode | None = next(self._iterator)
        self._chosen = True  # the first reset begins the first episode
        self._begun = 0.0
        self._actions = 0
        self._over = False
        self._waits = "no episode has begun"

    def _new_iterator(self) -> EpisodeIterator:
        return self._dataset.get_episode_iterator(**self._settings.iterator, seed=self._settings.seed)

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration, as given."""
        return self._config

    @property
    def sim(self) -> Simulator:
        """The simulator."""
        return self._sim

    @property
    def task(self) -> NavigationTask:
        """The task: measures, sensors, whether the agent has stopped."""
        return self._task

    @property
    def episodes(self) -> list[VLNEpisode]:
        """All episodes; a loop may put a shorter list here."""
        return self._dataset.episodes

    @episodes.setter
    def episodes(self, episodes: Sequence[VLNEpisode]) -> None:
        if not len(episodes):
            raise InputError(
                "an empty list of episodes was set",
                expected="at least one episode",
                fix="leave out the shard, or make fewer shards",
            )
        self._dataset.episodes = list(episodes)
        self.number_of_episodes = len(episodes)
        self.episode_iterator = self._new_iterator()
        self._episode = None

    @property
    def episode_iterator(self) -> Iterator[VLNEpisode]:
        """Where `reset` takes the next episode from."""
        return self._iterator

    @episode_iterator.setter
    def episode_iterator(self, iterator: Iterator[VLNEpisode]) -> None:
        self._iterator = iterator
        self._chosen, self._waits = False, "the episodes were changed"

    @property
    def current_episode(self) -> VLNEpisode:
        """The episode that goes on; set one, and the next `reset` begins it."""
        if self._episode is None:
            raise InputError("there is no current episode", expected="a reset", fix="call env.reset() first")
        return self._episode

    @current_episode.setter
    def current_episode(self, episode: VLNEpisode) -> None:
        self._episode = episode
        self._chosen, self._waits = True, "the episode was changed"

    @property
    def episode_over(self) -> bool:
        """Whether the agent has stopped or has no action left."""
        return self._over

    @property
    def episode_start_time(self) -> float | None:
        """When the episode began, in seconds since 1970."""
        return self._begun or None

    def reset(self) -> dict[str, Any]:
        """Begin the next episode, or the one that was set, and return what is observed at its start.

        Raises:
            StopIteration: there is no episode left, and they do not begin again.
        """
        if not self._chosen:
            self._episode = next(self._iterator)
        episode = self.current_episode
        x, y, z, w = episode.start_rotation
        self._sim.open_scene(episode.source.scan)
        self._sim.place(pose_at(episode.start_position, (x, y, z, w)))
        self._chosen, self._waits = False, ""
        self._begun, self._actions, self._over = time.time(), 0, False
        observed = self._task.reset(episode)
        self._task.measurements.reset_measures(episode=episode, task=self._task, observations=observed)
        return observed

    def step(self, action: int | str | dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Do an action and return what is observed then.

        Args:
            action: its number, its name, or ``{"action": …}`` with one of them.
            kwargs: nothing; Habitat ignores them too.

        Raises:
            InputError: the episode is over, or none has begun.
            NotCoveredError: there is no such action.
        """
        waits = self._waits or ("the episode is over" if self._over else "")
        if waits:
            raise InputError(
                f"{waits}, and an action came", expected="a reset before", fix="call env.reset() first"
            )
        episode = self.current_episode
        whole = action if isinstance(action, dict) else {"action": action}
        observed = self._task.step(whole, episode)
        self._task.measurements.update_measures(
            episode=episode, action=whole, task=self._task, observations=observed
        )
        self._actions += 1
        self._over = self._task.is_stop_called or self._past_limit()
        if isinstance(self._iterator, EpisodeIterator):
            self._iterator.step_taken()
        return observed

    def _past_limit(self) -> bool:
        steps, seconds = self._settings.max_steps, self._settings.max_seconds
        return 0 < steps <= self._actions or 0 < seconds <= time.time() - self._begun

    def get_metrics(self) -> dict[str, Any]:
        """Return the value of each measure."""
        return self._task.measurements.get_metrics()

    @property
    def action_space(self) -> Any:
        """The actions as a space of gymnasium."""
        return action_space(self._settings.actions)

    @property
    def observation_space(self) -> Any:
        """What is observed as a space of gymnasium."""
        return observation_space(self._settings)

    def render(self, mode: str = "rgb") -> Any:
        """Return what one camera shows."""
        return self._sim.render(mode)

    def seed(self, seed: int) -> None:
        """Seed random points of the ground; orders of episodes are seeded by the configuration."""
        self._sim.seed(seed)

    def close(self) -> None:
        """Forget the scene."""
        self._sim.close()

    def __enter__(self) -> Env:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _as_habitat(dataset: HabitatDataset | Dataset) -> HabitatDataset:
    return HabitatDataset(dataset) if isinstance(dataset, Dataset) else dataset
