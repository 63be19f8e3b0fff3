"""The agent that stops where it stands: what every benchmark gives for doing nothing."""

from __future__ import annotations

from vlnscope.agents.spec import AgentSpec, register_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.types import Decision, Ints, Observation


class StopAgent:
    """Stops at once."""

    def act(self, observation: Observation) -> Decision:
        """Stop."""
        return Decision.stop(observation)

    def act_many(self, states: ManyStates) -> Ints:
        """Stop, all of them."""
        return states.counts


register_agent(AgentSpec(name="stop", summary="stops where it stands", make=lambda seed: StopAgent()))
