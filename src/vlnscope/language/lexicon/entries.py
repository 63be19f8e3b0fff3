"""The words that instructions are made of: names, synonyms, plurals, broader names, frequencies.

The words lie in ``words/*.json``: objects, rooms and attributes under their canonical names, numbers with
their values, and all other words under the terminals of ``grammar.lark`` that they can stand for. Counts
are those of the R2R training instructions (``tools/measure_words.py``). Words that construction rounds added
(`productions`) come last, and without counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from vlnscope.language.productions import accepted

WORDS = Path(__file__).with_name("words")


class WordFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry as its file has it: the name is the key, and words without plural list none.

    Attributes:
        forms: all ways to say it, in the singular, the commonest in R2R train first.
        plurals: the plural of each form; the forms themselves for words without plural.
        counts: how often each form occurs in R2R train, in the singular or the plural.
        kinds: broader names that it also answers to (an armchair is a chair); the group of an attribute.
        letters: Matterport3D label letters of the regions that a room's name may stand for.
        value: of a number or an ordinal; -1 for “last”.
    """

    forms: tuple[str, ...]
    plurals: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    value: int | None = None


class LexiconEntry(WordFacts, frozen=True, kw_only=True, omit_defaults=True):
    """A thing that has words; `name` is canonical, unique among the objects, rooms or attributes."""

    name: str

    def spellings(self) -> Iterator[tuple[str, bool, int]]:
        """Yield every form and plural once, with whether it can only be a plural, and its form's count."""
        counts = self.counts or (0,) * len(self.forms)
        for form, count in zip(self.forms, counts, strict=True):
            yield form, False, count
        for plural, count in zip(self.plurals, counts, strict=True):
            if plural not in self.forms:
                yield plural, True, count


class Lexicon(msgspec.Struct, frozen=True):
    """All words, by part.

    Attributes:
        objects, rooms, attributes: entries by canonical name.
        ordinals, numbers: entries with a value.
        words: every other word, by terminal of the grammar (``TURN``, ``PAST``, ``THE``, …).
        common: frequent words of English one letter away from a word of ours, which are no misspellings.
    """

    objects: Mapping[str, LexiconEntry]
    rooms: Mapping[str, LexiconEntry]
    attributes: Mapping[str, LexiconEntry]
    ordinals: Mapping[str, LexiconEntry]
    numbers: Mapping[str, LexiconEntry]
    words: Mapping[str, LexiconEntry]
    common: frozenset[str]

    def is_a(self, name: str, other: str) -> bool:
        """Tell whether `name` is `other` or, over any number of steps, a kind of it.

        Objects, rooms and attributes are asked alike; a name that is in none of them is only itself.

        Example:
            >>> lexicon().is_a("recliner", "chair"), lexicon().is_a("chair", "recliner")
            (True, False)
        """
        return name == other or other in self.broader(name)

    def broader(self, name: str) -> tuple[str, ...]:
        """Return all broader names of a name, nearest first.

        Example:
            >>> lexicon().broader("armchair")
            ('chair', 'seat')
        """
        names: list[str] = []
        front, parts = [name], (self.objects, self.rooms, self.attributes)
        while front:
            entries = (part[known] for known in front for part in parts if known in part)
            kinds = [kind for entry in entries for kind in entry.kinds]
            front = [kind for kind in dict.fromkeys(kinds) if kind != name and kind not in names]
            names += front
        return tuple(names)

    @property
    def by_terminal(self) -> dict[str, Mapping[str, LexiconEntry]]:
        """The entries whose names mean something, by the terminal of the grammar that they stand for."""
        return {
            "OBJECT": self.objects,
            "ROOM": self.rooms,
            "ATTRIBUTE": self.attributes,
            "NUMBER": self.numbers,
            "ORDINAL": self.ordinals,
        }


class WordFile(msgspec.Struct):
    """A file of words: what it holds, and its entries by name."""

    about: str
    entries: dict[str, WordFacts]


@cache
def lexicon() -> Lexicon:
    """Return all words, read once."""
    return Lexicon(
        objects=_part("objects") | _found("OBJECT"),
        rooms=_part("rooms") | _found("ROOM"),
        attributes=_part("attributes") | _found("ATTRIBUTE"),
        ordinals=_part("ordinals"),
        numbers=_part("numbers"),
        words=_part("paths") | _part("directions") | _part("function"),
        common=_common(),
    )


def _found(terminal: str) -> dict[str, LexiconEntry]:
    """Return names that construction rounds added."""
    words = [each.phrase for each in accepted() if each.head == terminal]
    return {word: LexiconEntry(name=word, forms=(word,), plurals=(word,), counts=(0,)) for word in words}


def _common() -> frozenset[str]:
    """Return the words that are not ours; construction rounds may have made some of them ours."""
    written = msgspec.json.decode((WORDS / "common.json").read_bytes(), type=_Common).words
    return frozenset(written) - {word for each in accepted() if each.is_word for word in each.symbols}


class _Common(msgspec.Struct):
    about: str
    words: list[str]


def read_words(name: str) -> WordFile:
    """Return one file of words as it is on disk."""
    return msgspec.json.decode((WORDS / f"{name}.json").read_bytes(), type=WordFile)


def _part(name: str) -> dict[str, LexiconEntry]:
    entries = {}
    for key, facts in read_words(name).entries.items():
        entry = LexiconEntry(name=key, **msgspec.structs.asdict(facts))
        entries[key] = replace(entry, plurals=facts.plurals or facts.forms)
    return entries
