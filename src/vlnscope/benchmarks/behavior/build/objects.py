"""Objects: which can be walked towards from the end of a truncated episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.benchmarks.behavior.build.object_names import ObjectNames
from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.room_kinds import named_places
from vlnscope.benchmarks.behavior.build.templates import towards
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.language.lexicon.matching import name_match, object_entry
from vlnscope.types import SeenObject
from vlnscope.worlds.scene import Scene

WITHIN = 15.0
"""Degrees between an object and a neighbour that lies towards it; at this many it no longer does."""
CLEAR = 30.0
"""Degrees from the object within which, where it is to be clear which way is meant, no other way lies."""
REACH = 3.0
"""Metres to the farthest object; those of REVERIE are nearer by construction and have no distance."""


class NamedObject(NamedTuple):
    """An object by the name it is called.

    Attributes:
        name: what it is called.
        seen: the first of those that are called so.
        headings: where those lie that will do.
        beyond: where others lie that are called so, in sight but out of reach.
    """

    name: str
    seen: SeenObject
    headings: tuple[float, ...]
    beyond: tuple[float, ...] = ()


def lie_towards(headings: Sequence[float], target: float, within: float = WITHIN) -> list[bool]:
    """Say of each absolute heading whether it is less than so many degrees away from another.

    Example:
        >>> from math import radians
        >>> lie_towards([radians(350), radians(20), radians(16)], 0.0)
        [True, False, False]
    """
    return [abs(turn_degrees(heading - target)) < within for heading in headings]


def object_questions(
    it: Truncation,
    scene: Scene,
    names: ObjectNames,
    counts: FilterCounts,
    *,
    neighbours: int,
    reach: float,
    clear: bool,
) -> Iterator[CaseDraft]:
    """Yield a question for each object that can be asked for.

    Args:
        it: the truncated episode.
        scene: with objects.
        names: how they are called.
        counts: counts what is left out.
        neighbours: how many a viewpoint must have (DIFF-19).
        reach: metres to the farthest object.
        clear: any object of a name will do, no other neighbour may lie nearly that way, and the text does not
            name such an object already; else the first of a name is meant, as released.
    """
    around = scene.candidates(it.end)
    headings = [candidate.heading for candidate in around]
    for name, seen, targets, beyond in _askable(it, scene, names, counts, reach, clear):
        near = _near_any(headings, targets, WITHIN)
        there = tuple(c.viewpoint for c, ok in zip(around, near, strict=True) if ok)
        if not counts.passes(f"object: a neighbour less than {WITHIN:g}° from it", bool(there)):
            continue
        if not counts.passes(f"object: {neighbours} neighbours or more", len(around) >= neighbours):
            continue
        if not clear or counts.passes(
            f"object: no other neighbour less than {CLEAR:g}° from it, and none of them without one",
            _one_way(headings, (*targets, *beyond), near),
        ):
            more = (("object_heading", f"{seen.heading:.6f}"),)
            yield CaseDraft(it, "object", name, towards(name), there, there[:1], more=more)


def _one_way(headings: Sequence[float], targets: Sequence[float], near: Sequence[bool]) -> bool:
    """Say whether each object lies on the way to a neighbour that is right, and on the way to no other."""
    each = [lie_towards(headings, target, CLEAR) for target in targets]
    return all(any(ways) and all(ok for ok, way in zip(near, ways, strict=True) if way) for ways in each)


def _near_any(headings: Sequence[float], targets: Sequence[float], within: float) -> list[bool]:
    each = [lie_towards(headings, target, within) for target in targets]
    return [any(ways) for ways in zip(*each, strict=True)]


def _askable(
    it: Truncation, scene: Scene, names: ObjectNames, counts: FilterCounts, reach: float, clear: bool
) -> Iterator[NamedObject]:
    """Yield the objects that may be asked for, the first of each name."""
    where = f"{it.episode.scan}, viewpoint {it.end} of {it.pair}"
    by_name: dict[str, list[SeenObject]] = {}
    beyond: list[tuple[str, float]] = []
    for seen in scene.objects.at(it.end):
        asked = names.is_asked(names.spoken(seen.name, where))
        if not counts.passes("object: not a part of the building", asked):
            continue
        name = names.said(seen.name, where) if clear else names.spoken(seen.name, where)
        if not counts.passes(f"object: within {reach:g} m", seen.distance is None or seen.distance <= reach):
            beyond.append((str(name), seen.heading))
            continue
        if clear and not counts.passes("object: a name that says what to look for", name is not None):
            continue
        if counts.passes("object: the first of its name", name not in by_name):
            by_name[str(name)] = []
        by_name[str(name)].append(seen)
    yield from (
        _clear_names(it, by_name, beyond, counts)
        if clear
        else (NamedObject(name, its[0], (its[0].heading,)) for name, its in by_name.items())
    )


def _clear_names(
    it: Truncation,
    by_name: Mapping[str, Sequence[SeenObject]],
    beyond: Sequence[tuple[str, float]],
    counts: FilterCounts,
) -> Iterator[NamedObject]:
    """Yield the objects whose name leaves no doubt which are meant."""
    for name, its in by_name.items():
        if not counts.passes("object: not named in the text", not names_object(it.text, name)):
            continue
        matches = {other: _match(name, other) for other in (*by_name, *(other for other, _ in beyond))}
        if counts.passes("object: no other that may be meant", set(matches.values()) <= {0.0, 1.0}):
            alike = (o for other, them in by_name.items() if matches[other] for o in them)
            far = (heading for other, heading in beyond if matches[other])
            yield NamedObject(name, its[0], tuple(o.heading for o in alike), tuple(far))


def _match(asked: str, name: str) -> float:
    """Return how well an object called `name` answers to `asked`: a chair may be an armchair."""
    return 1.0 if asked == name else name_match(object_entry(asked) or asked, object_entry(name) or name)


def names_object(text: str, name: str) -> bool:
    """Say whether a text names an object that may be meant by a name, or the other way round.

    Example:
        >>> names_object("Walk past the armchair.", "chair"), names_object("Walk past the bed.", "chair")
        (True, False)
    """
    entry = object_entry(name) or name
    return any(place.what == "object" and name_match(place.name, entry) > 0 for place in named_places(text))
