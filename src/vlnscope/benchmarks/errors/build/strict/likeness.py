"""Which objects are too like each other, too common or too much at home in a room to be an error."""

from __future__ import annotations

from functools import cache

import msgspec

from vlnscope.benchmarks.errors.build.words import DATA
from vlnscope.language.lexicon import lexicon


class Likeness(msgspec.Struct, frozen=True):
    """Objects that are too like each other, or too common, to be an error.

    Attributes:
        about: what the file is.
        slight: too small or too rare to walk by.
        outdoors: not put in indoors.
        signs: objects that a class of rooms is known by.
        usual: objects that rooms of a label mostly have, whether anything lists them or not.
        families: objects that one may be taken for another, or stand together.
        mistaken: objects that whoever lists what is to be seen may take for each other.
        everywhere: objects so common that no list can rule them out.
    """

    about: str
    slight: frozenset[str]
    outdoors: frozenset[str]
    signs: dict[str, frozenset[str]]
    usual: dict[str, frozenset[str]]
    families: tuple[frozenset[str], ...]
    mistaken: tuple[frozenset[str], ...]
    everywhere: frozenset[str]


@cache
def likeness() -> Likeness:
    """Return the table of likeness (``data/likeness.json``)."""
    return msgspec.json.decode((DATA / "likeness.json").read_bytes(), type=Likeness)


def kin(a: str, b: str) -> bool:
    """Return whether two classes of objects are of one family.

    Example:
        >>> kin("cabinet", "shelf"), kin("sofa", "stove")
        (True, False)
    """
    return a == b or any({a, b} <= family for family in likeness().families)


def may_show(new: str, seen: str) -> bool:
    """Return whether something that is listed as `seen` may be what is called `new`.

    Example:
        >>> may_show("desk", "table"), may_show("stool", "chair"), may_show("sofa", "bed")
        (True, True, False)
    """
    words = lexicon()
    mistaken = any({new, seen} <= group for group in likeness().mistaken)
    return mistaken or words.is_a(seen, new) or words.is_a(new, seen)
