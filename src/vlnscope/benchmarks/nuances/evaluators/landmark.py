"""Landmark recognition: does the agent walk towards an object, or past it?

Only the annotated start and the last viewpoint count. Officially distances are measured on the floor plan and
"past" needs an end less than 3 m from the object's middle; the paper speaks of the coordinates of the middle,
so distances are those in space, and of "within three meters", so 3 m count.

Released files name one object (`obj_center`). Where the words mean any of several (“one of the chairs”),
files that were built here name them all (`obj_centers`), and any of them is right; the official rules
know nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    RADIUS,
    Judgement,
    Wording,
    annotation,
    judge_ends,
    keyword,
)
from vlnscope.types import Episode, Floats
from vlnscope.worlds.graph.navgraph import NavGraph

WAYS = {"walk towards": "towards", "walk past": "past"}
_ON_SEGMENT = 1e-7
"""How much longer the way over a point of the segment may be than the segment, in metres."""


class Landmark(msgspec.Struct):
    """The annotation: the middle of the object, and, where any of several is meant, of them all."""

    obj_center: tuple[float, float, float]
    obj_centers: tuple[tuple[float, float, float], ...] = ()


def subset(episode: Episode) -> str:
    """Return what is asked for: towards or past."""
    return keyword(episode, episode.instruction, WAYS)


def judge(episode: Episode, path: Sequence[str], graph: NavGraph, wording: Wording = "official") -> Judgement:
    """Judge where the agent ends."""
    return judge_ends(path, lambda end: is_right_end(episode, end, graph, wording))


def is_right_end(episode: Episode, end: str, graph: NavGraph, wording: Wording = "official") -> bool:
    """Tell whether an agent that ends here did what was asked."""
    size = 3 if wording == "paper" else 2
    a, b = (graph.positions[graph.row(node)][:size] for node in (episode.path[0], end))
    given = annotation(episode, Landmark)
    meant = given.obj_centers if given.obj_centers and wording != "official" else (given.obj_center,)
    towards = subset(episode) == "towards"
    return any(_is_right(np.asarray(middle[:size]), a, b, towards, wording) for middle in meant)


def _is_right(middle: Floats, a: Floats, b: Floats, towards: bool, wording: Wording) -> bool:
    """Tell whether going from a to b is going towards or past one object."""
    to_end = float(np.linalg.norm(middle - b))
    if towards:
        return to_end < float(np.linalg.norm(middle - a))
    near = to_end <= RADIUS if wording == "paper" else to_end < RADIUS
    return near and _projects(middle, a, b)


def _projects(point: Floats, a: Floats, b: Floats) -> bool:
    """Tell whether the foot of a point lies on the segment from a to b; a segment of no length has none."""
    along = b - a
    length = float(np.linalg.norm(along))
    if length == 0:
        return False
    foot = a + along * float((point - a) @ along) / length**2
    detour = float(np.linalg.norm(foot - a) + np.linalg.norm(foot - b)) - length
    return detour < _ON_SEGMENT
