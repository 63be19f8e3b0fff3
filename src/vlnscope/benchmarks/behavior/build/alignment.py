"""Which part of an instruction leads where: by its sub-instructions, or by the times of its words.

The words of sub-instructions may be lemmas in lower case (FGR2R), so the text is never made of them: they
only say where to cut it. A word of a sub-instruction is matched with a word of the text, in order; words
that one side lacks are passed over, at a cost that the best matching keeps small.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.episodes.datasets.pose_trace import PoseTrace, read_pose_trace
from vlnscope.types import Chunk, Episode

_WORD = re.compile(r"[^\W_]+")
_TAIL = re.compile(r"[^\w\s]*")
_SKIP = 0.7
_ALIEN = 1.0
_KIN = 0.2
_STEM = 3


class Arrival(NamedTuple):
    """When the speaker first stood at a node: ``path[: nodes]`` is then walked."""

    nodes: int
    time: float


def arrivals(path: Sequence[str], trace: PoseTrace) -> list[Arrival]:
    """Return when each node of a path is first in a trace; nodes that it lacks are passed over."""
    first: dict[str, float] = {}
    for viewpoint, time in zip(trace.pano, trace.time.tolist(), strict=True):
        first.setdefault(viewpoint, time)
    return [Arrival(k, first[node]) for k, node in enumerate(path, 1) if node in first]


def spoken_cuts(episode: Episode, trace: PoseTrace, *, ahead: int = 0) -> list[Cut]:
    """Return the text said before the speaker reached each node from the second on, as vln-behave cuts it.

    A word belongs to the node before if it ends no later than the node is reached; one that has no time goes
    where it stands. Each word begins at most one cut, so two nodes that are reached within one word are
    cut one word apart. The last cut is dropped, so a path of T nodes has T − 2.

    Args:
        episode: with timed words.
        trace: the guide's.
        ahead: 1 for texts that go on to the node after the one at which the path ends.

    Raises:
        InputError: no word has a time, or the trace has no node of the path.
    """
    reached = arrivals(episode.path, trace)
    _check(episode, reached)
    cuts: list[Cut] = []
    said: list[str] = []
    waiting = iter(reached[1 + ahead :])
    node = next(waiting, None)
    for word in episode.words:
        if node is None:
            break
        if not _in_time(word.end_time, node.time):
            cuts.append(Cut(node.nodes - ahead, " ".join(said)))
            node = next(waiting, None)
        said.append(word.word)
    return cuts[:-1]


def read_guide_trace(folder: Path, episode: Episode) -> PoseTrace:
    """Read the guide's trace of an episode from the folder that holds those of its split.

    Raises:
        DataNotFoundError: it is not there.
    """
    path = folder / f"{episode.episode_id.zfill(6)}_guide_pose_trace.npz"
    if not path.is_file():
        raise DataNotFoundError(
            f"episode {episode.episode_id}: its pose trace {path} is not there",
            expected="the guides' pose traces of the split, one file per instruction",
            fix="download them from the RxR release, and name their folder as traces",
        )
    return read_pose_trace(path)


def _in_time(end: float | None, reached: float) -> bool:
    return end is None or math.isnan(end) or end <= reached


def _check(episode: Episode, reached: Sequence[Arrival]) -> None:
    if all(word.end_time is None for word in episode.words):
        raise InputError(
            f"episode {episode.episode_id}: none of its {len(episode.words)} words has a time",
            expected="the times at which words are said (timed_instruction)",
            fix="use the guide file of RxR, or data with sub-instructions such as fgr2r/val_unseen",
        )
    if not reached:
        raise InputError(
            f"episode {episode.episode_id}: its pose trace visits no viewpoint of its path",
            expected="the trace of the same instruction",
            fix="check that traces and episodes are of the same split",
        )


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
    for index, (_, k) in zip(match_words(said, [word for word, _ in words]), words, strict=True):
        if index is not None:
            ends[k] = _TAIL.match(text, spans[index][1]).end()  # type: ignore[union-attr]  # matches nothing too
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
    matches: list[int | None] = [None] * len(words)
    i, j = len(words), len(said)
    while i and j:
        if costs[i][j] == costs[i - 1][j - 1] + _cost(said[j - 1], words[i - 1]):
            i, j = i - 1, j - 1
            matches[i] = j
        elif costs[i][j] == costs[i - 1][j] + _SKIP:
            i -= 1
        else:
            j -= 1
    return matches


def _cost(spoken: str, word: str) -> float:
    if spoken == word:
        return 0.0
    return _KIN if spoken[:_STEM] == word[:_STEM] or spoken[:1] == word[:1] == word else _ALIEN


def _pieces(chunk: Chunk) -> list[str]:
    return [piece.lower() for word in chunk.words for piece in _WORD.findall(word)]
