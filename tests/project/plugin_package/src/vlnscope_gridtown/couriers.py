"""Agents that count blocks: `courier` goes to candidates, `block-courier` in directions of the compass."""

from __future__ import annotations

import re

from vlnscope.types import STOP, Decision, Observation
from vlnscope_gridtown.errands import NUMBERS

_LEG = re.compile(rf"({'|'.join(NUMBERS)}) blocks? (\w+)")


def route(instruction: str) -> list[str]:
    """Return the direction of each block that an instruction asks for."""
    return [name for count, name in _LEG.findall(instruction) for _ in range(NUMBERS.index(count))]


class Courier:
    """Counts blocks and looks at the compass."""

    needs = ("compass",)

    def act(self, observation: Observation) -> Decision:
        """Go to the junction in the direction that is due."""
        due = route(observation.instruction)[observation.step :]
        if not due or due[0] not in observation.seen["compass"]:
            return Decision.stop(observation)
        return Decision.choose(observation, observation.actions.index(observation.seen["compass"][due[0]]))


class BlockCourier:
    """Counts blocks and says directions."""

    action_space = "blocks"

    def act(self, observation: Observation) -> Decision:
        """Say the direction that is due."""
        due = [*route(observation.instruction)[observation.step :], STOP][0]
        return Decision.choose(observation, observation.actions.index(due))
