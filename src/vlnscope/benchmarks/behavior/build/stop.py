"""Stopping: told so (explicit), by the end of the text (implicit), or told to go one step further instead."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.behavior.build.question import AHEAD, CaseDraft
from vlnscope.benchmarks.behavior.build.templates import Templates, draw, stop_sentences
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.types import STOP


def plain(it: Truncation) -> CaseDraft:
    """Ask the truncated instruction as it is, which means to stop: what interventions are compared with."""
    return CaseDraft(it, "stop", "implicit", None, (STOP,), variant="none")


def stop_questions(it: Truncation, templates: Templates, seed: int) -> Iterator[CaseDraft]:
    """Yield the question that says to stop and, where there is one, that which says to go a step further."""
    yield CaseDraft(it, "stop", "explicit", draw(stop_sentences(templates), seed, "stop", it.pair), (STOP,))
    if it.ahead is not None:
        following = (it.following,)
        yield CaseDraft(it, "stop", "one-ahead", None, following, following, variant=AHEAD)
