"""Where sub-instructions end in the original text.

The words of sub-instructions may be lemmas in lower case (FGR2R), so the text is never made of them: they
only say where to cut it. A word of a sub-instruction is matched with a word of the text, in order; words
that one side lacks are passed over, at a cost that the best matching keeps small.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.types import Chunk, Episode

_WORD = re.compile(r"[^\W_]+")
_TAIL = re.compile(r"[^\w\s]*")
_SKIP = 0.7
_ALIEN = 1.0
_KIN = 0.2
_STEM = 3


class Cut(NamedTuple):
    """The text that leads to a node: ``path[: nodes]`` is walked when it is said."""

    nodes: int
    text: str


def chunk_cuts(episode: Episode) -> list[Cut]:
    """Return the text that leads to each node at which a sub-instruction ends, the shortest way first.

    The text at node j is that of all sub-instructions that end at or before j. So a sub-instruction of no
    length, which describes something done on the spot (“turn left”, “wait”), goes with the node where it
    is done, and is part of the text that leads there.

    Example:
        >>> chunks = (Chunk(("turn",), 1, 1), Chunk(("pass", "the", "chair"), 1, 3), Chunk(("stop",), 3, 4))
        >>> text = "Turn, pass the chairs. Stop."
        >>> it = Episode(episode_id="1_0", path_id="1", scan="s", instruction=text, chunks=chunks)
        >>> [(cut.nodes, cut.text) for cut in chunk_cuts(it)]
        [(1, 'Turn,'), (3, 'Turn, pass the chairs.'), (4, 'Turn, pass the chairs. Stop.')]
    """
    ends = chunk_ends(episode.instruction, episode.chunks)
    reached: dict[int, int] = {}
    for chunk, end in zip(episode.chunks, ends, strict=True):
        reached[chunk.last_step] = max(reached.get(chunk.last_step, 0), end)
    furthest = 0
    cuts: list[Cut] = []
    for nodes in sorted(reached):
        furthest = max(furthest, reached[nodes])
        cuts.append(Cut(nodes, episode.instruction[:furthest].strip()))
    return cuts


def chunk_ends(text: str, chunks: Sequence[Chunk]) -> list[int]:
    """Return where in the text each sub-instruction ends, the punctuation after its last word included.

    A sub-instruction of which no word is found ends where the one before it does.
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    said = [text[start:end].lower() for start, end in spans]
    words = [(word, k) for k, chunk in enumerate(chunks) for word in _pieces(chunk)]
    ends = [0] * len(chunks)
    for place, (_, k) in zip(match_words(said, [word for word, _ in words]), words, strict=True):
        if place is not None:
            ends[k] = _TAIL.match(text, spans[place][1]).end()  # type: ignore[union-attr]  # matches nothing too
    for k in range(1, len(ends)):
        ends[k] = max(ends[k - 1], ends[k])
    return ends


def match_words(said: Sequence[str], words: Sequence[str]) -> list[int | None]:
    """Return for each of `words` the place of its word among `said`, in order; None if it has none.

    Example:
        >>> match_words(["walk", "past", "the", "two", "chairs"], ["walk", "the", "2", "chair"])
        [0, 2, 3, 4]
    """
    if len(said) == len(words) and all(_cost(a, b) <= _KIN for a, b in zip(said, words, strict=True)):
        return list(range(len(words)))
    costs = [[_SKIP * j for j in range(len(said) + 1)]]
    for i, word in enumerate(words, 1):
        row = [_SKIP * i]
        for j, spoken in enumerate(said, 1):
            matched = costs[i - 1][j - 1] + _cost(spoken, word)
            row.append(min(matched, costs[i - 1][j] + _SKIP, row[j - 1] + _SKIP))
        costs.append(row)
    return _traced(costs, said, words)


def _traced(costs: list[list[float]], said: Sequence[str], words: Sequence[str]) -> list[int | None]:
    found: list[int | None] = [None] * len(words)
    i, j = len(words), len(said)
    while i and j:
        if costs[i][j] == costs[i - 1][j - 1] + _cost(said[j - 1], words[i - 1]):
            i, j = i - 1, j - 1
            found[i] = j
        elif costs[i][j] == costs[i - 1][j] + _SKIP:
            i -= 1
        else:
            j -= 1
    return found


def _cost(spoken: str, word: str) -> float:
    if spoken == word:
        return 0.0
    return _KIN if spoken[:_STEM] == word[:_STEM] or spoken[:1] == word[:1] == word else _ALIEN


def _pieces(chunk: Chunk) -> list[str]:
    return [piece.lower() for word in chunk.words for piece in _WORD.findall(word)]
