"""What is likely to be confused: rooms that adjoin, objects that share a room, counted and not invented.

The counts lie in ``data/room_adjacency.json`` and ``data/object_colocation.json``, with where they come from
(``tools/measure_priors.py``). The paper took such sets from ConceptNet and by hand, and did not publish them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from vlnscope.benchmarks.errors.build.words import DATA, object_classes, room_classes, same_thing

Source = Literal["real", "houses"]
SOURCES: tuple[Source, ...] = ("real", "houses")
_OF_OBJECTS: Mapping[Source, tuple[str, ...]] = {"real": ("reverie", "mp3d_house"), "houses": ("houses",)}


class Counts(msgspec.Struct, frozen=True):
    """How often names were found together.

    Attributes:
        groups: how many places were looked at.
        names: in how many of them each name was found.
        pairs: in how many of them both names of a pair ``a|b`` (in alphabetical order) were found.
    """

    groups: int
    names: dict[str, int]
    pairs: dict[str, int]


class PriorFile(msgspec.Struct, frozen=True):
    """A file of counts, by source."""

    about: str
    sources: dict[str, Counts]


@cache
def prior_file(name: str) -> PriorFile:
    """Return ``room_adjacency`` or ``object_colocation`` as it is on disk."""
    return msgspec.json.decode((DATA / f"{name}.json").read_bytes(), type=PriorFile)


@cache
def neighbours(what: Literal["room", "object"], name: str, source: Source) -> Mapping[str, int]:
    """Return the classes that a class is likely to be confused with, and how often they were found together.

    Classes that could mean the same (`same_thing`) are left out.

    Example:
        >>> list(neighbours("room", "bedroom", "real"))[:2]
        ['hallway', 'bathroom']
    """
    counts: dict[str, int] = {}
    for pairs in _pairs(what, source):
        for pair, count in pairs.items():
            a, b = pair.split("|")
            if name in (a, b):
                other = b if name == a else a
                counts[other] = counts.get(other, 0) + count
    kept = {other: n for other, n in counts.items() if not same_thing(name, other)}
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))


def others(what: Literal["room", "object"], name: str) -> Mapping[str, int]:
    """Return all classes that are something else, each with the same weight: no common sense.

    Example:
        >>> "laundry room" in others("room", "kitchen"), "kitchen" in others("room", "kitchen")
        (True, False)
    """
    classes = room_classes() if what == "room" else object_classes()
    return {other: 1 for other in classes if not same_thing(name, other)}


def _pairs(what: str, source: Source) -> list[dict[str, int]]:
    if what == "room":
        return [prior_file("room_adjacency").sources[source].pairs]
    return [prior_file("object_colocation").sources[part].pairs for part in _OF_OBJECTS[source]]
