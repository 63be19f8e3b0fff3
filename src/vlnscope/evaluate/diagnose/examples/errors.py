"""Which words of a shown instruction are wrong on purpose, and what was there before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from vlnscope.benchmarks.errors.detection.annotation import wrong_words
from vlnscope.language.alignment import words_of
from vlnscope.reporting.walk_data import WrongWords
from vlnscope.types import Episode


def planted(episode: Episode, pieces: Sequence[str]) -> tuple[WrongWords, ...]:
    """Return the planted errors of an instruction that is cut into pieces.

    Example:
        >>> from vlnscope.types import InstructionErrors, WordSwap
        >>> errors = InstructionErrors(True, 1, (WordSwap("left", "right", (), (1,)),))
        >>> it = Episode(episode_id="1", path_id="1", scan="s", instruction="Turn right.", errors=errors)
        >>> planted(it, ["Turn ", "right."])
        (WrongWords(words=(1,), meant='left'),)
    """
    spans = [span for _, span in words_of(episode.instruction)]
    ends = list(pairwise(accumulate(map(len, pieces), initial=0)))
    groups = wrong_words(episode)
    swaps = episode.errors.swaps if episode.errors is not None else ()
    told = [swap.old_word for swap in swaps] if len(swaps) == len(groups) else [""] * len(groups)
    found = []
    for words, meant in zip(groups, told, strict=True):
        starts = [spans[word].start for word in words if word < len(spans)]
        here = tuple(k for k, (a, b) in enumerate(ends) if any(a <= start < b for start in starts))
        if here:
            found.append(WrongWords(here, meant))
    return tuple(found)
