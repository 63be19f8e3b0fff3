"""A question: an intervention at the end of a truncated episode, with its right answers; and its case."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.behavior.build.templates import Sentence
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.types import Case

AHEAD = "T-3"
"""The variant whose text goes one step further than the path."""


class CaseDraft(NamedTuple):
    """What is asked at the end of a truncated episode.

    Attributes:
        truncation: where.
        skill: stop, direction, object, room or room-k.
        sub: which stop, direction, object or kind of room.
        sentence: what is appended to the instruction; None if nothing is.
        correct: the right viewpoints; none where another rule decides.
        way: viewpoints that an obedient agent goes to, which continue the path of the case.
        variant: ``intervention``, ``none`` (the plain truncated instruction) or ``T-3`` (one step ahead).
        more: further groups of the case.
    """

    truncation: Truncation
    skill: str
    sub: str
    sentence: Sentence | None
    correct: tuple[str, ...]
    way: tuple[str, ...] = ()
    variant: str = "intervention"
    more: tuple[tuple[str, str], ...] = ()

    @property
    def instruction(self) -> str:
        """The text that the agent is given."""
        it = self.truncation
        text = it.ahead if it.ahead and self.variant == AHEAD else it.text
        return f"{text} {self.sentence.text}" if self.sentence else text

    @property
    def stratum(self) -> str:
        """What is sampled together: the skill, a direction each, a number of hops each."""
        return {"direction": self.sub, "room-k": f"room-{dict(self.more).get('hops')}"}.get(
            self.skill, self.skill
        )

    @property
    def unit(self) -> str:
        """What is drawn as a whole: all about stopping on a truncated path, and any other question alone."""
        return self.truncation.pair if self.skill == "stop" else self.case_id

    @property
    def case_id(self) -> str:
        """Skill, sub-skill and truncated episode, readable: ``direction.back-left.4332_1_3``."""
        skill = self.stratum if self.skill == "room-k" else self.skill
        return f"{skill}.{self.sub.replace(' ', '-')}.{self.truncation.pair}"


def case_of(question: CaseDraft, groups: dict[str, str]) -> Case:
    """Return the case of a question.

    Its episode is the truncated one, followed by the way of an obedient agent, so that an oracle that
    follows the reference obeys.

    Args:
        question: what is asked.
        groups: groups that do not depend on the question.
    """
    it = question.truncation
    episode = msgspec.structs.replace(
        it.episode,
        instruction=question.instruction,
        path=(*it.path, *question.way),
        distance=None,
        words=(),
        chunks=(),
    )
    own = {"skill": question.skill, "sub": question.sub, "variant": question.variant, "pair": it.pair}
    own |= {"template": question.sentence.template if question.sentence else "none"}
    own |= {"path_length": str(it.nodes), "source": it.source}
    return Case(
        case_id=question.case_id,
        episode=episode,
        forced_steps=it.nodes - 1,
        correct=question.correct,
        groups=own | groups | dict(question.more),
    )
