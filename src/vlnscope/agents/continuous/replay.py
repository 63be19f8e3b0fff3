"""The agent that does the actions of a file again, in continuous space."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vlnscope.agents.spec import AgentSpec, Option
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import file_digest
from vlnscope.episodes.datasets.ground_truth import read_ground_truth
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Decision, Observation
from vlnscope.worlds.continuous.body import MOVES

_NAMES = {number: name for name, number in MOVES.items()}


class ReplayActionsAgent:
    """Does the actions that a file has for the episode, then stops.

    Args:
        file: evidence of a run in continuous space, or a ``_gt`` file of VLN-CE.
        space: the action space in which the actions were done.
    """

    def __init__(self, file: str, space: str = "vlnce") -> None:
        if not file:
            raise InputError(
                "agent 'replay' is not told which file to replay",
                expected="evidence of a run in continuous space, or a _gt file of VLN-CE",
                fix="write replay:file=PREDICTIONS",
            )
        self.action_space = space
        self._file = Path(file)
        self._actions = dict(_actions_in(self._file))
        self.fingerprint = f"sha256 {file_digest(self._file)[:16]}"
        self._ahead: list[str] = []

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Look up the actions of the episode."""
        if observation.episode_id not in self._actions:
            raise InputError(
                f"{self._file}: has no actions for episode {observation.episode_id}",
                expected="actions for every episode that is run",
                fix="run on the data set that the file was made on",
            )
        codes = self._actions[observation.episode_id]
        self._ahead = [_NAMES[code] for code in codes if code in _NAMES]

    def act(self, observation: Observation) -> Decision:
        """Do the next action, or stop after the last."""
        if not self._ahead:
            return Decision.stop(observation)
        action = self._ahead.pop(0)
        if action not in observation.actions:
            raise InputError(
                f"{self._file}: action {action!r} is not one of {', '.join(map(str, observation.actions))}",
                expected="actions of the space that the agent acts in",
                fix="name the space in which they were done: replay:file=…,space=rxr-ce",
            )
        return Decision.choose(observation, observation.actions.index(action))


def _actions_in(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    try:
        predictions = list(read_predictions(path))
    except InputError:
        yield from ((name, truth.actions) for name, truth in read_ground_truth(path))
        return
    for prediction in predictions:
        actions: Any = prediction.extra.get("actions")
        if actions is None:
            raise InputError(
                f"{path}: says where the agent was in episode {prediction.episode_id}, but not what it did",
                expected="evidence of a run in continuous space, or a _gt file of VLN-CE",
                fix="replay such a file; `vlnscope score` scores positions as they are",
            )
        yield prediction.episode_id, tuple(actions)


REPLAY = AgentSpec(
    name="replay",
    summary="does the actions of a file again",
    make=lambda file, space, seed: ReplayActionsAgent(file, space),
    options={
        "file": Option(str, "", "evidence of a run in continuous space, or a _gt file of VLN-CE"),
        "space": Option(str, "vlnce", "the action space in which the actions were done"),
    },
)
