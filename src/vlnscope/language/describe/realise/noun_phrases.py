"""Writing the names of places: article, number, attributes, noun, side, neighbour."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vlnscope.language.actions import NamedPlace, Relation, Span
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.realise.phrases import forms
from vlnscope.language.lexicon.entries import lexicon

_KEPT = 0.8
_COLLECTIVE = 0.15
_SETS = (" group of", " set of", " row of", " series of", " collection of", " cluster of")
_JOINTS = {
    "with": (" with ",),
    "at": (" to ", " to ", " to ", " leading to ", " that leads to ", " leading into "),
    "in": (" in ",),
    "near": (" next to ", " by ", " near ", " beside "),
}
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", -1: "last"}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_SIDES = {
    "left": ("on the left",) * 4
    + ("on your left",) * 4
    + ("to your left", "to the left", "on the left side"),
    "right": ("on the right",) * 4
    + ("on your right",) * 4
    + ("to your right", "to the right", "on the right side"),
    "ahead": ("in front of you",) * 3 + ("straight ahead", "ahead of you", "directly in front of you"),
}
_PLURALS = frozenset({"stairs", "steps", "books", "blinds", "shoes", "dumbbells", "weights"})


@dataclass
class TextBuffer:
    """Text that is being written."""

    text: str = ""

    def add(self, text: str) -> Span:
        """Append text and return where it is."""
        start = len(self.text)
        self.text += text
        return Span(start, len(self.text))

    def capitalise(self, at: int) -> None:
        """Make the letter at a place a capital."""
        self.text = self.text[:at] + self.text[at : at + 1].upper() + self.text[at + 1 :]


def is_plural(noun: str) -> bool:
    """Return whether a noun is a plural even where one thing is meant."""
    return noun in _PLURALS


class NounPhrases:
    """Chooses words for places, mostly the same word for the same thing within one instruction."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._words: dict[tuple[str, str], str] = {}
        self._foreseen: str | None = None

    def name(self, buffer: TextBuffer, ref: Ref, article: str = "the") -> NamedPlace:
        """Write the name of a place and return it as a place; `article` is “the” or “a”."""
        start = len(buffer.text)
        words = [self._word("attributes", attribute) for attribute in ref.attributes]
        if ref.ordinal is not None:
            words.insert(0, _ORDINALS[ref.ordinal])
        if ref.number:
            words.insert(0, _NUMBERS[ref.number])
        words.append(self._foreseen or self._noun(ref))
        self._foreseen = None
        if article == "a":
            article = _indefinite(ref, words)
        elif ref.number == 0 and self._rng.random() < _COLLECTIVE:
            article += self._any(_SETS)
        elif ref.number == 2 and self._rng.random() < _COLLECTIVE:
            article, words = "both", words[1:]
        buffer.add(" ".join((article, *words)).strip())
        if ref.side:
            buffer.add(" " + self._any(_SIDES[ref.side]))
        relations: list[tuple[Relation, NamedPlace]] = []
        for relation, other in ref.relations:
            both = relation == "with" and ref.what == "object"
            buffer.add(" and " if both else self._any(_JOINTS[relation]))
            relations.append((relation, self.name(buffer, other)))
        return NamedPlace(
            what=ref.what,
            name=ref.name,
            span=Span(start, len(buffer.text)),
            attributes=ref.attributes,
            ordinal=ref.ordinal,
            count=ref.number,
            side=ref.side,
            relations=tuple(relations),
        )

    def foresee(self, ref: Ref) -> bool:
        """Choose the noun for the name that comes next, and return whether it is a plural."""
        self._foreseen = self._noun(ref)
        return ref.number is not None or is_plural(self._foreseen)

    def _any(self, options: tuple[str, ...]) -> str:
        return options[int(self._rng.integers(len(options)))]

    def _noun(self, ref: Ref) -> str:
        if ref.what == "room":
            return self._word("rooms", ref.name)
        word = self._word("objects", ref.name)
        if ref.number is None:
            return word
        entry = lexicon().objects[ref.name]
        plural = entry.plurals[entry.forms.index(word)]
        return plural if plural != word else entry.plurals[entry.forms.index(ref.name)]

    def _word(self, part: str, name: str) -> str:
        key = (part, name)
        if key not in self._words or self._rng.random() > _KEPT:
            self._words[key] = forms(part, name).draw(self._rng)
        return self._words[key]


def _indefinite(ref: Ref, words: list[str]) -> str:
    """Return a, an, some or nothing, as number and first letter want."""
    if ref.number:
        return ""
    if ref.number == 0 or is_plural(words[-1]):
        return "some"
    return "an" if words[0][0] in "aeiou" else "a"
