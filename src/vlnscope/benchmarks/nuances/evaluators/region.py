"""Region recognition: does the agent go into a room of the named kind, or leave the one it is in?

Regions are baked into the annotation as lists of viewpoints, so the paper's words and the code agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    Judgement,
    annotation,
    flag,
    keyword,
    without_repeats,
)
from vlnscope.types import Episode

WAYS = {"go into": "into", "exit": "exit"}


class RoomAnnotation(msgspec.Struct):
    """The annotation: where one may end, and the viewpoints of the room that one starts in."""

    valid_ends: list[str] = []
    region_starts: list[str] = []


def subset(episode: Episode) -> str:
    """Return what is asked for: into or exit."""
    return keyword(episode, episode.instruction, WAYS)


def judge(episode: Episode, path: Sequence[str]) -> Judgement:
    """Judge where the agent ends; oracle success asks whether any viewpoint was a good end."""
    right = [is_right_end(episode, node) for node in without_repeats(path)]
    return Judgement({"SR": flag(right[-1]), "OSR": flag(any(right))})


def is_right_end(episode: Episode, end: str) -> bool:
    """Tell whether an agent that ends here did what was asked."""
    rooms = annotation(episode, RoomAnnotation)
    if subset(episode) == "into":
        return end in rooms.valid_ends
    return end not in rooms.region_starts
