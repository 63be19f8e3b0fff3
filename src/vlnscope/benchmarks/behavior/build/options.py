"""The options of the builder: one switch per place where the paper and its code disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import msgspec

from vlnscope.benchmarks.behavior.build.direction import Facing, Filters
from vlnscope.benchmarks.behavior.build.objects import REACH
from vlnscope.benchmarks.behavior.build.rooms import HOPS, HopRule
from vlnscope.benchmarks.behavior.build.templates import Templates
from vlnscope.benchmarks.behavior.build.truncation import Ahead, Truncations
from vlnscope.benchmarks.behavior.build.turns import Turns
from vlnscope.core.exceptions import InputError, UnknownNameError

Items = Literal["clear", "released"]
SKILLS = ("stop", "direction", "object", "room")
"""The skills of the paper's Table 1."""
ALL_SKILLS = (*SKILLS, "room-k")
FARTHEST = 20


class BehaviorOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How cases are built; see `vlnscope.benchmarks.behavior.build.cases.build_cases`."""

    skills: tuple[str, ...] = SKILLS
    truncations: Truncations = "all"
    language: str = "en-US"
    filters: Filters = "paper"
    facing: Facing = "view"
    templates: Templates = "paper"
    turns: Turns = "left-out"
    ahead: Ahead = "strict"
    items: Items = "clear"
    one_hop_stop: bool = False
    neighbours: int = 3
    reach: float = REACH
    hops: tuple[int, ...] = HOPS
    hop_rule: HopRule = "within"
    most: int | None = None
    traces: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        kinds = (Truncations, Filters, Facing, Templates, HopRule, Turns, Ahead, Items)
        names = ("truncations", "filters", "facing", "templates", "hop_rule", "turns", "ahead", "items")
        for name, kind in zip(names, kinds, strict=True):
            if getattr(self, name) not in get_args(kind):
                raise InputError(
                    f"{name}={getattr(self, name)!r} is unknown",
                    expected=" or ".join(get_args(kind)),
                    fix=f"set {name} to one of these, or leave it out for the default",
                )
        for skill in self.skills:
            if skill not in ALL_SKILLS:
                raise UnknownNameError("skill", skill, ALL_SKILLS)
        self._check_numbers()

    def _check_numbers(self) -> None:
        for ok, what, expected in (
            (bool(self.skills), "no skill is named", f"one or more of {', '.join(ALL_SKILLS)}"),
            (bool(self.hops), "no number of hops is named", "one or more, such as 1 2 3"),
            (all(1 <= k <= FARTHEST for k in self.hops), f"hops are {self.hops}", f"1 to {FARTHEST} hops"),
            (self.neighbours >= 1, f"neighbours is {self.neighbours}", "1 or more"),
            (self.reach > 0, f"reach is {self.reach}", "metres, more than 0"),
            (self.most is None or self.most >= 1, f"most is {self.most}", "1 or more, or none for all"),
        ):
            if not ok:
                raise InputError(what, expected=expected, fix=f"write {expected}, or leave the option out")

    @property
    def clear(self) -> bool:
        """Whether items that a reader may misunderstand are left out."""
        return self.items == "clear"

    @property
    def trace_folder(self) -> Path | None:
        """Where the guides' pose traces are."""
        return None if self.traces is None else Path(self.traces)
