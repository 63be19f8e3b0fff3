"""Region recognition: does the agent go into a room of the named kind, or leave the one it is in?

Regions are baked into the annotation as lists of viewpoints, so the paper's words and the code agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    Judgement,
    Wording,
    annotation,
    judge_ends,
    keyword,
)
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph

WAYS = {"go into": "into", "exit": "exit"}


class RoomAnnotation(msgspec.Struct):
    """The annotation: where one may end, and the viewpoints of the room that one starts in."""

    valid_ends: list[str] = []
    region_starts: list[str] = []


def subset(episode: Episode) -> str:
    """Return what is asked for: into or exit."""
    return keyword(episode, episode.instruction, WAYS)


def judge(episode: Episode, path: Sequence[str], graph: NavGraph, wording: Wording = "official") -> Judgement:
    """Judge where the agent ends."""
    return judge_ends(path, lambda end: is_right_end(episode, end, graph, wording))


def is_right_end(episode: Episode, end: str, graph: NavGraph, wording: Wording = "official") -> bool:
    """Tell whether an agent that ends here did what was asked; neither graph nor wording matters."""
    rooms = annotation(episode, RoomAnnotation)
    if subset(episode) == "into":
        return end in rooms.valid_ends
    return end not in rooms.region_starts
