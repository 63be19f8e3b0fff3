"""What an agent decided at the scored step of a case, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from vlnscope.episodes.formats.evidence import DecisionRecord, EvidenceLine
from vlnscope.types import STOP, Case


class ScoredStep(NamedTuple):
    """A distribution over the places that can be reached in one step, and stopping.

    Attributes:
        viewpoint: where the agent stands.
        candidates: where it can go.
        masses: the probability of each.
        stop: the probability of stopping.
    """

    viewpoint: str
    candidates: tuple[str, ...]
    masses: tuple[float, ...]
    stop: float

    def mass(self, correct: Iterable[str]) -> float:
        """Return the probability of doing one of the right things (Eq. 1 of the paper).

        Example:
            >>> ScoredStep("a", ("b", "c"), (0.25, 0.25), 0.5).mass([STOP, "c"])
            0.75
        """
        right = set(correct)
        moves = sum(m for name, m in zip(self.candidates, self.masses, strict=True) if name in right)
        return moves + (self.stop if STOP in right else 0.0)

    def choice(self) -> str:
        """Return the most probable action; of equal ones the first, stopping last."""
        best = max((*self.masses, self.stop))
        places = zip((*self.candidates, STOP), (*self.masses, self.stop), strict=True)
        return next(name for name, mass in places if mass == best)

    def chance(self, correct: Iterable[str]) -> float:
        """Return the probability that any action, stopping included, is right if all are equally likely.

        Example:
            >>> ScoredStep("a", ("b", "c", "d"), (1.0, 0.0, 0.0), 0.0).chance(["b"])
            0.25
        """
        right = set(correct)
        return sum(name in right for name in (*self.candidates, STOP)) / (len(self.candidates) + 1)


def step_of(record: DecisionRecord) -> ScoredStep:
    """Return a logged decision as a step."""
    *masses, stop = record.probabilities
    return ScoredStep(record.viewpoint, tuple(record.candidates), tuple(masses), stop)


def scored_step(case: Case, line: EvidenceLine | None) -> ScoredStep | None:
    """Return the decision that the agent made where its forced steps ended; None if it was not logged."""
    if line is None or line.failed is not None:
        return None
    records = (record for record in line.decisions or () if record.step == case.forced_steps)
    return next(map(step_of, records), None)


class Partners:
    """Finds the cases that a case is compared with: those that start from the same truncated path.

    Args:
        cases: all cases of a set.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._by_pair: dict[str, list[Case]] = {}
        for case in cases:
            if "pair" in case.groups:
                self._by_pair.setdefault(case.groups["pair"], []).append(case)

    def plain(self, case: Case) -> Case | None:
        """Return the same case without an intervention; None if there is none, or this is it."""
        if case.groups.get("variant") == "none":
            return None
        return self._best(case, {"variant": "none"})

    def ahead(self, case: Case) -> Case | None:
        """Return the case whose instruction goes one step further; None if there is none, or this is it."""
        return None if case.groups.get("sub") == "one-ahead" else self._best(case, {"sub": "one-ahead"})

    def _best(self, case: Case, wanted: Mapping[str, str]) -> Case | None:
        """Return the case of the pair with these groups that shares most of skill, sub and hops."""
        others = self._by_pair.get(case.groups.get("pair", ""), [])
        fits = [c for c in others if all(c.groups.get(key) == value for key, value in wanted.items())]

        def shared(other: Case) -> int:
            return sum(other.groups.get(key) == case.groups.get(key) for key in ("skill", "sub", "hops"))

        return max(fits, key=shared, default=None)
