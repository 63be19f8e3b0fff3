"""What agents share whose choices depend on the seed, the episode and the number of the decision alone."""

from __future__ import annotations

from vlnscope.agents.vectorised import episode_keys
from vlnscope.types import Observation


class CountingAgent:
    """Counts the decisions that it makes in an episode; steps that it is led along do not count."""

    _decided = 0

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Start counting."""
        self._decided = 0

    def count(self) -> int:
        """Return how many decisions were made before this one."""
        self._decided += 1
        return self._decided - 1


def episode_key(observation: Observation) -> int:
    """Return the number of an observation's episode that randomness depends on."""
    return int(episode_keys([observation.episode_id])[0])
