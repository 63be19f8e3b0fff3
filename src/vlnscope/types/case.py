"""Cases: an episode as a benchmark asks it, and the rules by which it is rolled out."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.types.episode import Episode

OracleRule = Literal["whole", "starts", "ivln"]
Logged = Literal["scored", "all", "none"]
MAX_STEPS = 15


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """An episode as a benchmark asks it.

    Attributes:
        case_id: unique in its benchmark.
        episode: the episode, with the instruction as this case words it.
        forced_steps: how many steps of the reference the agent is walked before it decides.
        correct: viewpoints that are right at the scored step (`STOP` for stopping); empty if the
            benchmark has another success rule.
        groups: keys to group by: skill, category, subset, variant, pair, scene, path.
    """

    case_id: str
    episode: Episode
    forced_steps: int = 0
    correct: tuple[str, ...] = ()
    groups: dict[str, str] = msgspec.field(default_factory=dict)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """How cases are rolled out.

    Attributes:
        max_steps: how many steps an agent may take, forced ones included; one decision is always asked for.
        sample: draw from the agent's distribution instead of taking its most probable action.
        log: which decisions are kept: those at scored steps (the first after a forced prefix, and the
            first of a case that says what is correct), all, or none. Where decisions are moves of a body,
            the viewpoint that it walked to counts as the decision at a scored step, and no other is kept.
        seed: of the drawing.
        oracle: how agents are led from episode to episode in tours.
    """

    max_steps: int = MAX_STEPS
    sample: bool = False
    log: Logged = "scored"
    seed: int = 0
    oracle: OracleRule = "whole"

    def __post_init__(self) -> None:
        for value, known in ((self.log, get_args(Logged)), (self.oracle, get_args(OracleRule))):
            if value not in known:
                known_names = ", ".join(known)
                raise InputError(
                    f"{value!r} is none of {known_names}", expected="one of these", fix=f"write {known[0]}"
                )
        if self.max_steps < 1:
            raise InputError(
                "an agent needs a step", expected="max_steps of 1 or more", fix="write max_steps=15"
            )
