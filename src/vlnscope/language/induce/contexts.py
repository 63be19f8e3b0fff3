"""Which terminals stand between which: what a grammar that covers most of a corpus says of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from vlnscope.language.induce.gaps import Line

Around = tuple[str, str]


class Contexts:
    """Counts terminals by the terminals before and after them, in sentences that are covered.

    Example:
        >>> from vlnscope.language.induce.gaps import read_lines
        >>> seen = Contexts(read_lines("Walk past the sofa. Walk past the red chair."))
        >>> seen.shares(("WALK", "THE"))
        {'PAST': 1.0}
    """

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._counts: dict[Around, Counter[str]] = {}
        self._words: Counter[str] = Counter()
        for line in lines:
            self.add(line)

    def add(self, line: Line) -> None:
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
