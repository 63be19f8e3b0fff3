"""Labels of rooms that cannot be told apart by eye, so that asking for the one may lead to the other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from vlnscope.language.names.nouns import room_nouns
from vlnscope.language.names.table import name_table
from vlnscope.worlds.rooms import SPOKEN_ROOMS

_UNCLEAR = "the label does not say what the room looks like"


@cache
def look_alikes(label: str) -> Mapping[str, str]:
    """Return the other labels that a room of this label may be taken for, each with the reason.

    The relation holds both ways, but not from one to the next: a deck may pass for a balcony or run out into
    the yard, and no yard is a balcony. A label of no kind (other room, junk, none) may be any.

    Example:
        >>> sorted(look_alikes("p")), look_alikes("y")["p"]
        (['-', 'Z', 'x', 'y', 'z'], 'a deck or terrace above the ground is a balcony')

    Raises:
        InputError: there is no such label.
    """
    room_nouns(label)
    table = name_table()
    if label in table.unclear:
        return {other: _UNCLEAR for other in SPOKEN_ROOMS if other != label}
    named = [(other, pair.why) for pair in table.alike if label in pair.labels for other in pair.labels]
    found = {other: why for other, why in reversed(named) if other != label}
    return found | dict.fromkeys(table.unclear, _UNCLEAR)


def alike(label: str, other: str) -> bool:
    """Return whether rooms of two labels cannot be told apart by eye; a label is always like itself.

    Example:
        >>> alike("f", "l"), alike("n", "v"), alike("k", "b")
        (True, False, False)

    Raises:
        InputError: there is no such label.
    """
    room_nouns(other)
    return label == other or other in look_alikes(label)
