"""The words that errors are made of: pairs of directions, classes of rooms and of objects.

They lie in ``data/*.json``. Directions and rooms are those of the paper, with synonyms put together
(a restroom is a bathroom); the classes of objects, which were never published, are those that R2R's training
instructions name most often (``tools/measure_priors.py``). How a class is said, in the singular and in the
plural, is what `vlnscope.language.lexicon.entries` knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from vlnscope.language.lexicon import lexicon
from vlnscope.language.names import noun

DATA = Path(__file__).with_name("data")
Ingredient = Literal["direction", "room", "object", "attribute", "ordinal", "vertical", "order"]


class WordClass(msgspec.Struct, frozen=True, kw_only=True):
    """Words that mean the same.

    Attributes:
        name: of the class.
        forms: all ways to say it, in the singular, the commonest first.
        plurals: the plural of each form; the form itself where there is none.
        letters: Matterport3D label letters of a room.
        near: classes that mean nearly the same, so that saying one for the other is no error.
    """

    name: str
    forms: tuple[str, ...]
    plurals: tuple[str, ...]
    letters: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def said(self, *, plural: bool) -> str:
        """Return how it is said: by its name."""
        named = noun(self.name)
        return named.plural if plural else named.singular


class _Directions(msgspec.Struct):
    about: str
    pairs: list[tuple[str, str]]


class RoomFacts(msgspec.Struct):
    """A class of rooms as its file has it; `entry` names its entry in the lexicon."""

    entry: str
    forms: tuple[str, ...]
    plurals: tuple[str, ...]
    count: int = 0
    near: tuple[str, ...] = ()


class RoomFile(msgspec.Struct):
    """The file of rooms."""

    about: str
    classes: dict[str, RoomFacts]


class ObjectFile(msgspec.Struct):
    """The file of objects: what counts as one, what was left out and why, and the classes with counts."""

    about: str
    least: int
    left_out: dict[str, str]
    classes: dict[str, int]


@cache
def opposites() -> Mapping[str, str]:
    """Return the opposite of each direction.

    Example:
        >>> opposites()["go up"], len(opposites())
        ('go down', 14)
    """
    pairs = msgspec.json.decode((DATA / "directions.json").read_bytes(), type=_Directions).pairs
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


@cache
def room_classes() -> Mapping[str, WordClass]:
    """Return the classes of rooms by name.

    Example:
        >>> room_classes()["bathroom"].forms
        ('bathroom', 'restroom')
    """
    file = msgspec.json.decode((DATA / "rooms.json").read_bytes(), type=RoomFile)
    rooms = lexicon().rooms
    return {
        name: WordClass(
            name=name,
            forms=facts.forms,
            plurals=facts.plurals,
            letters=rooms[facts.entry].letters if facts.entry in rooms else (),
            near=facts.near,
        )
        for name, facts in file.classes.items()
    }


@cache
def object_classes() -> Mapping[str, WordClass]:
    """Return the classes of objects by name, the most frequent first.

    Example:
        >>> object_classes()["sofa"].said(plural=True)
        'sofas'
    """
    file = msgspec.json.decode((DATA / "objects.json").read_bytes(), type=ObjectFile)
    entries = lexicon().objects
    return {
        name: WordClass(name=name, forms=entries[name].forms, plurals=entries[name].plurals)
        for name in file.classes
    }


def class_of_letter(letter: str) -> str | None:
    """Return the class of the rooms that have a label letter, None if it is none of the paper's.

    Example:
        >>> class_of_letter("k"), class_of_letter("g")
        ('kitchen', None)
    """
    return next((room.name for room in room_classes().values() if letter in room.letters), None)


def class_of_object(entry: str) -> str | None:
    """Return the class that an entry of the lexicon belongs to: itself or its nearest broader name.

    Example:
        >>> class_of_object("sofa"), class_of_object("king bed"), class_of_object("wall")
        ('sofa', None, None)
    """
    return next((name for name in (entry, *lexicon().broader(entry)) if name in object_classes()), None)


@cache
def same_thing(a: str, b: str) -> bool:
    """Return whether two classes of rooms or objects may both be right: one, a kind of the other, or near.

    Example:
        >>> same_thing("chair", "armchair"), same_thing("lounge", "living room"), same_thing("sofa", "bed")
        (True, True, False)
    """
    rooms = room_classes()
    if a in rooms and b in rooms:
        return a == b or b in rooms[a].near or a in rooms[b].near
    return lexicon().is_a(a, b) or lexicon().is_a(b, a)
