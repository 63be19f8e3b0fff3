"""Decisions: what an agent wants to do at one step, as a distribution over the actions of its space."""

from __future__ import annotations

import msgspec

from vlnscope.types.observation import Action, Observation


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A probability for each action that the observation offers, stopping last.

    Attributes:
        probabilities: in the order of ``observation.actions``.
        proposals: in action spaces in which agents think of actions themselves (such as an angle and a
            distance), what the probabilities are about instead; a free choice is a list of one.
        route: on graphs, the viewpoints that the agent walks through to a place farther off, all as one
            decision; `STOP` at its end if it stops there. The probabilities then say what that means for the
            next step. Where actions are drawn or forced, no route is followed.
    """

    probabilities: tuple[float, ...]
    proposals: tuple[Action, ...] = ()
    route: tuple[str, ...] = ()

    @classmethod
    def choose(cls, observation: Observation, index: int) -> Decision:
        """Put all mass on action `index`; -1 means stop."""
        size = len(observation.actions)
        if not -size <= index < size:
            raise IndexError(f"action {index} of {size}")
        hot = [0.0] * size
        hot[index] = 1.0
        return cls(tuple(hot))

    @classmethod
    def stop(cls, observation: Observation) -> Decision:
        """Put all mass on stopping."""
        return cls.choose(observation, -1)
