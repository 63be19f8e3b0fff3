"""Which words belong to which steps: words with steps, sub-instructions as in FGR2R, times as in RxR."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from vlnscope.language.actions import Span
from vlnscope.types import Chunk, Point, TimedWord

SPEAKING = 2.4
"""Words that a speaker says in a second."""
WALKING = 1.2
"""Metres that a speaker walks in a second."""
_WORD = re.compile(r"[A-Za-z0-9]+(?:['’-][A-Za-z0-9]+)*")


class AlignedWord(NamedTuple):
    """A word of an instruction: its text, where it is, and the step at which it is acted upon."""

    text: str
    span: Span
    step: int


class StepSpan(NamedTuple):
    """Characters of a text that speak of the steps `first` to `last`."""

    start: int
    end: int
    first: int
    last: int


def words_of(text: str) -> list[tuple[str, Span]]:
    """Return the words of a text with their places; punctuation is left out.

    Example:
        >>> [word for word, _ in words_of("Go past the mud-room, and don't stop.")]
        ['Go', 'past', 'the', 'mud-room', 'and', "don't", 'stop']
    """
    return [(match[0], Span(*match.span())) for match in _WORD.finditer(text)]


def align(text: str, stretches: Sequence[StepSpan]) -> tuple[AlignedWord, ...]:
    """Give every word the step at which it is acted upon.

    The words of a stretch are spread over its steps but the last, where the next stretch begins; joining
    words go with the words after them.
    """
    aligned: list[AlignedWord] = []
    words = words_of(text)
    of = [_stretch_of(span, stretches) for _, span in words]
    for number, its in groupby(range(len(words)), key=of.__getitem__):
        stretch, indices = stretches[number], list(its)
        steps = max(1, stretch.last - stretch.first)
        for position, k in enumerate(indices):
            aligned.append(AlignedWord(*words[k], stretch.first + position * steps // len(indices)))
    return tuple(aligned)


def _stretch_of(span: Span, stretches: Sequence[StepSpan]) -> int:
    for number, stretch in enumerate(stretches):
        if span.start < stretch.end:
            return number
    return len(stretches) - 1


def chunks_of(text: str, stretches: Sequence[StepSpan], end: int) -> tuple[Chunk, ...]:
    """Return the sub-instructions with the 1-based steps that they cover; each begins where one ended."""
    chunks: list[Chunk] = []
    words = words_of(text)
    of = [_stretch_of(span, stretches) for _, span in words]
    reached = 1
    for k, stretch in enumerate(stretches):
        its = tuple(word.lower() for (word, _), number in zip(words, of, strict=True) if number == k)
        last = end + 1 if k == len(stretches) - 1 else max(reached, stretch.last + 1)
        chunks.append(Chunk(its, reached, last))
        reached = last
    return tuple(chunks)


def times_of(
    words: Sequence[AlignedWord], positions: Sequence[Point]
) -> tuple[tuple[TimedWord, ...], tuple[float, ...]]:
    """Return when a speaker who walks along says each word, and when he reaches each step.

    A step is reached when the words said on the way to it are out and there was time to walk there.
    """
    timed: list[TimedWord] = []
    arrivals = [0.0]
    clock = 0.5
    queue = list(words)
    for step, here in enumerate(positions):
        clock = max(clock, arrivals[step])
        while queue and (queue[0].step <= step or step == len(positions) - 1):
            word = queue.pop(0)
            length = (0.6 + 0.08 * len(word.text)) / SPEAKING
            timed.append(TimedWord(word.text, round(clock, 2), round(clock + length, 2)))
            clock += length + 0.05
        if step < len(positions) - 1:
            walked = sum((a - b) ** 2 for a, b in zip(here, positions[step + 1], strict=True)) ** 0.5
            arrivals.append(round(max(clock, arrivals[step] + walked / WALKING), 2))
    return tuple(timed), tuple(arrivals)
