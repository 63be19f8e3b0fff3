"""An oracle that errs at a known rate, to see what a benchmark makes of agents of known quality."""

from __future__ import annotations

import numpy as np

from vlnscope.agents.continuous.experts import NOISY
from vlnscope.agents.counting import CountingAgent, episode_key
from vlnscope.agents.rules.shortest import FOLLOW, ReferenceAgent, ShortestAgent, guide
from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniform, uniforms
from vlnscope.types import Decision, Ints, Observation


class NoisyReferenceAgent(CountingAgent):
    """Does the right thing, but for a share of decisions in which it does any other with equal chance.

    Stopping is a decision like any other: it may stop anywhere, and fail to stop at the goal. From wherever
    it strays it heads for the goal again. Chance depends on seed, episode and step alone, not on `p`: agents
    with a larger p err wherever those with a smaller one do, and in the same way where they stand alike.

    Args:
        oracle: knows what is right.
        p: share of wrong decisions.
        seed: of all choices.
    """

    needs = ("annotation",)

    def __init__(self, oracle: ShortestAgent | ReferenceAgent, p: float, seed: int) -> None:
        self._oracle = oracle
        self._p = p
        self._seed = seed

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Start counting decisions."""
        super().start_episode(instruction, observation)
        if isinstance(self._oracle, ReferenceAgent):
            self._oracle.start_episode(instruction, observation)

    def observe(self, observation: Observation) -> None:
        """Let the oracle keep count."""
        if isinstance(self._oracle, ReferenceAgent):
            self._oracle.observe(observation)

    def act(self, observation: Observation) -> Decision:
        """Do what is right, or something else."""
        key, step = episode_key(observation), self.count()
        choice, others = self._oracle.right(observation), len(observation.candidates)
        if others and uniform(self._seed, "noisy slip", key, step) < self._p:
            other = int(uniform(self._seed, "noisy choice", key, step) * others)
            choice = other + (other >= choice)
        return Decision.choose(observation, choice)


class NoisyAgent(NoisyReferenceAgent):
    """The same, heading for the goal; it can decide for many walks at once."""

    def __init__(self, p: float, seed: int) -> None:
        self._shortest = ShortestAgent()
        super().__init__(self._shortest, p, seed)

    def act_many(self, states: ManyStates) -> Ints:
        """Decide as `act` does."""
        choice, others = self._shortest.act_many(states), states.counts
        slips = uniforms(self._seed, "noisy slip", states.keys, states.step) < self._p
        other = (uniforms(self._seed, "noisy choice", states.keys, states.step) * others).astype(np.int64)
        return np.where(slips & (others > 0), other + (other >= choice), choice)


def make(p: float, follow: str, seed: int) -> NoisyReferenceAgent:
    """Make the oracle that errs with probability `p`."""
    if not 0 <= p <= 1:
        raise InputError(
            f"agent 'noisy': p={p} is no probability",
            expected="a number from 0 to 1",
            fix="for example p=0.3",
        )
    return NoisyAgent(p, seed) if follow == "goal" else NoisyReferenceAgent(guide(follow), p, seed)


register_agent(
    AgentSpec(
        name="noisy",
        summary="oracle that errs with probability p at each decision, stopping included",
        make=make,
        options={"p": Option(float, 0.1, "share of decisions that are wrong"), "follow": FOLLOW},
        continuous=NOISY,
    )
)
