"""What is left of an instruction when part of its meaning is taken away.

==============  ==========================================================================================
``full``        as it is
``last-five``   its last five tokens, a word and a punctuation mark being one token each, as in the tokenisers
                of R2R's agents
``none``        the empty text
``other``       the instruction of another path, in another scene unless there is only one: as long and as
                well-formed as any, but for somewhere else
``shuffled``    its sub-instructions (`pieces_of`) in another
                order; those of a joined path are those of its parts. The same words, but the sequence is lost
==============  ==========================================================================================

The first four are those of V. Jain et al. (2019), sections 5 to 5.2. What would leave a text as it is (five
tokens or fewer, a single sub-instruction, no other path) is not done at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from vlnscope.benchmarks.fidelity.build.paths import DescribedPath
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse
from vlnscope.types import Chunk, Episode

_STEM = 3
"""Letters that “chairs” and “chair”, “entering” and “enter” have in common."""
FULL = "full"
ABLATIONS = (FULL, "last-five", "none", "other", "shuffled")
KEPT_TOKENS = 5
_TOKEN = re.compile(r"[.,;:!?()\"…]|[^\s.,;:!?()\"…]+")
_TRIES = 10


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
        index = min(block.a + first - block.b, len(written) - 1)
        if words and index >= 0:
            starts.append(written[index][1].start)
        first += len(words)
    return starts


def _stems(words: Iterable[str]) -> list[str]:
    return [word.casefold()[:_STEM] for word in words]


def check_ablations(names: Sequence[str]) -> tuple[str, ...]:
    """Return the ablations without repeats, in the order of `ABLATIONS`.

    Raises:
        InputError: a name is unknown, or ``full``, with which all others are compared, is missing.
    """
    for name in names:
        if name not in ABLATIONS:
            raise UnknownNameError("ablation", name, ABLATIONS)
    if FULL not in names:
        raise InputError(
            "the ablations lack 'full'",
            expected="the whole instruction among them, as all others are compared with it",
            fix="add full",
        )
    return tuple(name for name in ABLATIONS if name in names)


def count_tokens(text: str) -> int:
    """Return how many words and punctuation marks a text has."""
    return sum(1 for _ in _TOKEN.finditer(text))


def last_tokens(text: str, count: int = KEPT_TOKENS) -> str:
    """Return the end of a text from its last `count` tokens on.

    Example:
        >>> last_tokens("Leave the room, then don't stop by the sofa. ")
        'stop by the sofa.'
    """
    tokens = list(_TOKEN.finditer(text))
    return text[tokens[-count].start() :].rstrip() if len(tokens) > count else text


class Ablation:
    """Words episodes anew.

    Args:
        paths: all paths of the data set, from which other instructions are taken.
        seed: of all choices.
    """

    def __init__(self, paths: Sequence[DescribedPath], seed: int) -> None:
        self._paths = paths
        self._seed = seed
        self._scans = tuple(dict.fromkeys(path.scan for path in paths))
        self._pools: dict[str, list[DescribedPath]] = {}
        self._pieces: dict[tuple[str, tuple[Chunk, ...]], list[str]] = {}

    def word(self, name: str, path: DescribedPath, episode: Episode) -> str | None:
        """Return what an ablation leaves of an episode's instruction; None if that is the same text."""
        if name == FULL:
            return episode.instruction
        if name == "other":
            return self._other(episode)
        if name == "shuffled":
            rng = rng_for(self._seed, "fidelity", "shuffled", episode.episode_id)
            return shuffled([piece for part in path.parts(episode) for piece in self._cut(part)], rng)
        text = "" if name == "none" else last_tokens(episode.instruction)
        return None if text.strip() == episode.instruction.strip() else text

    def _cut(self, part: Episode) -> list[str]:
        key = part.instruction, part.chunks
        if key not in self._pieces:
            self._pieces[key] = pieces_of(part)
        return self._pieces[key]

    def _other(self, episode: Episode) -> str | None:
        rng = rng_for(self._seed, "fidelity", "other", episode.episode_id)
        pool = self._pool(episode)
        for at in rng.choice(len(pool), size=min(_TRIES, len(pool)), replace=False) if pool else ():
            others = pool[int(at)].instructions()
            text = others[int(rng.integers(len(others)))]
            if text.strip() != episode.instruction.strip():
                return text
        return None

    def _pool(self, episode: Episode) -> list[DescribedPath]:
        if len(self._scans) == 1:
            return [path for path in self._paths if path.path != episode.path]
        if episode.scan not in self._pools:
            self._pools[episode.scan] = [path for path in self._paths if path.scan != episode.scan]
        return self._pools[episode.scan]


def shuffled(pieces: Sequence[str], rng: np.random.Generator) -> str | None:
    """Return pieces in another order, each as likely; None if no other order makes another text.

    Example:
        >>> shuffled(["Turn left.", "Stop."], rng_for(0))
        'Stop. Turn left.'
    """
    if len(set(pieces)) < 2:
        return None
    while True:
        order = [pieces[int(k)] for k in rng.permutation(len(pieces))]
        if order != list(pieces):
            return " ".join(order)
