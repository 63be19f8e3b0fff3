"""Words that matter: which words of instructions go with success, and which with failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.estimates import column, sample_mean
from vlnscope.benchmarks.kit.findings import Cell, Findings, Statement, Table, Wording, literal, statement
from vlnscope.language.lexicon.entries import lexicon, read_words
from vlnscope.language.lexicon.tokens import readings, sentences
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import ANY, Interval
from vlnscope.stats.multiplicity import holm
from vlnscope.stats.nesting import FEW_UNITS
from vlnscope.types import Flags, Floats, ScoreRow

WORDS = "words"
"""Stands for the benchmark where words are told apart."""
FEWEST = 0.04
"""A word is looked at if at least this share of the instructions has it, and this share does not."""
SHOWN = 12
_ALPHA = 0.05


class TellingWord(NamedTuple):
    """Something that instructions speak of, and what success is worth where one does and where not.

    Attributes:
        word: an object, room, attribute, ordinal, number or direction, by the lexicon's name.
        instructions: how many speak of it.
        with_it: success rate of those.
        without: of the others.
        difference: with − without.
        p: that there is none, after Holm's correction over all words that were looked at.
        tests: how many those are.
    """

    word: str
    instructions: int
    with_it: float
    without: float
    difference: Interval
    p: float
    tests: int


@cache
def _directions() -> frozenset[str]:
    return frozenset(read_words("directions").entries)


def spoken_of(text: str) -> frozenset[str]:
    """Return what an instruction speaks of: objects, rooms, attributes, ordinals, numbers and directions.

    Example:
        >>> sorted(spoken_of("Go forward past the second couch, then turn left."))
        ['left', 'second', 'sofa', 'straight']
    """
    named = lexicon().by_terminal
    found = set()
    for sentence in sentences(text):
        for here in readings(sentence):
            for lexeme in (reading.lexeme for reading in here):
                if lexeme.terminal in named:
                    found.add(lexeme.name)
                elif lexeme.terminal in _directions():
                    found.add(lexeme.terminal.lower().replace("_", " "))
    return frozenset(found)


def telling_words(rows: Sequence[ScoreRow], texts: Mapping[str, str]) -> list[TellingWord]:
    """Compare the success of instructions with and without each word; the clearest difference first.

    Words do not cause anything here: what is hard to find may stand in hard houses. They show where to look.
    With fewer than six scenes, or where every walk ends the same, nothing is told.

    Args:
        rows: scores of episodes.
        texts: instructions by episode.
    """
    known = [row for row in rows if "SR" in row.values and row.episode_id in texts]
    if len({row.scan for row in known}) < FEW_UNITS or len({row.values["SR"] for row in known}) < 2:
        return []
    spoken = [spoken_of(texts[row.episode_id]) for row in known]
    count = Counter(word for words in spoken for word in words)
    least = FEWEST * len(known)
    common = sorted(word for word, many in count.items() if least <= many <= len(known) - least)
    values = column(known, "SR").values
    found = []
    for word in common:
        has: Flags = np.array([word in words for words in spoken])
        difference = _difference(values, has, known)
        p = difference.p_value(0.0)
        if p is not None:
            rates = float(values[has].mean()), float(values[~has].mean())
            found.append(TellingWord(word, count[word], *rates, difference, p, len(common)))
    corrected = holm([one.p for one in found]) if found else []
    told = [one._replace(p=p) for one, p in zip(found, corrected, strict=True)]
    return sorted(told, key=lambda one: (one.p, -abs(one.difference.mean or 0.0), one.word))


def _difference(values: Floats, has: Flags, rows: Sequence[ScoreRow]) -> Interval:
    """Return the difference of two means of the same rows, as the mean of what each row adds to it.

    Both means come from the same scenes; the interval takes scenes as the observations, as for any mean.
    """
    share = has.mean()
    one, other = values[has].mean(), values[~has].mean()
    added = np.where(has, (values - one) / share, (other - values) / (1.0 - share)) + one - other
    return sample_mean(Sample(added, np.ones(len(rows), dtype=np.bool_)), rows, within=ANY)


def word_findings(data: str, told: Mapping[str, Sequence[TellingWord]]) -> Findings | None:
    """Return what words show of agents on a data set; None if there are no words to tell of."""
    told = {agent: words for agent, words in told.items() if words}
    if not told:
        return None
    rows = [
        (agent, word.word, word.instructions, *_cells(word))
        for agent, words in told.items()
        for word in words[:SHOWN]
    ]
    columns = ("agent", "spoken of", "instructions", "SR with (%)", "SR without (%)", "difference (points)")
    return Findings(
        benchmark=WORDS,
        data=data,
        agents=tuple(told),
        statements=tuple(one for agent, words in told.items() for one in _statements(agent, words)),
        tables=(
            Table(
                name="words",
                title="What instructions speak of, and success: the clearest differences",
                columns=(*columns, "from", "to", "p corrected"),
                rows=tuple(rows),
                notes=(
                    "p: that there is no difference, after Holm's correction over all words looked at",
                    "a word that goes with failure need not cause it",
                ),
            ),
        ),
        notes=(
            "looked at: objects, rooms, attributes, ordinals, numbers and directions that at least "
            f"{100 * FEWEST:.0f} % of the instructions speak of, and as many do not",
        ),
    )


def _cells(word: TellingWord) -> Iterator[Cell]:
    gap = word.difference
    for number in (word.with_it, word.without, gap.mean, gap.low, gap.high):
        yield None if number is None else 100.0 * number
    yield word.p


def _statements(agent: str, words: Sequence[TellingWord]) -> Iterator[Statement]:
    clear = [word for word in words if word.p <= _ALPHA]
    for word in clear[:SHOWN]:
        said = f"where the instruction speaks of “{literal(word.word)}” ({word.instructions:,} do): {{value}}"
        wording = Wording(
            above=f"succeeds more often {said}",
            below=f"succeeds less often {said}",
            unclear=f"is not shown to succeed more or less often {said}",
        )
        yield statement(
            f"word.{word.word}", agent, word.difference, wording, metric="SR", null=0.0, unit="points"
        )
    if not clear:
        first = words[0]
        wording = Wording(plain=_nothing(first))
        yield statement("word.none", agent, first.difference, wording, metric="SR", unit="points", weight=0.2)


def _nothing(word: TellingWord) -> str:
    return (
        f"no single word of the {word.tests:,} looked at goes with success or failure beyond chance; nearest "
        f"to it is “{literal(word.word)}”: {{value}}"
    )
