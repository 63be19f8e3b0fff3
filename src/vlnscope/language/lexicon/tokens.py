"""Words of an instruction: where they are, what they may stand for, and spelling that can be mended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from vlnscope.language.lexicon.entries import LexiconEntry, lexicon
from vlnscope.language.lexicon.spelling import SpellingIndex
from vlnscope.language.productions import NAMED, accepted

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|&|[,:]|[.!?;\n]")
_FULL_STOPS = frozenset(".!?;\n")
_SHORTEST_TYPO = 4
_LONGEST_SENTENCE = 64
_JOINTS = frozenset({",", "and", "then"})
UNKNOWN = "UNKNOWN"
"""The terminal of a word that the lexicon does not know."""
_FREQUENT = 100
_NAMED = frozenset({"OBJECT", "DOOR", "ROOM", "ATTRIBUTE", "NUMBER", "ORDINAL"})


class Lexeme(NamedTuple):
    """A reading of one or more words: the terminal of the grammar and the lexicon's name for it."""

    terminal: str
    name: str
    plural: bool = False
    value: int | None = None


class RawWord(NamedTuple):
    """A word: ``text[start:end]``, and how the lexicon spells it (None if it does not know it)."""

    start: int
    end: int
    spelling: str | None


class LexicalReading(NamedTuple):
    """A lexeme and the place among a sentence's pieces where it ends."""

    lexeme: Lexeme
    end: int


COMMA = RawWord(-1, -1, ",")
"""Stands for a comma or a colon among the words of a sentence."""


class _Index(NamedTuple):
    readings: dict[str, tuple[Lexeme, ...]]
    longer: dict[str, tuple[tuple[str, ...], ...]]
    joined: dict[str, str]
    counts: dict[str, int]
    written: tuple[str, ...]


def sentences(text: str) -> list[list[RawWord]]:
    """Split a text into sentences of words and commas; words that touch (“livingroom”) are told apart.

    Sentences that do not end are cut, where possible before “and” or “then”, so that nothing takes long.

    Example:
        >>> [[word.spelling for word in sentence] for sentence in sentences("Trun left, xyzzy.Stop.")]
        [['turn', 'left', ',', None], ['stop']]
    """
    split: list[list[RawWord]] = [[]]
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece in _FULL_STOPS:
            split.append([])
        elif piece in ",:":
            split[-1].append(COMMA)
        else:
            split[-1] += _words(piece, match.start())
    return [part for sentence in split for part in _shortened(sentence)]


def _shortened(sentence: list[RawWord]) -> Iterator[list[RawWord]]:
    while len(sentence) > _LONGEST_SENTENCE:
        cuts = [
            at for at in range(_LONGEST_SENTENCE // 2, _LONGEST_SENTENCE) if sentence[at].spelling in _JOINTS
        ]
        at = cuts[-1] if cuts else _LONGEST_SENTENCE
        yield sentence[:at]
        sentence = sentence[at:]
    if sentence:
        yield sentence


def readings(words: Sequence[RawWord]) -> list[list[LexicalReading]]:
    """Return what can be read at each place of a sentence.

    Names of several words are read beside the words that they consist of. A word that the lexicon knows
    neither alone nor as part of a name that is there in full is `UNKNOWN`.

    Example:
        >>> found = readings(sentences("coffee table coffee")[0])
        >>> [[(reading.lexeme.terminal, reading.lexeme.name) for reading in here] for here in found]
        [[('OBJECT', 'coffee table')], [('OBJECT', 'table')], [('UNKNOWN', 'coffee')]]
    """
    index = _index()
    spellings = [word.spelling or "" for word in words]
    by_word: list[list[LexicalReading]] = []
    covered = 0
    for at, spelling in enumerate(spellings):
        here = [LexicalReading(lexeme, at + 1) for lexeme in index.readings.get(spelling, ())]
        for longer in index.longer.get(spelling, ()):
            if tuple(spellings[at : at + len(longer)]) == longer:
                name = " ".join(longer)
                here += [LexicalReading(lexeme, at + len(longer)) for lexeme in index.readings[name]]
        if not here and at >= covered:
            here = [LexicalReading(Lexeme(UNKNOWN, spelling), at + 1)]
        covered = max([covered, *(reading.end for reading in here)])
        by_word.append(here)
    return by_word


def _words(piece: str, start: int) -> Iterator[RawWord]:
    folded = piece.casefold().replace("’", "'")
    spelling = correct_spelling(folded)
    if spelling is None and (parts := _split(folded)) and len(folded) == len(piece):
        middle = start + len(parts[0])
        yield RawWord(start, middle, parts[0])
        yield RawWord(middle, start + len(piece), parts[1])
    else:
        yield RawWord(start, start + len(piece), spelling)


@cache
def correct_spelling(word: str) -> str | None:
    """Return how the lexicon spells a word in lower case; None if it knows nothing like it.

    Known words stay. Others lose a possessive s, regain a missing space, or are mended by one edit
    (a letter more, less, other, or two swapped) if they have at least four letters, are no common word of
    English, and one word of the lexicon is the most frequent of those that are one edit away.

    Example:
        >>> [correct_spelling(word) for word in ("stiars", "livingroom", "poor", "hall's")]
        ['stairs', 'living room', None, 'hall']
    """
    index = _index()
    if word in index.readings or word in index.longer or word in _parts_of_names():
        return word
    if word in index.joined:
        return index.joined[word]
    if "'" in word:
        bare = word.partition("'")[0]
        if word.endswith("'s") and bare in index.readings:
            return bare
        joined = word.replace("'", "")
        return joined if joined in index.readings else None
    if len(word) < _SHORTEST_TYPO or word in lexicon().common or not word.isalpha():
        return None
    ranked = sorted((-index.counts[known], known) for known in _neighbours().of(word))
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _split(word: str) -> tuple[str, str] | None:
    """Take two frequent words apart that were written as one."""
    counts = _index().counts
    best = max(
        ((min(counts.get(word[:i], 0), counts.get(word[i:], 0)), i) for i in range(2, len(word) - 1)),
        default=(0, 0),
    )
    return (word[: best[1]], word[best[1] :]) if best[0] >= _FREQUENT else None


@cache
def _index() -> _Index:
    lexemes_by_spelling: dict[str, list[Lexeme]] = {}
    counts: dict[str, int] = {}
    added = {(each.head, each.phrase) for each in accepted() if each.is_word}
    written: dict[str, None] = {}
    for terminal, entry in _entries():
        for spelling, plural, count in entry.spellings():
            if (terminal, entry.name) not in added:
                written[spelling] = None
            name = entry.name if terminal in _NAMED else spelling
            lexemes_by_spelling.setdefault(spelling, []).append(Lexeme(terminal, name, plural, entry.value))
            counts[spelling] = max(counts.get(spelling, 0), count)
    longer: dict[str, list[tuple[str, ...]]] = {}
    for spelling in lexemes_by_spelling:
        parts = tuple(spelling.split())
        if len(parts) > 1:
            longer.setdefault(parts[0], []).append(parts)
    return _Index(
        {spelling: tuple(lexemes) for spelling, lexemes in lexemes_by_spelling.items()},
        {first: tuple(rest) for first, rest in longer.items()},
        {spelling.replace(" ", ""): spelling for spelling in lexemes_by_spelling if " " in spelling},
        counts,
        tuple(written),
    )


def _entries() -> Iterator[tuple[str, LexiconEntry]]:
    words = lexicon()
    for terminal, part in words.by_terminal.items():
        yield from ((terminal, entry) for entry in part.values())
    yield from (("DOOR", entry) for name, entry in words.objects.items() if words.is_a(name, "doorway"))
    yield from words.words.items()
    for each in accepted():
        if each.is_word and each.head not in NAMED:
            yield each.head, LexiconEntry(name=each.phrase, forms=(each.phrase,), plurals=(each.phrase,))


@cache
def _parts_of_names() -> frozenset[str]:
    return frozenset(part for spelling in _index().readings if " " in spelling for part in spelling.split())


@cache
def _neighbours() -> SpellingIndex:
    """Return the words that a misspelt one may be meant for: those of the lexicon as it was written."""
    return SpellingIndex(word for word in _index().written if len(word) >= _SHORTEST_TYPO and word.isalpha())
