"""Names as people say them: plural, article, and the words for going in, out and there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from vlnscope.core.exceptions import InputError
from vlnscope.language.lexicon.entries import read_words
from vlnscope.language.names.table import name_table
from vlnscope.worlds.rooms import SPOKEN_ROOMS

_NO_VOWEL_SOUND = re.compile(r"(?:uni|uri|use|uti|eu|one\b|once)", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"(?:hour|honou?r|heir)", re.IGNORECASE)
_MANY = re.compile(r"[^su]s$")
_ENDINGS = (
    (re.compile(r"(?<=[^aeiou])y$"), "ies"),
    (re.compile(r"(?<=shel)f$|(?<=[^f]i)fe$"), "ves"),
    (re.compile(r"(?<=m)an$"), "en"),
    (re.compile(r"(?<=[sxz])$|(?<=ch)$|(?<=sh)$"), "es"),
    (re.compile(r"$"), "s"),
)


@dataclass(frozen=True)
class Noun:
    """A name of an object or a room, and how it is said.

    Attributes:
        singular: “family room”; “stairs” and “grass” have no other.
        plural: “family rooms”.
        is_plural: “the stairs are”, not “the stairs is”, though one thing is meant.
        is_mass: cannot be counted: “some grass”.

    Example:
        >>> porch = noun("porch")
        >>> porch.plural, porch.indefinite, porch.enter, porch.leave, porch.towards
        ('porches', 'a porch', 'onto the porch', 'off the porch', 'towards the porch')
    """

    singular: str
    plural: str
    is_plural: bool = False
    is_mass: bool = False

    @property
    def said(self) -> str:
        """The name without an article: the plural where only that is said."""
        return self.plural if self.is_plural else self.singular

    @property
    def definite(self) -> str:
        """With “the”."""
        return f"the {self.said}"

    @property
    def indefinite(self) -> str:
        """With “a”, “an” or “some”."""
        if self.is_plural or self.is_mass:
            return f"some {self.said}"
        return f"{'an' if takes_an(self.singular) else 'a'} {self.singular}"

    @property
    def be(self) -> str:
        """“is” or “are”, as the name wants it."""
        return "are" if self.is_plural else "is"

    @property
    def enter(self) -> str:
        """The words after “walk” for going in: “into the kitchen”, “onto the porch”, “out to the patio”."""
        return f"{_going(self.said.lower())[0]} {self.definite}"

    @property
    def leave(self) -> str:
        """The words after “walk” for going out: “out of the den”, “off the porch”, “in from the balcony”."""
        return f"{_going(self.said.lower())[1]} {self.definite}"

    @property
    def towards(self) -> str:
        """The words after “walk” for going nearer."""
        return f"towards {self.definite}"


@cache
def noun(name: str) -> Noun:
    """Return how an object or a room is said.

    Args:
        name: any name of it: canonical or another form of the lexicon, singular or plural, a spelling of the
            room labels as released (“familyroom”), or a name that is not known, which is inflected as English
            regularly is. Plurals (“books”) stay plural.

    Example:
        >>> noun("familyroom").definite, noun("tv").plural, noun("office").indefinite
        ('the family room', 'TVs', 'an office')
        >>> noun("stairs").be, noun("books").indefinite, noun("brass knob shelf").plural
        ('are', 'some books', 'brass knob shelves')
    """
    known = name.strip()
    known = name_table().said_as.get(known.lower(), known)
    said = _written(known)
    key = known.lower()
    if key in name_table().plural_only:
        return Noun(said, said, is_plural=True)
    if key in name_table().mass:
        return Noun(said, said, is_mass=True)
    if key in _plurals():
        return Noun(said, _written(_plurals()[key]))
    if key in _singulars():
        return Noun(_written(_singulars()[key]), said, is_plural=True)
    if _MANY.search(key):
        return Noun(said, said, is_plural=True)
    return Noun(said, _written(plural_of(known)))


def room_nouns(letter: str) -> tuple[Noun, ...]:
    """Return all ways to say a label of Matterport3D, the usual one first; none for junk and for no label.

    The names are those of `vlnscope.worlds.rooms.SPOKEN_ROOMS`.

    Example:
        >>> [each.singular for each in room_nouns("f")], room_nouns("Z")
        (['family room', 'den'], ())

    Raises:
        InputError: there is no such label.
    """
    if letter not in SPOKEN_ROOMS:
        raise InputError(
            f"there is no room label {letter!r}",
            expected=f"one of {' '.join(SPOKEN_ROOMS)}",
            fix="give the label letter of the region, as a .house file has it",
        )
    return tuple(noun(name) for name in SPOKEN_ROOMS[letter])


def room_noun(letter: str, variant: int = 0) -> Noun:
    """Return how a label of Matterport3D is said; `variant` goes round the names that it has.

    Example:
        >>> room_noun("r").enter, room_noun("r", 1).enter, room_noun("r", 2).enter
        ('into the rec room', 'into the game room', 'into the rec room')

    Raises:
        InputError: there is no such label, or it has no name (junk, no label).
    """
    nouns = room_nouns(letter)
    if not nouns:
        raise InputError(
            f"the room label {letter!r} has no name",
            expected=f"one of {' '.join(key for key, names in SPOKEN_ROOMS.items() if names)}",
            fix="leave out regions of this label; `room_nouns` returns none for them",
        )
    return nouns[variant % len(nouns)]


def takes_an(words: str) -> bool:
    """Return whether “an” stands before words.

    Example:
        >>> takes_an("office"), takes_an("kitchen"), takes_an("utility room"), takes_an("hourglass")
        (True, False, False, True)
    """
    if _NO_VOWEL_SOUND.match(words):
        return False
    return words[:1].lower() in tuple("aeiou") or bool(_VOWEL_SOUND.match(words))


def plural_of(name: str) -> str:
    """Return the plural of a name: of its last words as the lexicon has it, or as English regularly is.

    Example:
        >>> plural_of("brass lamp"), plural_of("gallery"), plural_of("hatch"), plural_of("box of wine")
        ('brass lamps', 'galleries', 'hatches', 'boxes of wine')
    """
    head, of, rest = name.partition(" of ")
    if of:
        return plural_of(head) + of + rest
    words = name.split(" ")
    for first in range(len(words)):
        known = " ".join(words[first:]).lower()
        if known in _plurals():
            return " ".join((*words[:first], _plurals()[known]))
    ending, by = next((ending, by) for ending, by in _ENDINGS if ending.search(name))
    return ending.sub(by, name, count=1)


@cache
def _plurals() -> Mapping[str, str]:
    """Return the plural of every form of objects and rooms whose plural the lexicon knows."""
    entries = [entry for part in ("objects", "rooms") for entry in read_words(part).entries.values()]
    return {form: many for each in entries for form, many in zip(each.forms, each.plurals, strict=False)}


@cache
def _singulars() -> Mapping[str, str]:
    return {many: form for form, many in _plurals().items() if many != form}


@cache
def _going(name: str) -> tuple[str, str]:
    return next(
        ((each.enter, each.leave) for each in name_table().going if name in each.names), ("into", "out of")
    )


def _written(name: str) -> str:
    capitals = name_table().capitals
    return " ".join(capitals.get(word, word) for word in name.split(" "))
