"""When the words of an instruction are due: at which place of the reference each is acted upon.

Sub-instructions say so where there are any (FGR2R, the built-in houses), those of the episode that a case was
made from included; then the times at which words were said (RxR). Elsewhere the actions that are parsed are
spread over the reference by its length, turns taking no way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.behavior.build.alignment import chunk_ends
from vlnscope.benchmarks.errors.detection.annotation import wrong_words
from vlnscope.language.actions import Action, Span
from vlnscope.language.alignment import StepSpan, align, words_of
from vlnscope.language.parse import parse
from vlnscope.reporting.examples import WrongWords
from vlnscope.types import Case, Episode
from vlnscope.worlds.graph.navgraph import NavGraph


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
    old_words = [swap.old_word for swap in swaps] if len(swaps) == len(groups) else [""] * len(groups)
    wrong = []
    for words, meant in zip(groups, old_words, strict=True):
        starts = [spans[word].start for word in words if word < len(spans)]
        here = tuple(k for k, (a, b) in enumerate(ends) if any(a <= start < b for start in starts))
        if here:
            wrong.append(WrongWords(here, meant))
    return tuple(wrong)


_PIECE = re.compile(r"\S+\s*|\s+")
_ON_THE_SPOT = ("turn", "face", "remark", "stop")


class DueWords(NamedTuple):
    """The pieces of an instruction, which join to its text, and for each the place of the reference."""

    words: tuple[str, ...]
    steps: tuple[int, ...]


class Sources:
    """Episodes from which cases are made, by id and by scene."""

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self._by_id: dict[str, Episode] = {}
        self._by_scan: dict[str, list[Episode]] = {}
        for episode in episodes:
            self._by_id[episode.episode_id] = episode
            self._by_scan.setdefault(episode.scan, []).append(episode)

    def same(self, episode: Episode) -> Episode | None:
        """Return the episode of that id, where it is on the same path or a part of it."""
        source = self._by_id.get(episode.episode_id)
        return source if source is not None and source.path[:2] == episode.path[:2] else None

    def parts(self, episode: Episode) -> list[tuple[int, int, Episode]]:
        """Return the episodes that were joined to this one: where in the text and on the path each begins."""
        parts: list[tuple[int, int, Episode]] = []
        text_from = path_from = 0
        while part := self._part(episode, text_from, path_from):
            parts.append(part)
            text_from = part[0] + len(part[2].instruction.strip())
            path_from = part[1] + len(part[2].path) - 1
        return parts if text_from == len(episode.instruction.rstrip()) and len(parts) > 1 else []

    def _part(self, episode: Episode, text_from: int, path_from: int) -> tuple[int, int, Episode] | None:
        rest = episode.instruction[text_from:]
        begins = text_from + len(rest) - len(rest.lstrip())
        for part in self._by_scan.get(episode.scan, ()):
            text = part.instruction.strip()
            if text and len(part.path) > 1 and rest.lstrip().startswith(text):
                for at in range(path_from, len(episode.path) - len(part.path) + 1):
                    if episode.path[at : at + len(part.path)] == part.path:
                        return begins, at, part
        return None


def due_words(case: Case, graph: NavGraph, sources: Sources) -> DueWords:
    """Return when each piece of the instruction of a case is due.

    Example:
        >>> from vlnscope.types import Chunk
        >>> graph = NavGraph.build(["a", "b"], [[0, 0, 0], [2, 0, 0]], [("a", "b")])
        >>> chunks = (Chunk(("walk",), 1, 2), Chunk(("stop",), 2, 2))
        >>> told = {"path": ("a", "b"), "instruction": "Walk, stop.", "chunks": chunks}
        >>> episode = Episode(episode_id="1_0", path_id="1", scan="s", **told)
        >>> due_words(Case(case_id="1", episode=episode), graph, Sources([]))
        DueWords(words=('Walk, ', 'stop.'), steps=(0, 1))
    """
    episode = case.episode
    spans = {span.start: step for span, step in _aligned(case, graph, sources)}
    pieces = list(_PIECE.finditer(episode.instruction))
    last = max(0, len(episode.path) - 1)
    steps: list[int] = []
    for piece in pieces:
        own = [spans[at] for at in range(*piece.span()) if at in spans]
        before = steps[-1] if steps else 0
        steps.append(min(own[0], last) if own else before)
    return DueWords(tuple(piece[0] for piece in pieces), tuple(steps))


def _aligned(case: Case, graph: NavGraph, sources: Sources) -> list[tuple[Span, int]]:
    episode = case.episode
    same = sources.same(episode)
    if not episode.chunks and same is not None and same.instruction == episode.instruction:
        episode = msgspec.structs.replace(episode, chunks=same.chunks)
    if episode.chunks or case.episode.words:
        return _told(episode, graph)
    if same is not None and case.forced_steps and (same.chunks or same.words):
        return _asked(case, same, graph)
    if parts := sources.parts(episode):
        return [
            (Span(span.start + at, span.end + at), step + first)
            for at, first, part in parts
            for span, step in _told(part, graph)
        ]
    return _told(episode, graph, until=case.forced_steps or None)


def _asked(case: Case, source: Episode, graph: NavGraph) -> list[tuple[Span, int]]:
    """Align the beginning of an episode as the whole one is; what a case adds is due where it asks."""
    both = zip(source.instruction, case.episode.instruction, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    known = {span.start: step for span, step in _told(source, graph) if span.end <= shared}
    spans = [Span(*match.span()) for match in re.finditer(r"\S+", case.episode.instruction)]
    last_step = case.forced_steps
    timed: list[tuple[Span, int]] = []
    for span in spans:
        own = [known[at] for at in range(*span) if at in known]
        timed.append((span, min(own[0], last_step) if own else last_step))
    return timed


def _told(episode: Episode, graph: NavGraph, until: int | None = None) -> list[tuple[Span, int]]:
    """Align an episode by itself."""
    text = episode.instruction
    stretches = _chunk_stretches(episode)
    if not stretches and any(word.start_time is not None for word in episode.words):
        return _timed(episode, graph)
    if not stretches:
        stretches = _action_stretches(episode, graph, until)
    if not stretches:
        return []
    end = len(episode.path) - 1 if until is None else until
    stop = _last_stop(text)
    return [
        (word.span, end if stop is not None and word.span.start >= stop else word.step)
        for word in align(text, stretches)
    ]


def _chunk_stretches(episode: Episode) -> list[StepSpan]:
    ends = chunk_ends(episode.instruction, episode.chunks)
    if not ends or not ends[-1]:
        return []
    cuts = pairwise((0, *ends[:-1], len(episode.instruction)))
    return [
        StepSpan(start, end, chunk.first_step - 1, chunk.last_step - 1)
        for (start, end), chunk in zip(cuts, episode.chunks, strict=True)
        if end > start
    ]


@lru_cache(maxsize=1024)  # agents are told the same
def _actions(text: str) -> tuple[Action, ...]:
    return parse(text).actions


def _last_stop(text: str) -> int | None:
    """Return where a text tells to stop for good; None if it does not end so."""
    actions = [action for action in _actions(text) if action.kind != "remark"]
    return actions[-1].span.start if actions and actions[-1].kind == "stop" else None


def _action_stretches(episode: Episode, graph: NavGraph, until: int | None) -> list[StepSpan]:
    actions = _actions(episode.instruction)
    path = episode.path if until is None else episode.path[: until + 1]
    if not actions or not path:
        return [StepSpan(0, len(episode.instruction), 0, max(0, len(path) - 1))] if path else []
    ways = np.cumsum([action.kind not in _ON_THE_SPOT for action in actions], dtype=np.float64)
    shares = ways / ways[-1] if ways[-1] else np.linspace(0.0, 1.0, len(ways))
    reached = [0, *(_at_share(path, graph, share) for share in shares.tolist())]
    cuts = [0, *(action.span.start for action in actions[1:]), len(episode.instruction)]
    return [
        StepSpan(start, end, first, last)
        for (start, end), (first, last) in zip(pairwise(cuts), pairwise(reached), strict=True)
    ]


def _timed(episode: Episode, graph: NavGraph) -> list[tuple[Span, int]]:
    """Spread spoken words over the path by when they are said."""
    ends = [word.end_time for word in episode.words if word.end_time is not None]
    whole = max(ends, default=0.0) or 1.0
    spans: list[tuple[Span, int]] = []
    at, share = 0, 0.0
    for word in episode.words:
        start = episode.instruction.find(word.word, at)
        if word.start_time is not None:
            share = word.start_time / whole
        if start >= 0:
            at = start + len(word.word)
            spans.append((Span(start, at), _at_share(episode.path, graph, share)))
    return spans


def _at_share(path: Sequence[str], graph: NavGraph, share: float) -> int:
    """Return the last place of a path that is reached after a share of its length."""
    lengths = [graph.distance(a, b) for a, b in pairwise(path)]
    reached = np.cumsum([0.0, *lengths])
    return int(np.searchsorted(reached, share * reached[-1] + 1e-9, side="right")) - 1


def followed(walk: Sequence[str], reference: Sequence[str], graph: NavGraph) -> list[int]:
    """Return which place of the reference each place of a walk stands for, by dynamic time warping.

    They never go back. A walk that ends early does not reach the end of the reference.

    Example:
        >>> places = [[0, 0, 0], [2, 0, 0], [4, 0, 0], [2, 2, 0]]
        >>> graph = NavGraph.build(list("abcd"), places, [("a", "b"), ("b", "c"), ("b", "d")])
        >>> followed("abd", "abc", graph), followed("ab", "abc", graph)
        ([0, 1, 2], [0, 1])
    """
    rows, columns = ([graph.row(node) for node in nodes] for nodes in (walk, reference))
    near = graph.distances[np.ix_(rows, columns)]
    cost = np.full((len(rows) + 1, len(columns) + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(len(rows)):
        for j in range(len(columns)):
            cost[i + 1, j + 1] = near[i, j] + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    matched: dict[int, list[int]] = {}
    i, j = len(rows), len(columns)
    while i and j:
        matched.setdefault(i - 1, []).append(j - 1)
        before = ((i - 1, j - 1), (i - 1, j), (i, j - 1))
        i, j = min(before, key=cost.__getitem__)
    return [min(sorted(matched[k]), key=lambda at: float(near[k, at])) for k in range(len(rows))]


def lit(due: DueWords, reached: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the pieces that are due at each place of a walk, given what `followed` says of it.

    Pieces for places of the reference that were passed over are due at the next place. Where nothing new is
    due, what was due before is still being done.
    """
    lit_words: list[tuple[int, ...]] = []
    before = -1
    for at in reached:
        first = min(before + 1, at)
        new = tuple(k for k, step in enumerate(due.steps) if first <= step <= at)
        lit_words.append(new if new or not lit_words else lit_words[-1])
        before = at
    return lit_words
