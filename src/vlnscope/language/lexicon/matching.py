"""Do two names mean the same? Names of objects, letters of rooms and words of captions, by the lexicon."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from vlnscope.language.lexicon.entries import LexiconEntry, lexicon

_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_LONGEST = 4
_ALIKE = ("lfnvrz", "at", "hez", "pyx", "dDk", "oim", "cuj", "ac", "bc")
"""Rooms of Matterport3D that people call by each other's names."""


class Concept(NamedTuple):
    """Something that a text speaks of: an entry of the lexicon, or any other word."""

    part: str
    name: str


@cache
def _spellings() -> Mapping[str, tuple[Concept, ...]]:
    """Return what each spelling of the lexicon may stand for."""
    words = lexicon()
    concepts: dict[str, list[Concept]] = {}
    parts: tuple[tuple[str, Mapping[str, LexiconEntry]], ...] = (
        ("object", words.objects),
        ("room", words.rooms),
        ("attribute", words.attributes),
    )
    for part, entries in parts:
        for entry in entries.values():
            for spelling in dict.fromkeys((entry.name, *entry.forms, *entry.plurals)):
                concepts.setdefault(spelling, []).append(Concept(part, entry.name))
    return {spelling: tuple(mentions) for spelling, mentions in concepts.items()}


@cache
def object_entry(name: str) -> str | None:
    """Return the entry of the lexicon for the name of an object, None if there is none.

    A name that is no spelling of the lexicon is known by its last words.

    Example:
        >>> object_entry("couch"), object_entry("old wooden chair"), object_entry("qwertz")
        ('sofa', 'chair', None)
    """
    words = name.lower().split()
    for start in range(len(words)):
        for mention in _spellings().get(" ".join(words[start:]), ()):
            if mention.part == "object":
                return mention.name
    return None


@cache
def name_match(wanted: str, seen: str) -> float:
    """Return how well an object called `seen` answers to `asked` (both entries), from 0 to 1.

    A kind of what was asked for is as good as that itself. What is only broader (a chair where an
    armchair is asked for) may be it; two kinds of one thing are seldom confused.

    Example:
        >>> name_match("chair", "armchair"), name_match("armchair", "chair"), name_match("sofa", "bed")
        (1.0, 0.5, 0.0)
    """
    words = lexicon()
    if words.is_a(seen, wanted):
        return 1.0
    if words.is_a(wanted, seen):
        return 0.5
    return 0.0


@cache
def room_match(wanted: str, letter: str) -> float:
    """Return how well a region with a Matterport letter answers to the name of a room, from 0 to 1.

    Example:
        >>> room_match("kitchen", "k"), room_match("kitchen", "b"), room_match("lounge", "r")
        (1.0, 0.0, 0.25)
    """
    entry = lexicon().rooms.get(wanted)
    if entry is None or not entry.letters:
        return 0.0
    if letter in entry.letters:
        return 1.0 if letter == entry.letters[0] or len(entry.letters) > 3 else 0.8
    if any(letter in alike and entry.letters[0] in alike for alike in _ALIKE):
        return 0.25
    return 0.0


@cache
def mentions(text: str) -> frozenset[Concept]:
    """Return everything that a text speaks of, longest spellings first; other words stand for themselves.

    Example:
        >>> sorted(mentions("a coffee table"))
        [Concept(part='object', name='coffee table'), Concept(part='word', name='a')]
    """
    words = _WORD.findall(text.lower())
    concepts: list[Concept] = []
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            known = _spellings().get(" ".join(words[at : at + size]))
            if known:
                concepts += known
                break
        else:
            size = 1
            concepts.append(Concept("word", words[at]))
        at += size
    return frozenset(concepts)
