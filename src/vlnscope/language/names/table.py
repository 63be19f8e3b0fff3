"""The table of names as its file has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec


class Going(msgspec.Struct, frozen=True):
    """The words before “the …” for going in and out of what has one of the names."""

    enter: str
    leave: str
    names: frozenset[str]


class AlikeLabels(msgspec.Struct, frozen=True):
    """Label letters of rooms of which any may be taken for any other, and why."""

    labels: str
    why: str


class NameTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about names beyond the lexicon.

    Attributes:
        about: what the file is.
        said_as: how names that nobody says are said (“familyroom” is “family room”).
        capitals: words that are written with capitals.
        plural_only: names that are plurals though one thing is meant.
        mass: names of what cannot be counted.
        going: words for going in and out, where they are not “into” and “out of”.
        alike: labels that cannot be told apart by eye.
        unclear: labels that say nothing about what the room looks like.
    """

    about: str
    said_as: dict[str, str]
    capitals: dict[str, str]
    plural_only: frozenset[str]
    mass: frozenset[str]
    going: tuple[Going, ...]
    alike: tuple[AlikeLabels, ...]
    unclear: str


@cache
def name_table() -> NameTable:
    """Return the table, read once."""
    return msgspec.json.decode(Path(__file__).with_name("names.json").read_bytes(), type=NameTable)
