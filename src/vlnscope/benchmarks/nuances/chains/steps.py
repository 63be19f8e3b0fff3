"""The steps of a chain, as a case carries them."""

from __future__ import annotations

from typing import Any

import msgspec

from vlnscope.benchmarks.nuances.evaluators.evaluator import Category
from vlnscope.core.exceptions import InputError
from vlnscope.types import Episode

FIELD, CHANCE = "chain", "chance"
"""Where an episode carries its steps and how often random moves do them, among its extra fields."""


class ChainStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a chain: an atomic instruction, and where the walker may go on from.

    Attributes:
        category: which of the five tests of NavNuances.
        subset: which part of it, such as ``left``.
        text: the instruction by the template of the paper, with the keyword that its evaluator looks for.
        path: the reference of this step.
        fields: what the evaluator of the category reads beside path and text.
        handover: viewpoints in which the step is carried out and the next one means the same as at the end of
            the reference; empty for the last step, after which the agent has to stop.
    """

    category: Category
    subset: str
    text: str
    path: tuple[str, ...]
    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    handover: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Which steps it is compared with, such as ``RR into``."""
        return f"{self.category} {'counted' if self.category == 'NU' else self.subset}"

    def asked_from(self, start: str, scan: str) -> Episode:
        """Return the step as an episode of NavNuances that starts at a viewpoint."""
        path_id = self.fields.get("path_id", "step")
        return Episode(
            episode_id="step",
            path_id=path_id,
            scan=scan,
            instruction=self.text,
            path=(start, *self.path[1:]),
            extra=self.fields,
        )


def steps_of(episode: Episode) -> tuple[ChainStep, ...]:
    """Return the steps of an episode.

    Raises:
        InputError: the episode has none, or they cannot be read.
    """
    try:
        steps = msgspec.convert(episode.extra.get(FIELD, ()), tuple[ChainStep, ...])
    except msgspec.ValidationError as error:
        raise _bad(episode, str(error)) from None
    if not steps:
        raise _bad(episode, "has no steps")
    return steps


def _bad(episode: Episode, what: str) -> InputError:
    return InputError(
        f"episode {episode.episode_id}: {what}",
        expected=f"the steps of a chain in {FIELD!r}",
        fix="build the cases again with `vlnscope build chains`",
    )
