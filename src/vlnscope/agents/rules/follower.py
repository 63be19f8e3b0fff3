"""An agent without learning that understands instructions: it parses them and looks for what they name.

It wraps the grounding of `vlnscope.language` and sees what is in sight of where it stands: rooms and objects
of houses and of Matterport labels, captions where there are any. It keeps a map of what it has seen.
"""

from __future__ import annotations

import numpy as np

from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.language.actions import Parse
from vlnscope.language.ground import KnownMap, Scores, ground
from vlnscope.language.parse import parse
from vlnscope.types import Decision, Observation, Percept


class FollowerAgent:
    """Follows instructions by their words.

    Args:
        memory: whether what earlier episodes of a tour showed is remembered.
    """

    needs: tuple[str, ...] = ("percept",)

    def __init__(self, memory: bool) -> None:
        self._remembers = memory
        self._map = KnownMap()
        self._walked: list[str] = []
        self._heading = 0.0
        self._parse: Parse = parse("")

    def start_tour(self, scan: str) -> None:
        """Forget the last house."""
        del scan
        self._map = KnownMap()

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Read the instruction."""
        if not self._remembers:
            self._map = KnownMap()
        self._parse = parse(instruction)
        self._walked = []
        self._heading = observation.heading

    def observe(self, observation: Observation) -> None:
        """Take in what can be seen where it is led; a place that nothing leads to begins a new map."""
        here = observation.viewpoint
        if not self._map.joins(here, observation.candidates):
            self._map = KnownMap()
        self._map.add(here, observation.candidates, self.percept(observation))
        if not self._walked or self._walked[-1] != here:
            self._walked.append(here)

    def act(self, observation: Observation) -> Decision:
        """Take the step that the instruction, as far as it is understood, asks for."""
        self.observe(observation)
        return decision_of(ground(self._parse, self._map, self._walked, self._heading), observation)

    def percept(self, observation: Observation) -> Percept:
        """Return what is seen at a step."""
        percept: Percept = observation.seen["percept"]
        return percept


def decision_of(scores: Scores, observation: Observation) -> Decision:
    """Turn scores into a decision over the candidates; what the map does not offer gets nothing."""
    index_of = {name: index for index, name in enumerate(scores.candidates)}
    shares = scores.probabilities
    chosen = [
        shares[index_of[c.viewpoint]] if c.viewpoint in index_of else 0.0 for c in observation.candidates
    ]
    mass = np.array([*chosen, shares[-1]])
    return Decision(tuple((mass / mass.sum()).tolist()))


register_agent(
    AgentSpec(
        name="follower",
        summary="understands instructions and looks for what they name; needs rooms or objects",
        make=lambda memory, seed: FollowerAgent(memory),
        options={"memory": Option(bool, True, "whether it remembers earlier episodes of a tour")},
    )
)
