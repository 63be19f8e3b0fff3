"""Proposing productions that the grammar lacks, by rule: from the words that a corpus leaves over.

A stretch of words that is left over might stand for a terminal that it is no word for yet. Which ones are
worth trying is told by its surroundings: by what stands between the same terminals where the grammar covers
all (`TerminalContexts`). A single word that the grammar nearly always knows what to do with is not tried:
there the grammar lacks something else. Or the terminals of the stretch might be one more way to begin
something that the grammar can say: they are tried as productions of those categories of `HOSTS` that can
begin with the first of them. Whatever enough instructions speak for is tried on the corpus, and ranked by how
many it would unlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.language.induce.coverage import ReadSentence, TerminalContexts, UncoveredText, taken
from vlnscope.language.lexicon.entries import lexicon, read_words
from vlnscope.language.lexicon.spelling import SpellingIndex
from vlnscope.language.lexicon.tokens import UNKNOWN, Lexeme, LexicalReading
from vlnscope.language.parse.grammar_view import words_of
from vlnscope.language.parse.rules import Grammar, compiled, extended_rules, grammar
from vlnscope.language.productions import Production

OPEN = frozenset({"THEN", "JUST", "PLACED", "IRRELEVANT", "MEASURE"})
"""Terminals of small words that unknown words may stand for without resembling one of them."""
ODD = 0.1
"""Share of its occurrences that a single word must be left over in to be tried as another terminal."""
LONGEST = 4
"""How many words a stretch may have."""
BETTER = 1.5
"""How many times as many instructions a less plausible production must unlock to be preferred."""
TRIED = 3
"""How many terminals are tried for a stretch of words."""


class ExtensiblePhrase(NamedTuple):
    """A category that may get further productions: what follows the words, and what they mean."""

    head: str
    after: str
    name: str = ""


HOSTS = (
    ExtensiblePhrase("post", "place", "post_with"),
    ExtensiblePhrase("post", "spot", "post_is"),
    ExtensiblePhrase("where", "place", "near"),
    ExtensiblePhrase("towards", "place"),
    ExtensiblePhrase("through", "place"),
    ExtensiblePhrase("past", "place"),
    ExtensiblePhrase("when", "vp", "when_done"),
    ExtensiblePhrase("when", "place", "when_at"),
    ExtensiblePhrase("until", "vp", "until_done"),
    ExtensiblePhrase("until", "place", "until_at"),
    ExtensiblePhrase("ir", "place"),
    ExtensiblePhrase("stop", "spot"),
)
UNDERSTOOD = frozenset({(host.head, host.name) for host in HOSTS} | {("lead", ""), ("tail_how", "")})
"""What the parser can make sense of whatever the words are: categories, and what is meant."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A production that the grammar lacks.

    Attributes:
        production: what is proposed.
        unlocks: how many instructions of the corpus would be covered in full with it alone.
        words: how many more words would be consumed.
        tried: how many instructions it was tried on.
        examples: ids of some of the instructions that it would unlock, or at least help.
    """

    production: Production
    unlocks: int
    words: int
    tried: int
    examples: tuple[str, ...] = ()


def propose(corpus: Sequence[UncoveredText], contexts: TerminalContexts, least: int = 2) -> list[Production]:
    """Return productions worth trying, the most plausible of each stretch of words first.

    Args:
        corpus: instructions that are not covered.
        contexts: what stands where in those that are.
        least: how many instructions must have a stretch of words.
    """
    phrases: dict[tuple[str, ...], dict[str, float]] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    ways: Counter[Production] = Counter()
    for failure in corpus:
        runs = [(line, run) for line in failure.lines for run in line.runs() if len(run) <= LONGEST]
        seen.update({line.words[run.start : run.stop] for line, run in runs})
        ways.update({way for line, run in runs for way in _ways(line, run)})
        for line, run in runs:
            shares = contexts.shares(line.around(run))
            votes = phrases.setdefault(line.words[run.start : run.stop], {})
            for terminal, share in shares.items():
                votes[terminal] = votes.get(terminal, 0.0) + share
    productions = sorted(way for way, count in ways.items() if count >= least)
    for phrase in sorted(phrases):
        is_odd = len(phrase) > 1 or seen[phrase] >= ODD * (seen[phrase] + contexts.count(phrase[0]))
        if seen[phrase] >= least and is_odd and phrase[0] not in _parts_of_names():
            productions += [Production(terminal, phrase) for terminal in _best(phrase, phrases[phrase])]
    return productions


def rank(candidates: Iterable[Production], corpus: Sequence[UncoveredText], least: int = 1) -> list[Proposal]:
    """Try productions on a corpus, and return those that unlock at least so many instructions, best first.

    Of productions for the same words the first is returned, unless a later one unlocks half as many again.
    Those that the grammar cannot take, or has already, are left out.
    """
    best_by_gap: dict[tuple[str, ...], Proposal] = {}
    index = _Index(corpus)
    for production in candidates:
        proposal = _tried(production, index.with_(production))
        if proposal is None or proposal.unlocks < least:
            continue
        rival = best_by_gap.get(_gap(production))
        if rival is None or proposal.unlocks >= BETTER * rival.unlocks:
            best_by_gap[_gap(production)] = proposal
    return sorted(best_by_gap.values(), key=lambda each: (-each.unlocks, -each.words, each.production))


def _gap(production: Production) -> tuple[str, ...]:
    """Return what a production has words for: the terminals that it begins with, or its phrase."""
    if production.is_word:
        return production.symbols
    return _terminals(production) or (production.head, *production.symbols)


def _terminals(production: Production) -> tuple[str, ...]:
    return tuple(symbol for symbol in production.symbols if symbol.isupper())


def _best(phrase: Sequence[str], votes: Mapping[str, float]) -> list[str]:
    """Return the terminals that surroundings speak for most; first those that have a word like this one.

    Terminals whose words mean more than their name (numbers, sides, rooms) get no further words, and small
    words none that are not misspelt ones.
    """
    resembled = [name for name in votes if len(phrase) == 1 and _misspellings(name).of(phrase[0])]
    others = [name for name in votes if name not in _closed() and name not in resembled]
    return sorted(resembled) + sorted(others, key=lambda name: (-votes[name], name))[:TRIED]


@cache
def _closed() -> frozenset[str]:
    small = set(read_words("function").entries) - OPEN
    return frozenset(small | set(read_words("directions").entries) | {"NUMBER", "ORDINAL", "DOOR", "ROOM"})


@cache
def _parts_of_names() -> frozenset[str]:
    """Return the words of names of several words: alone they would compete with the name."""
    words = lexicon()
    entries = (*words.objects.values(), *words.rooms.values(), *words.attributes.values())
    return frozenset(
        part for each in entries for form, _, _ in each.spellings() if " " in form for part in form.split()
    )


@cache
def _misspellings(terminal: str) -> SpellingIndex:
    return SpellingIndex(words_of(terminal))


def _ways(line: ReadSentence, run: range) -> Iterator[Production]:
    """Yield the productions that would cover a stretch of two or more known words and what follows it."""
    names = [line.readings[at][0].lexeme.terminal for at in run if line.readings[at]]
    if len(run) >= 2 and len(names) == len(run) and UNKNOWN not in names:
        firsts = grammar().firsts
        for host in HOSTS:
            if names[0] in firsts[host.head]:
                yield Production(host.head, (*names, host.after), host.name)


class _Index:
    """Finds the instructions that a production may help."""

    def __init__(self, corpus: Sequence[UncoveredText]) -> None:
        self._corpus = corpus
        self._numbers: dict[str, list[int]] = {}
        for number, failure in enumerate(corpus):
            places = [(line, at) for line in failure.lines for at in line.left]
            names = {line.words[at] for line, at in places}
            names |= {reading.lexeme.terminal for line, at in places for reading in line.readings[at]}
            for name in names:
                self._numbers.setdefault(name, []).append(number)

    def with_(self, production: Production) -> list[UncoveredText]:
        """Return the instructions that leave over what a production begins with."""
        names = production.symbols if production.is_word else _terminals(production)
        if not names:
            return list(self._corpus)
        few = min((self._numbers.get(name, []) for name in names), key=len)
        fits = _has_words if production.is_word else _has_terminals
        return [
            self._corpus[number]
            for number in few
            if any(fits(line, at, names) for line in self._corpus[number].lines for at in line.left)
        ]


def _has_words(line: ReadSentence, at: int, words: Sequence[str]) -> bool:
    return line.words[at : at + len(words)] == tuple(words)


def _has_terminals(line: ReadSentence, at: int, names: Sequence[str]) -> bool:
    return at + len(names) <= len(line.words) and all(
        any(reading.lexeme.terminal == name for reading in line.readings[at + k])
        for k, name in enumerate(names)
    )


def _tried(production: Production, corpus: Sequence[UncoveredText]) -> Proposal | None:
    """Try a production alone; None if the grammar cannot take it, or the parser could not understand it."""
    if not production.is_word and (production.head, production.name) not in UNDERSTOOD:
        return None
    try:
        rules = None if production.is_word else compiled(extended_rules([production]))
    except InputError:
        return None
    unlocked: list[str] = []
    helped: list[str] = []
    gained = 0
    for failure in corpus:
        left = sum(_left(line, production, rules) for line in failure.lines)
        gained += failure.left - left
        if left < failure.left:
            (helped if left else unlocked).append(failure.text_id)
    return Proposal(
        production=production,
        unlocks=len(unlocked),
        words=gained,
        tried=len(corpus),
        examples=(*unlocked, *helped)[:5],
    )


def _left(line: ReadSentence, production: Production, rules: Grammar | None) -> int:
    """Return how many words of a sentence are left over with a production."""
    if not production.is_word:
        return taken(line.readings, rules).count("")
    size = len(production.symbols)
    places = [at for at in range(len(line.words)) if _has_words(line, at, production.symbols)]
    if not places:
        return len(line.left)
    lexeme = Lexeme(production.head, production.phrase)
    return taken(_with(line, {at: LexicalReading(lexeme, at + size) for at in places})).count("")


def _with(line: ReadSentence, more: Mapping[int, LexicalReading]) -> list[tuple[LexicalReading, ...]]:
    """Return the readings of a sentence with further ones; what they cover is no longer *unknown*."""
    known = {at for start, reading in more.items() for at in range(start, reading.end)}
    return [
        (
            *(r for r in here if at not in known or r.lexeme.terminal != UNKNOWN),
            *((more[at],) if at in more else ()),
        )
        for at, here in enumerate(line.readings)
    ]
