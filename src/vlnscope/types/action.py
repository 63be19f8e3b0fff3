"""Actions: what an agent decides at one step, as a distribution over what it may do."""

from __future__ import annotations

import msgspec

from vlnscope.types.observation import Observation

STOP = "<stop>"
"""Stands for stopping where a viewpoint is expected, as in `Case.correct`."""


class Decision(msgspec.Struct, frozen=True):
    """A probability for each candidate, then for stopping."""

    probabilities: tuple[float, ...]

    @classmethod
    def choose(cls, observation: Observation, index: int) -> Decision:
        """Put all mass on candidate `index`; ``len(candidates)`` or -1 means stop."""
        size = len(observation.candidates) + 1
        if not -size <= index < size:
            raise IndexError(f"candidate {index} of {size - 1}")
        hot = [0.0] * size
        hot[index] = 1.0
        return cls(tuple(hot))

    @classmethod
    def stop(cls, observation: Observation) -> Decision:
        """Put all mass on stopping."""
        return cls.choose(observation, -1)
