"""Objects: which can be walked towards from the end of a truncated episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.benchmarks.behavior.build.object_names import ObjectNames
from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.templates import towards
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.types import SeenObject
from vlnscope.worlds.scene import Scene

WITHIN = 15.0
"""Degrees between an object and a neighbour that lies towards it; at this many it no longer does."""
REACH = 3.0
"""Metres to the farthest object; those of REVERIE are nearer by construction and have no distance."""


class NamedObject(NamedTuple):
    """An object by the name it is called."""

    name: str
    seen: SeenObject


def lie_towards(headings: Sequence[float], target: float, within: float = WITHIN) -> list[bool]:
    """Say of each absolute heading whether it is less than so many degrees away from another.

    Example:
        >>> from math import radians
        >>> lie_towards([radians(350), radians(20), radians(16)], 0.0)
        [True, False, False]
    """
    return [abs(turn_degrees(heading - target)) < within for heading in headings]


def object_questions(
    it: Truncation, scene: Scene, names: ObjectNames, counts: FilterCounts, *, neighbours: int, reach: float
) -> Iterator[CaseDraft]:
    """Yield a question for each object that can be asked for.

    Args:
        it: the truncated episode.
        scene: with objects.
        names: how they are called.
        counts: counts what is left out.
        neighbours: how many a viewpoint must have (DIFF-19).
        reach: metres to the farthest object.
    """
    around = scene.candidates(it.end)
    headings = [candidate.heading for candidate in around]
    for name, seen in _askable(it, scene, names, counts, reach):
        near = lie_towards(headings, seen.heading)
        there = tuple(c.viewpoint for c, ok in zip(around, near, strict=True) if ok)
        if not counts.passes(f"object: a neighbour less than {WITHIN:g}° from it", bool(there)):
            continue
        if counts.passes(f"object: {neighbours} neighbours or more", len(around) >= neighbours):
            more = (("object_heading", f"{seen.heading:.6f}"),)
            yield CaseDraft(it, "object", name, towards(name), there, there[:1], more=more)


def _askable(
    it: Truncation, scene: Scene, names: ObjectNames, counts: FilterCounts, reach: float
) -> Iterator[NamedObject]:
    taken: set[str] = set()
    for seen in scene.objects.at(it.end):
        name = names.spoken(seen.name, f"{it.episode.scan}, viewpoint {it.end} of {it.pair}")
        if not counts.passes("object: not a part of the building", names.is_asked(name)):
            continue
        if not counts.passes(f"object: within {reach:g} m", seen.distance is None or seen.distance <= reach):
            continue
        if counts.passes("object: the first of its name", name not in taken):
            taken.add(name)
            yield NamedObject(name, seen)
