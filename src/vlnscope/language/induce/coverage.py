"""What the grammar cannot cover in a corpus: the words that are left over, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from vlnscope.language.lexicon.tokens import COMMA, LexicalReading, readings, sentences
from vlnscope.language.parse.chart import cover
from vlnscope.language.parse.parser import parse
from vlnscope.language.parse.rules import Grammar

Around = tuple[str, str]


class TerminalContexts:
    """Counts terminals by the terminals before and after them, in sentences that are covered.

    Example:
        >>> from vlnscope.language.induce.coverage import read_sentences
        >>> seen = TerminalContexts(read_sentences("Walk past the sofa. Walk past the red chair."))
        >>> seen.shares(("WALK", "THE"))
        {'PAST': 1.0}
    """

    def __init__(self, lines: Iterable[ReadSentence] = ()) -> None:
        self._counts: dict[Around, Counter[str]] = {}
        self._words: Counter[str] = Counter()
        for line in lines:
            self.add(line)

    def add(self, line: ReadSentence) -> None:
        """Count a sentence; words of one terminal that stand together count once."""
        self._words.update(line.words)
        at = 0
        while at < len(line.taken):
            stop = at + 1
            while stop < len(line.taken) and line.taken[stop] == line.taken[at]:
                stop += 1
            if line.taken[at]:
                self._counts.setdefault(line.around(range(at, stop)), Counter())[line.taken[at]] += 1
            at = stop

    def shares(self, around: Around) -> Mapping[str, float]:
        """Return how often each terminal stands there, as shares of all."""
        counts = self._counts.get(around, Counter())
        total = sum(counts.values())
        return {terminal: count / total for terminal, count in sorted(counts.items())}

    def count(self, word: str) -> int:
        """Return how often a word occurs in sentences that are covered."""
        return self._words[word]


Text = tuple[str, str]
"""An instruction: its id and its words."""


class ReadSentence(NamedTuple):
    """A sentence: its words in lower case, what each can be read as, and what it was read as.

    `taken` is the terminal that each word is part of, or nothing for words that are left over.
    """

    words: tuple[str, ...]
    readings: tuple[tuple[LexicalReading, ...], ...]
    taken: tuple[str, ...]

    @property
    def left(self) -> tuple[int, ...]:
        """The places of the words that are left over."""
        return tuple(at for at, terminal in enumerate(self.taken) if not terminal)

    def around(self, run: range) -> tuple[str, str]:
        """Return the terminals before and after a stretch of words; ``^`` and ``$`` at the ends."""
        before = self.taken[run.start - 1] if run.start else "^"
        return before, self.taken[run.stop] if run.stop < len(self.taken) else "$"

    def runs(self) -> list[range]:
        """Return the stretches of words that are left over."""
        runs: list[range] = []
        for at in self.left:
            if runs and runs[-1].stop == at:
                runs[-1] = range(runs[-1].start, at + 1)
            else:
                runs.append(range(at, at + 1))
        return runs


class UncoveredText(NamedTuple):
    """An instruction that is not covered: its id and the sentences that are not."""

    text_id: str
    lines: tuple[ReadSentence, ...]

    @property
    def left(self) -> int:
        """How many words are left over."""
        return sum(len(line.left) for line in self.lines)


class Coverage(msgspec.Struct, frozen=True):
    """How much of a corpus the parser covers.

    Attributes:
        instructions: how many there are.
        whole: how many of them are parsed in full.
        words: how many words there are.
        consumed: how many of them are terminals of what was parsed.
    """

    instructions: int
    whole: int
    words: int
    consumed: int

    @property
    def whole_share(self) -> float:
        """Share of the instructions that are parsed in full."""
        return self.whole / self.instructions if self.instructions else 1.0

    @property
    def word_share(self) -> float:
        """Share of the words that are consumed."""
        return self.consumed / self.words if self.words else 1.0


class Leftover(msgspec.Struct, frozen=True):
    """Words that are left over: in how many instructions, and the ids of some of them."""

    phrase: str
    instructions: int
    examples: tuple[str, ...]


def coverage(texts: Iterable[Text]) -> Coverage:
    """Measure with the parser itself how much of a corpus is covered.

    Example:
        >>> coverage([("a", "Turn left."), ("b", "Turn left and frobnicate.")])
        Coverage(instructions=2, whole=1, words=6, consumed=4)
    """
    instructions = whole = words = consumed = 0
    for _, text in texts:
        parsed = parse(text)
        skipped = len(parsed.skipped)
        instructions += 1
        whole += not skipped
        words += len(parsed.tokens)
        consumed += len(parsed.tokens) - skipped
    return Coverage(instructions, whole, words, consumed)


def failures(texts: Iterable[Text]) -> list[UncoveredText]:
    """Return the instructions of a corpus that the grammar does not cover, and where."""
    uncovered = []
    for text_id, text in texts:
        lines = [line for line in read_sentences(text) if line.left]
        if lines:
            uncovered.append(UncoveredText(text_id, tuple(lines)))
    return uncovered


def leftovers(corpus: Iterable[UncoveredText]) -> list[Leftover]:
    """Return the stretches of words that are left over, those of most instructions first.

    Example:
        >>> leftovers(failures([("a", "Turn left. Frobnicate."), ("b", "Frobnicate.")]))[0]
        Leftover(phrase='frobnicate', instructions=2, examples=('a', 'b'))
    """
    owners: dict[str, dict[str, None]] = {}
    for failure in corpus:
        for line in failure.lines:
            for run in line.runs():
                phrase = " ".join(line.words[run.start : run.stop])
                owners.setdefault(phrase, {})[failure.text_id] = None
    unread = [Leftover(phrase, len(ids), tuple(ids)[:3]) for phrase, ids in owners.items()]
    return sorted(unread, key=lambda each: (-each.instructions, each.phrase))


def read_sentences(text: str) -> list[ReadSentence]:
    """Return the sentences of an instruction as the grammar reads them."""
    read = []
    for sentence in sentences(text):
        there = tuple(tuple(here) for here in readings(sentence))
        words = tuple("," if word is COMMA else text[word.start : word.end].casefold() for word in sentence)
        read.append(ReadSentence(words, there, taken(there)))
    return read


def taken(there: Sequence[Sequence[LexicalReading]], rules: Grammar | None = None) -> tuple[str, ...]:
    """Return the terminal that each word of a sentence is part of; nothing for words that are left over."""
    terminals = ["COMMA" if _is_comma(here) else "" for here in there]
    for node in cover(there, rules):
        for leaf in node.leaves():
            if leaf.is_word:
                terminals[leaf.start : leaf.stop] = [leaf.lexeme.terminal] * (leaf.stop - leaf.start)
    return tuple(terminals)


def _is_comma(here: Sequence[LexicalReading]) -> bool:
    return any(reading.lexeme.terminal == "COMMA" for reading in here)
