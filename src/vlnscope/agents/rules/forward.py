"""The forward-bias agent of vln-behave, with the mistakes of its code corrected."""

from __future__ import annotations

import math

import numpy as np

from vlnscope.agents.continuous.handcrafted import FORWARD
from vlnscope.agents.counting import CountingAgent
from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.core.exceptions import InputError
from vlnscope.types import Decision, Floats, Ints, Observation

_SOFTNESS = 0.1  # radians, as in the released code: no way, however straight, gets everything
_RESOLUTION = 2.0**-30  # so that what is equal but for rounding is equal


class ForwardAgent(CountingAgent):
    """Puts probability on each way in inverse proportion to how far it would have to turn.

    A way that is r radians to the left or right gets a share of 1 / (0.1 + r). It does not stop before it
    has made a number of moves.

    Args:
        moves: after how many moves of its own it stops; 0 for never.
    """

    def __init__(self, moves: int) -> None:
        if moves < 0:
            raise InputError(
                f"agent 'forward': moves={moves} cannot be used",
                expected="0 (never stop) or more",
                fix="for example moves=5",
            )
        self._moves = moves

    def act(self, observation: Observation) -> Decision:
        """Prefer what lies ahead."""
        if self._is_over(self.count()) or not observation.candidates:
            return Decision.stop(observation)
        shares = _shares(np.array([c.heading for c in observation.candidates]), observation.heading)
        return Decision((*(shares / shares.sum()).tolist(), 0.0))

    def act_many(self, states: ManyStates) -> Ints:
        """Take the way that `act` finds most probable; of equal ones the first."""
        counts, first = states.counts, states.first
        if self._is_over(states.step):
            return counts
        shares = np.full((len(counts), int(counts.max(initial=0)) + 1), -1.0)
        for k in range(shares.shape[1] - 1):
            has = counts > k
            shares[has, k] = _shares(states.table.heading[first[has] + k], states.headings[has])
        return np.where(counts > 0, shares.argmax(axis=1), 0)

    def _is_over(self, step: int) -> bool:
        return 0 < self._moves <= step


def _shares(headings: Floats, looks: float | Floats) -> Floats:
    turn = np.abs((headings - looks + math.pi) % math.tau - math.pi)
    shares: Floats = 1.0 / (_SOFTNESS + np.rint(turn / _RESOLUTION) * _RESOLUTION)
    return shares


register_agent(
    AgentSpec(
        name="forward",
        summary="prefers what lies straight ahead (the forward-bias agent of vln-behave)",
        make=lambda moves, seed: ForwardAgent(moves),
        options={"moves": Option(int, 5, "after how many moves it stops; 0 for never")},
        continuous=FORWARD,
    )
)
