"""Cuts an instruction into sub-instructions: pieces of its own text, each for one stretch of the path.

Where the data set says what the sub-instructions are (FGR2R, the built-in houses), the text is cut where they
begin. FGR2R keeps only the stems of some words, so its words are found in the text by their first letters.
Elsewhere the text is cut where the parser sees a new action begin. Nothing of the text is lost, and
punctuation stays with the piece before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse
from vlnscope.types import Chunk, Episode

_STEM = 3
"""Letters that “chairs” and “chair”, “entering” and “enter” have in common."""


def pieces_of(episode: Episode) -> list[str]:
    """Return the sub-instructions of an episode, in order.

    Example:
        >>> turn, stop = Chunk(("turn", "left"), 1, 2), Chunk(("and", "stop"), 2, 3)
        >>> told = {"instruction": "Turn left, and stop. ", "chunks": (turn, stop)}
        >>> pieces_of(Episode(episode_id="1_0", path_id="1", scan="s", **told))
        ['Turn left,', 'and stop.']
    """
    text = episode.instruction
    starts = _chunk_starts(text, episode.chunks) if episode.chunks else _action_starts(text)
    cuts = [0, *sorted(set(starts))[1:], len(text)]
    return [piece for a, b in pairwise(cuts) if (piece := text[a:b].strip())]


def _action_starts(text: str) -> list[int]:
    return [action.span.start for action in parse(text).actions]


def _chunk_starts(text: str, chunks: Sequence[Chunk]) -> list[int]:
    """Return where chunks begin in a text: at the word that is aligned with their first one."""
    written = words_of(text)
    said = [[word for word in chunk.words if any(map(str.isalnum, word))] for chunk in chunks]
    aligner = SequenceMatcher(
        None,
        _stems(word for word, _ in written),
        _stems(word for words in said for word in words),
        autojunk=False,
    )
    blocks = aligner.get_matching_blocks()
    starts: list[int] = []
    first = 0
    for words in said:
        block = max((b for b in blocks if b.b <= first), key=lambda b: b.b, default=blocks[-1])
        place = min(block.a + first - block.b, len(written) - 1)
        if words and place >= 0:
            starts.append(written[place][1].start)
        first += len(words)
    return starts


def _stems(words: Iterable[str]) -> list[str]:
    return [word.casefold()[:_STEM] for word in words]
