"""``habitat.VectorEnv``: several environments, stepped one after the other in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.habitat.coverage import PartlyCovered


class VectorEnv(PartlyCovered, called="VectorEnv"):
    """Environments side by side, with the calls of Habitat's. None of them runs in a process of its own.

    Args:
        make_env_fn: makes one, an `Env` or an `RLEnv`, from its arguments.
        env_fn_args: the arguments of each.
        auto_reset_done: whether an environment whose episode is done begins the next one at once.
        multiprocessing_start_method: has no effect.
        workers_ignore_signals: has no effect.
    """

    def __init__(
        self,
        make_env_fn: Callable[..., Any],
        env_fn_args: Sequence[tuple[Any, ...]],
        auto_reset_done: bool = True,
        multiprocessing_start_method: str = "forkserver",
        workers_ignore_signals: bool = False,
    ) -> None:
        del multiprocessing_start_method, workers_ignore_signals
        self._envs = [make_env_fn(*arguments) for arguments in env_fn_args]
        self._resets = auto_reset_done
        self._paused: list[tuple[int, Any]] = []
        if not self._envs:
            raise InputError(
                "no environment was to be made", expected="at least one", fix="give its arguments"
            )

    @property
    def num_envs(self) -> int:
        """How many environments are not paused."""
        return len(self._envs)

    @property
    def number_of_episodes(self) -> list[int]:
        """How many episodes each has."""
        return [env.number_of_episodes for env in self._envs]

    @property
    def action_spaces(self) -> list[Any]:
        """The actions of each as a space of gymnasium."""
        return [env.action_space for env in self._envs]

    @property
    def observation_spaces(self) -> list[Any]:
        """What is observed in each as a space of gymnasium."""
        return [env.observation_space for env in self._envs]

    def current_episodes(self) -> list[Any]:
        """Return the episode that goes on in each."""
        return [env.current_episode for env in self._envs]

    def count_episodes(self) -> list[int]:
        """Return how many episodes each has."""
        return [len(env.episodes) for env in self._envs]

    def reset(self) -> list[dict[str, Any]]:
        """Begin the next episode in each."""
        return [env.reset() for env in self._envs]

    def reset_at(self, index_env: int) -> list[dict[str, Any]]:
        """Begin the next episode in one."""
        return [self._envs[index_env].reset()]

    def step(self, data: Sequence[Any]) -> list[Any]:
        """Do an action in each and return what each gives back.

        A dictionary has the arguments of the environment's `step` by name: ``{"action": …}``, and whatever
        else an environment of the loop's own takes.
        """
        if len(data) != len(self._envs):
            raise InputError(
                f"{len(data)} actions came for {len(self._envs)} environments",
                expected="one for each that is not paused",
                fix="leave out the actions of paused environments",
            )
        return [self._step(env, action) for env, action in zip(self._envs, data, strict=True)]

    def step_at(self, index_env: int, action: Any) -> list[Any]:
        """Do an action in one."""
        return [self._step(self._envs[index_env], action)]

    def async_step(self, data: Sequence[Any]) -> None:
        """Do an action in each; `wait_step` returns what they give back."""
        self._answers = self.step(data)

    def wait_step(self) -> list[Any]:
        """Return what the last `async_step` gave back."""
        return self._answers

    def _step(self, env: Any, action: Any) -> Any:
        given = env.step(**action) if isinstance(action, dict) else env.step(action)
        done = given[2] if isinstance(given, tuple) else env.episode_over
        if not (done and self._resets):
            return given
        first = env.reset()
        return (first, *given[1:]) if isinstance(given, tuple) else first

    def call_at(self, index: int, function_name: str, function_args: dict[str, Any] | None = None) -> Any:
        """Call a method of one, or ask for an attribute, by name."""
        return _called(self._envs[index], function_name, function_args)

    def call(
        self, function_names: Sequence[str], function_args_list: Sequence[Any] | None = None
    ) -> list[Any]:
        """Call a method of each by name."""
        arguments = function_args_list or [None] * len(function_names)
        return [
            _called(env, name, args)
            for env, name, args in zip(self._envs, function_names, arguments, strict=True)
        ]

    def pause_at(self, index: int) -> None:
        """Leave one out until `resume_all`."""
        self._paused.append((index, self._envs.pop(index)))

    def resume_all(self) -> None:
        """Take back all that were left out, where they were."""
        while self._paused:
            index, env = self._paused.pop()
            self._envs.insert(index, env)

    def close(self) -> None:
        """Close all."""
        for env in [*self._envs, *(env for _, env in self._paused)]:
            env.close()


def _called(env: Any, name: str, arguments: dict[str, Any] | None) -> Any:
    found = getattr(env, name)
    return found(**(arguments or {})) if callable(found) else found
