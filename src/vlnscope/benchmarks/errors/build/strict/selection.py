"""Which names people put where: “down the hallway” but not “down the bedroom”, counted in R2R train.

The counts lie in ``data/selection.json`` (``tools/measure_selection.py``): how often each class of rooms and
objects stands after each governing word and after each modifier.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from vlnscope.benchmarks.errors.build.strict.context import Context
from vlnscope.benchmarks.errors.build.words import DATA

LEAST, LEAST_MODIFIED = 3, 2
"""How often a name must have been found after a governing word, and after a modifier."""
LIFT = 0.2
"""How often at least, as a share of what chance would give."""
SEVERAL, MANY = 5, 0.05
"""How often a name must have been found in the plural, and as what share, to be said of several."""
FREE = 20
"""A word that so many classes were found after takes others too, if too rare ones to be found."""
_NUMBERS = frozenset(
    {
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "last",
        "next",
        "other",
        "same",
        "two",
        "three",
        "four",
        "five",
        "six",
        "2",
        "3",
        "4",
        "1st",
        "2nd",
        "3rd",
    }
)
"""Modifiers of all names of which there may be several."""
Kind = Literal["room", "object"]


class SelectionCounts(msgspec.Struct, frozen=True):
    """Counts of one kind of name.

    Attributes:
        names: how often each class was found.
        plurals: how often of these in the plural.
        governors: how often after each governing word (`Context.governor`).
        modifiers: how often after each modifier.
    """

    names: dict[str, int]
    plurals: dict[str, int]
    governors: dict[str, dict[str, int]]
    modifiers: dict[str, dict[str, int]]


class SelectionFile(msgspec.Struct, frozen=True):
    """The counts of rooms and of objects."""

    about: str
    room: SelectionCounts
    object: SelectionCounts


@cache
def selection(kind: Kind) -> SelectionCounts:
    """Return the counts of rooms or of objects."""
    file = msgspec.json.decode((DATA / "selection.json").read_bytes(), type=SelectionFile)
    return file.room if kind == "room" else file.object


def fits(kind: Kind, name: str, around: Context, *, plural: bool = False) -> bool:
    """Return whether people say a name after such words.

    Example:
        >>> down = Context("down", "the", (), ".")
        >>> fits("room", "hallway", down), fits("room", "bedroom", down)
        (True, False)
        >>> fits("object", "chandelier", Context("past", "the", ("leather",), "."))
        False
        >>> past = Context("past", "the", (), ".")
        >>> fits("object", "sink", past, plural=True), fits("object", "piano", past, plural=True)
        (True, False)
    """
    counts = selection(kind)
    several = plural or any(word in _NUMBERS for word in around.modifiers)
    if several and counts.plurals.get(name, 0) < max(SEVERAL, MANY * counts.names[name]):
        return False
    modifiers = [word for word in around.modifiers if word not in _NUMBERS]
    return _is_said(counts.governors.get(around.governor, {}), name, counts) and all(
        counts.modifiers.get(word, {}).get(name, 0) >= LEAST_MODIFIED for word in modifiers
    )


def _is_said(found: dict[str, int], name: str, counts: SelectionCounts) -> bool:
    expected = counts.names.get(name, 0) * sum(found.values()) / sum(counts.names.values())
    here = found.get(name, 0)
    if here >= LEAST:
        return here >= LIFT * expected
    return expected < LEAST and len(found) >= FREE
