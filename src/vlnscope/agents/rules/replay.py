"""The agent that does again what a prediction file says was done."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from vlnscope.agents.continuous.replay import REPLAY
from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import file_digest
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Decision, Observation


class ReplayAgent:
    """Walks the path that the file has for the episode, then stops. Turns on the spot are left out.

    Args:
        file: a prediction file in any format with viewpoints.
    """

    def __init__(self, file: str) -> None:
        if not file:
            raise InputError(
                "agent 'replay' is not told which file to replay",
                expected="a prediction file",
                fix="write replay:file=PREDICTIONS",
            )
        self._file = Path(file)
        self._paths = {
            prediction.episode_id: tuple(node for node, _ in groupby(prediction.path))
            for prediction in read_predictions(self._file)
        }
        self.fingerprint = f"sha256 {file_digest(self._file)[:16]}"
        self._path: tuple[str, ...] = ()
        self._at = 0

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Look up the path of the episode."""
        path = self._paths.get(observation.episode_id)
        if not path:
            raise InputError(
                f"{self._file}: "
                + ("has no prediction for" if path is None else "has coordinates but no viewpoints for")
                + f" episode {observation.episode_id}",
                expected="a path of viewpoints for every episode that is run",
                fix="run on the data set that the predictions were made on; `vlnscope check` compares them",
            )
        self._path, self._at = path, 0

    def observe(self, observation: Observation) -> None:
        """Find the place on the path at which the agent is."""
        if self._path[self._at + 1 : self._at + 2] == (observation.viewpoint,):
            self._at += 1

    def act(self, observation: Observation) -> Decision:
        """Take the next step of the path, or stop at its end."""
        self.observe(observation)
        if self._path[self._at] != observation.viewpoint:
            raise InputError(
                f"{self._file}, episode {observation.episode_id}: the path does not lead through "
                f"{observation.viewpoint}",
                expected="a path that begins where the episode does and follows the forced steps, if any",
                fix="`vlnscope check` names predictions that start elsewhere",
            )
        if self._at + 1 == len(self._path):
            return Decision.stop(observation)
        ahead = self._path[self._at + 1]
        for index, candidate in enumerate(observation.candidates):
            if candidate.viewpoint == ahead:
                return Decision.choose(observation, index)
        raise InputError(
            f"{self._file}, episode {observation.episode_id}: steps from {observation.viewpoint} to {ahead}, "
            "which is not next to it",
            expected="steps along the edges of the scene's graph",
            fix="`vlnscope check` names all such predictions; `vlnscope score` can score them as they are",
        )


register_agent(
    AgentSpec(
        name="replay",
        summary="does again what a prediction file says was done",
        make=lambda file, seed: ReplayAgent(file),
        options={"file": Option(str, "", "the prediction file, in any format with viewpoints")},
        continuous=REPLAY,
    )
)
