"""VLN-CE's agents without learning: random actions, and straight on in a random direction."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from vlnscope.agents.counting import CountingAgent, episode_key
from vlnscope.agents.spec import AgentSpec, Option
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniform
from vlnscope.types import Decision, Observation

SHARES = {"forward": 0.68, "left": 0.15, "right": 0.15}
"""How often VLN-CE's random agent does what; else it stops."""
STEPS = 37
"""Steps of the hand-crafted agent: the mean length of R2R-CE's training paths, 9.27 m, in quarter metres."""
TURNS = 25
"""How many different numbers of turns it draws from: none to a full circle of 15° each."""


class RandomActionAgent(CountingAgent):
    """Draws each action with the shares that experts have in training: mostly forward, stop in 2 %.

    Args:
        seed: of all choices.
    """

    action_space = "vlnce"

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, observation: Observation) -> Decision:
        """Do anything."""
        drawn = uniform(self._seed, "random action", episode_key(observation), self.count())
        return Decision.choose(observation, bisect_right(list(accumulate(SHARES.values())), drawn))


class StraightAgent(CountingAgent):
    """Turns right by a random multiple of 15°, walks straight on, and stops (VLN-CE's hand-crafted agent).

    Args:
        steps: how many steps it takes.
        seed: of the direction.
    """

    action_space = "vlnce"

    def __init__(self, steps: int, seed: int) -> None:
        if steps < 0:
            raise InputError(
                f"agent 'forward': steps={steps} cannot be used", expected="0 or more", fix="write steps=37"
            )
        self._steps = steps
        self._seed = seed

    def act(self, observation: Observation) -> Decision:
        """Turn, then walk, then stop."""
        turns = int(uniform(self._seed, "first heading", episode_key(observation), 0) * TURNS)
        done = self.count()
        action = "right" if done < turns else "forward"
        if done >= turns + self._steps:
            return Decision.stop(observation)
        return Decision.choose(observation, observation.actions.index(action))


RANDOM = AgentSpec(
    name="random",
    summary="draws actions as often as experts do them (VLN-CE's random agent)",
    make=RandomActionAgent,
)
FORWARD = AgentSpec(
    name="forward",
    summary="walks straight on in a random direction (VLN-CE's hand-crafted agent)",
    make=StraightAgent,
    options={"steps": Option(int, STEPS, "how many steps it takes before it stops")},
)
