"""Which words of an instruction are wrong: what builders record, or what files of R2RIE-CE say."""

from __future__ import annotations

import re

from vlnscope.benchmarks.errors.detection.protocol import words_at
from vlnscope.language.actions import Span
from vlnscope.language.alignment import words_of
from vlnscope.types import Episode, WordSwap


def wrong_words(episode: Episode) -> tuple[tuple[int, ...], ...]:
    """Return the words of each planted error, counted from 0; nothing for an instruction without error.

    Cases that vlnscope builds record them. Files of R2RIE-CE give positions of word-pieces; there the
    words are looked for, and of several places the one nearest to that position is taken.
    """
    if episode.errors is None or not episode.errors.contains_error:
        return ()
    recorded = episode.extra.get("words_swapped")
    if recorded is not None:
        return tuple(tuple(one["positions"]) for one in recorded)
    positions = (_found(episode.instruction, swap) for swap in episode.errors.swaps)
    return tuple(words for words in positions if words)


def is_wrong(episode: Episode) -> bool:
    """Return whether an instruction is known to contain an error."""
    return episode.errors is not None and episode.errors.contains_error


def _found(text: str, swap: WordSwap) -> tuple[int, ...]:
    words = words_of(text)
    places = re.finditer(rf"\b{re.escape(swap.new_word)}\b", text, re.IGNORECASE)
    spots = [words_at(words, Span(*match.span())) for match in places]
    expected = swap.token_id_position[0] if swap.token_id_position else 0
    return min((spot for spot in spots if spot), key=lambda spot: abs(spot[0] - expected), default=())
