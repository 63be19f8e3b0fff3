"""Building the grammar in rounds: propose what is missing, let somebody decide, measure, and again.

The paper that this follows (NavNuances, Section 3.1 and Appendix I) lets GPT-4 parse instructions with the
grammar and report omissions, which people then add, for about ten rounds. Here any proposer may report them,
every proposal says how many instructions it would unlock, and coverage is measured after each round on texts
that nothing was proposed from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from vlnscope.language import productions
from vlnscope.language.induce.coverage import (
    Coverage,
    TerminalContexts,
    Text,
    UncoveredText,
    coverage,
    read_sentences,
)
from vlnscope.language.induce.proposals import Proposal, propose, rank
from vlnscope.language.lexicon import lexicon, tokens
from vlnscope.language.parse import rules as parsing_rules
from vlnscope.language.productions import Production

_CACHES = (
    lexicon,
    tokens.correct_spelling,
    tokens._index,
    tokens._parts_of_names,
    tokens._neighbours,
    parsing_rules.plain_rules,
    parsing_rules.grammar,
)


@contextmanager
def extended(more: Iterable[Production]) -> Iterator[None]:
    """Let the parser read these productions instead of the package's, until the block ends.

    For the whole process, so not beside other threads that parse.
    """
    _use(tuple(more))
    try:
        yield
    finally:
        _use(None)


def _use(chosen: tuple[Production, ...] | None) -> None:
    productions.use_instead(chosen)
    for cached in _CACHES:
        cached.cache_clear()


Proposer = Callable[[Sequence[UncoveredText], TerminalContexts], Iterable[Production]]
"""Says what the grammar lacks, from instructions that it does not cover and from what it does cover."""


class ProposalDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal and what was decided; None if nobody has decided yet."""

    proposal: Proposal
    accept: bool | None


class ConstructionRound(msgspec.Struct, frozen=True, kw_only=True):
    """One round.

    Attributes:
        number: 0 for the state before the first.
        verdicts: what was proposed and decided, the most useful first.
        corpus: coverage of the texts that proposals come from, after the round.
        check: coverage of the other texts, after the round.
    """

    number: int
    verdicts: tuple[ProposalDecision, ...] = ()
    corpus: Coverage
    check: Coverage


class Construction:
    """A grammar that is being built.

    Args:
        corpus: texts that proposals come from.
        check: texts that coverage is measured on.
        start: productions to begin with, beside the grammar as it was written.
        proposer: proposes; the built-in rules by default.
        number: of the last round that is already done.

    Attributes:
        productions: what the grammar has been given so far.
    """

    def __init__(
        self,
        corpus: Sequence[Text],
        check: Sequence[Text],
        *,
        start: Iterable[Production] = (),
        proposer: Proposer = propose,
        number: int = 0,
    ) -> None:
        self.productions = tuple(start)
        self._check, self._proposer, self._number = check, proposer, number
        self._size = len(corpus)
        self._rejected: set[Production] = set()
        self._contexts = TerminalContexts()
        self._open = dict(corpus)
        self._failures: list[UncoveredText] = []
        self._words = self._read()

    def state(self, verdicts: Sequence[ProposalDecision] = ()) -> ConstructionRound:
        """Measure what there is now."""
        with extended(self.productions):
            check = coverage(self._check)
        left = sum(failure.left for failure in self._failures)
        corpus = Coverage(self._size, self._size - len(self._failures), self._words, self._words - left)
        return ConstructionRound(number=self._number, verdicts=tuple(verdicts), corpus=corpus, check=check)

    def proposals(self, *, least: int = 2, most: int = 50) -> list[Proposal]:
        """Return what the proposer misses, tried on the corpus, the most useful first.

        Args:
            least: how many instructions a proposal must unlock.
            most: how many are returned.
        """
        with extended(self.productions):
            candidates = self._proposer(self._failures, self._contexts)
            fresh = [each for each in candidates if each not in self._rejected]
            return rank(fresh, self._failures, least)[:most]

    def close(self, verdicts: Sequence[ProposalDecision]) -> ConstructionRound:
        """End a round: take what was accepted, forget what was rejected, and measure."""
        self._number += 1
        self._rejected |= {each.proposal.production for each in verdicts if each.accept is False}
        taken = [each.proposal.production for each in verdicts if each.accept]
        if taken:
            self.productions = (*self.productions, *taken)
            self._read()
        return self.state(verdicts)

    def _read(self) -> int:
        """Read what is not covered, and return how many words that is.

        What was covered once is taken to stay so, and is not read again.
        """
        self._failures = []
        words = 0
        with extended(self.productions):
            for text_id, text in list(self._open.items()):
                lines = read_sentences(text)
                words += sum(word != "," for line in lines for word in line.words)
                open_lines = tuple(line for line in lines if line.left)
                if open_lines:
                    self._failures.append(UncoveredText(text_id, open_lines))
                    continue
                del self._open[text_id]
                for line in lines:
                    self._contexts.add(line)
        return words
