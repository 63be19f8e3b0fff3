"""Agents with one known defect each, to see whether a diagnosis finds it.

They are plug-in agents, ``planted_agents:IgnoresLeft`` or ``planted_agents:StopsAfter:base=noisy,steps=2``,
and wrap an agent that lacks the defect.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from vlnscope.agents.protocol import needs_of
from vlnscope.agents.spec import make_agent
from vlnscope.core.rng import rng_for
from vlnscope.language.lexicon import LexiconEntry, lexicon
from vlnscope.types import Decision, Observation


class Planted:
    """Passes everything on to another agent; what is told and what is decided can be changed on the way."""

    def __init__(self, base: str = "follower", seed: int = 0) -> None:
        self.base = make_agent(base, seed=seed).agent
        self.needs = needs_of(self.base)

    def told(self, instruction: str) -> str:
        return instruction

    def decided(self, observation: Observation, decision: Decision) -> Decision:
        del observation
        return decision

    def start_tour(self, scan: str) -> None:
        self._pass("start_tour", scan)

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self._pass("start_episode", self.told(instruction), self._seen(observation))

    def observe(self, observation: Observation) -> None:
        self._pass("observe", self._seen(observation))

    def act(self, observation: Observation) -> Decision:
        return self.decided(observation, self.base.act(self._seen(observation)))

    def end_episode(self) -> None:
        self._pass("end_episode")

    def end_tour(self) -> None:
        self._pass("end_tour")

    def _seen(self, observation: Observation) -> Observation:
        return msgspec.structs.replace(observation, instruction=self.told(observation.instruction))

    def _pass(self, name: str, *arguments: object) -> None:
        if hasattr(self.base, name):
            getattr(self.base, name)(*arguments)


class Deaf(Planted):
    """Does not hear some words, or in a share of its episodes only; `instead` is what it hears."""

    instead = ""

    def __init__(self, base: str = "follower", share: float = 1.0, seed: int = 0) -> None:
        super().__init__(base, seed)
        self.share, self.seed = share, seed

    def words(self) -> Iterable[str]:
        raise NotImplementedError

    def told(self, instruction: str) -> str:
        if rng_for(self.seed, "deaf", instruction).random() >= self.share:
            return instruction
        return _without(tuple(self.words())).sub(self.instead, instruction)


class IgnoresLeft(Deaf):
    def words(self) -> Iterable[str]:
        return _sides("left")


class IgnoresRight(Deaf):
    def words(self) -> Iterable[str]:
        return _sides("right")


class TakesLeftForRight(Deaf):
    instead = "right"

    def words(self) -> Iterable[str]:
        return ("left",)


class IgnoresStairs(Deaf):
    def words(self) -> Iterable[str]:
        return ("upstairs", "downstairs", "up", "down", "ascend", "descend", "climb")


class IgnoresRooms(Deaf):
    def words(self) -> Iterable[str]:
        return _spellings(lexicon().rooms)


class BlursRooms(IgnoresRooms):
    instead = "room"


class IgnoresThings(Deaf):
    def words(self) -> Iterable[str]:
        return _spellings(lexicon().objects)


class BlursThings(IgnoresThings):
    instead = "thing"


class IgnoresCounts(Deaf):
    def words(self) -> Iterable[str]:
        return (*_spellings(lexicon().ordinals), *_spellings(lexicon().numbers))


class ReadsNothing(Planted):
    def told(self, instruction: str) -> str:
        return ""


class AvoidsLeft(Planted):
    """Never takes a way that lies to its left."""

    def decided(self, observation: Observation, decision: Decision) -> Decision:
        turns = [
            math.remainder(way.heading - observation.heading, 2 * math.pi) for way in observation.candidates
        ]
        kept = [
            0.0 if -2.88 < turn < -0.26 else share
            for turn, share in zip(turns, decision.probabilities[:-1], strict=True)
        ]
        return _shares([*kept, decision.probabilities[-1]])


class NeverStops(Planted):
    def decided(self, observation: Observation, decision: Decision) -> Decision:
        if not observation.candidates:
            return decision
        return _shares([*decision.probabilities[:-1], 0.0])


class StopsAfter(Planted):
    """Stops after so many steps, wherever it is."""

    def __init__(self, base: str = "follower", steps: int = 1, seed: int = 0) -> None:
        super().__init__(base, seed)
        self.steps = steps

    def decided(self, observation: Observation, decision: Decision) -> Decision:
        return Decision.stop(observation) if observation.step >= self.steps else decision


class StopsEarly(StopsAfter):
    """Stops so many steps before the end of the described path, if it gets there."""

    def __init__(self, base: str = "follower", steps: int = 1, seed: int = 0) -> None:
        super().__init__(base, steps, seed)
        self.needs = tuple(dict.fromkeys((*self.needs, "annotation")))

    def decided(self, observation: Observation, decision: Decision) -> Decision:
        path = observation.seen["annotation"].episode.path
        last = path[-1 - self.steps :] if len(path) > self.steps else path
        return Decision.stop(observation) if observation.viewpoint in last else decision


class Hasty(Planted):
    """Stops as soon as stopping has some share."""

    def __init__(self, base: str = "follower", share: float = 0.05, seed: int = 0) -> None:
        super().__init__(base, seed)
        self.share = share

    def decided(self, observation: Observation, decision: Decision) -> Decision:
        return Decision.stop(observation) if decision.probabilities[-1] > self.share else decision


class Forgets(Planted):
    """Begins every episode as if it had just come into the house."""

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self._pass("end_tour")
        self._pass("start_tour", observation.scan)
        super().start_episode(instruction, observation)


@cache
def _without(words: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(r"\b(?:" + "|".join(re.escape(word) for word in longest) + r")\b", re.IGNORECASE)


def _sides(side: str) -> tuple[str, ...]:
    return (f"on the {side}", f"on your {side}", f"to the {side}", f"to your {side}", f"a {side}", side)


def _spellings(entries: Mapping[str, LexiconEntry]) -> list[str]:
    return [form for entry in entries.values() for form, _, _ in entry.spellings()]


def _shares(masses: list[float]) -> Decision:
    total = sum(masses)
    if total <= 0.0:
        masses = [1.0] * (len(masses) - 1) + [0.0] if len(masses) > 1 else [1.0]
        total = sum(masses)
    return Decision(tuple(mass / total for mass in masses))
