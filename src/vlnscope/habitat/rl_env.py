"""``habitat.RLEnv``: an `Env` whose steps tell a reward too, whether the episode is done, and how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.habitat.dataset import HabitatDataset
from vlnscope.habitat.env import Env
from vlnscope.habitat.episodes import VLNEpisode


class RLEnv:
    """Base of a loop's own environments; they define `get_reward`, `get_done`, `get_info` and the range.

    Args:
        config: see `Env`.
        dataset: see `Env`.
    """

    def __init__(self, config: Mapping[str, Any], dataset: HabitatDataset | Dataset | None = None) -> None:
        self._env = Env(config, dataset)
        self.number_of_episodes = self._env.number_of_episodes
        self.reward_range = self.get_reward_range()

    @property
    def habitat_env(self) -> Env:
        """The environment itself."""
        return self._env

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration, as given."""
        return self._env.config

    @property
    def episodes(self) -> list[VLNEpisode]:
        """All episodes; a loop may put a shorter list here."""
        return self._env.episodes

    @episodes.setter
    def episodes(self, episodes: Sequence[VLNEpisode]) -> None:
        self._env.episodes = list(episodes)

    @property
    def current_episode(self) -> VLNEpisode:
        """The episode that goes on."""
        return self._env.current_episode

    @property
    def action_space(self) -> Any:
        """The actions as a space of gymnasium."""
        return self._env.action_space

    @property
    def observation_space(self) -> Any:
        """What is observed as a space of gymnasium."""
        return self._env.observation_space

    def reset(self) -> dict[str, Any]:
        """Begin the next episode."""
        return self._env.reset()

    def step(self, *args: Any, **kwargs: Any) -> tuple[dict[str, Any], Any, bool, dict[Any, Any]]:
        """Do an action; return what is observed then, the reward, whether it is done, and the information."""
        observed = self._env.step(*args, **kwargs)
        return observed, self.get_reward(observed), self.get_done(observed), self.get_info(observed)

    def get_reward_range(self) -> Any:
        """Return the least and the greatest reward."""
        raise NotImplementedError

    def get_reward(self, observations: dict[str, Any]) -> Any:
        """Return the reward of the last action."""
        raise NotImplementedError

    def get_done(self, observations: dict[str, Any]) -> bool:
        """Return whether the episode is done."""
        raise NotImplementedError

    def get_info(self, observations: dict[str, Any]) -> dict[Any, Any]:
        """Return what else is to be known, such as the metrics."""
        raise NotImplementedError

    def render(self, mode: str = "rgb") -> Any:
        """Return what one camera shows."""
        return self._env.render(mode)

    def seed(self, seed: int | None = None) -> None:
        """Seed random points of the ground."""
        self._env.seed(seed or 0)

    def close(self) -> None:
        """Forget the scene."""
        self._env.close()

    def __enter__(self) -> RLEnv:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
