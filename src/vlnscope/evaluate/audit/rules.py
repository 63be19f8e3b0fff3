"""Checks of a data set that need no detector: paths, texts, ids, and what other splits share with it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

import msgspec

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph

Weight = Literal["error", "warning", "info"]
EXCESS = 1e-3
"""Metres beyond the shortest way from which a reference is not a shortest path."""
USUAL = 3
"""Instructions per path in R2R."""
SHORTEST = 4
"""Words below which an instruction says too little to be whole."""
_WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*")
_DANGLING = re.compile(
    r"(?:an?|the|and|or|to|into|of|at|with|on|in|from|through|past|towards?|then|your|until|by|near|for|onto"
    r"|around|along|between|behind|is|are|as|when|that|which|this)$"
)
_STRANDED = re.compile(r"(?:in|through|on|around|by|past|to|behind|along|near|between|into)$")
Key = TypeVar("Key")
_UNSEEN = re.compile(r"unseen|test")


class AuditFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is suspicious.

    Attributes:
        code: short stable name of the kind, such as ``non-shortest``.
        weight: ``error`` if the episode cannot be right, ``warning`` if it may mislead, ``info`` if it is
            only to be known.
        episode_id: the episode; None if it concerns the whole data set.
        what: what was found.
        others: other episodes or splits that it concerns.
    """

    code: str
    weight: Weight
    episode_id: str | None
    what: str
    others: tuple[str, ...] = ()


def check_paths(episodes: Sequence[Episode], graphs: Callable[[str], NavGraph]) -> Iterator[AuditFinding]:
    """Find references that leave the graph, cannot be walked, or are not the shortest way to their goal.

    A reference is named once, by its first episode.
    """
    seen: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for episode in episodes:
        if episode.path:
            seen.setdefault((episode.scan, episode.path), []).append(episode.episode_id)
    for (scan, path), ids in seen.items():
        for code, weight, what in _path_problems(graphs(scan), path):
            yield AuditFinding(code=code, weight=weight, episode_id=ids[0], what=what, others=tuple(ids[1:]))


def _path_problems(graph: NavGraph, path: Sequence[str]) -> Iterator[tuple[str, Weight, str]]:
    missing = [node for node in path if node not in graph.index]
    if missing:
        yield "unknown-viewpoint", "error", f"visits {missing[0]}, which the graph does not have"
        return
    shortest = graph.distance(path[0], path[-1])
    if math.isinf(shortest):
        yield "unreachable-goal", "error", "no way leads from its start to its goal"
        return
    for a, b in pairwise(path):
        if b not in graph.neighbours(a):
            yield "no-edge", "error", f"steps from {a} to {b}, which is no edge"
            return
    length = sum(graph.distance(a, b) for a, b in pairwise(path))
    if length > shortest + EXCESS:
        yield (
            "non-shortest",
            "warning",
            f"is {length:.2f} m long, {length - shortest:.2f} m more than the shortest way to its goal",
        )


def check_ids(episodes: Sequence[Episode]) -> Iterator[AuditFinding]:
    """Find ids that stand for two things, and paths with more instructions than the usual three."""
    by_id: dict[str, Episode] = {}
    paths: dict[str, Episode] = {}
    texts: dict[tuple[str, str], list[Episode]] = {}
    for episode in episodes:
        if episode.episode_id in by_id:
            yield _twice(episode, "episode-id", f"the id {episode.episode_id} is given twice")
        by_id[episode.episode_id] = episode
        first = paths.setdefault(episode.path_id, episode)
        if (first.scan, first.path) != (episode.scan, episode.path):
            yield _twice(
                episode,
                "path-id",
                f"the path id {episode.path_id} stands for another path in episode {first.episode_id}",
            )
        texts.setdefault((episode.scan, episode.path_id), []).append(episode)
    for group in texts.values():
        for extra in group[USUAL:]:
            yield AuditFinding(
                code="fourth-instruction",
                weight="info",
                episode_id=extra.episode_id,
                what=f"is instruction {group.index(extra) + 1} of its path; evaluators expect {USUAL}",
            )


def _twice(episode: Episode, what: str, text: str) -> AuditFinding:
    return AuditFinding(code=f"{what}-collision", weight="error", episode_id=episode.episode_id, what=text)


def check_texts(episodes: Sequence[Episode]) -> Iterator[AuditFinding]:
    """Find instructions that are empty, cut off or far too short, and those that stand for two paths."""
    said: dict[str, Episode] = {}
    for episode in episodes:
        words = plain(episode.instruction).split()
        problem = _cut_off(words, episode.instruction)
        if problem:
            yield AuditFinding(
                code="truncated", weight="warning", episode_id=episode.episode_id, what=problem
            )
        if not words:
            continue
        first = said.setdefault(" ".join(words), episode)
        if first is not episode:
            same = (first.scan, first.path) == (episode.scan, episode.path)
            yield AuditFinding(
                code="repeated-text" if same else "duplicate-text",
                weight="info" if same else "warning",
                episode_id=episode.episode_id,
                what=f"has the words of {first.episode_id}, which describes "
                + ("the same path" if same else "another path"),
                others=(first.episode_id,),
            )


def _cut_off(words: Sequence[str], text: str) -> str:
    if not words:
        return "has no words"
    if len(words) < SHORTEST:
        return f"has only {len(words)} words"
    ended = text.rstrip()[-1] in ".!?"
    if text.rstrip().endswith((",", ";", ":", "-")) or (
        _DANGLING.match(words[-1]) and not (ended and _STRANDED.match(words[-1]))
    ):
        return f"ends with “{' '.join(words[-3:])}”, in the midst of a sentence"
    return ""


def check_leaks(
    dataset: Dataset, episodes: Sequence[Episode], others: Iterable[Dataset]
) -> Iterator[AuditFinding]:
    """Find scenes, paths and texts that other splits have too.

    Scenes may be shared by splits unless one is called unseen or test; paths and texts never may.
    """
    scans = {episode.scan for episode in episodes}
    paths = {(episode.scan, episode.path): episode for episode in episodes if len(episode.path) > 1}
    texts = {plain(episode.instruction): episode for episode in episodes}
    for other in others:
        theirs = list(other.episodes())
        shared = sorted(scans & {episode.scan for episode in theirs})
        if shared and (_UNSEEN.search(dataset.split) or _UNSEEN.search(other.split)):
            yield _leak("scene-leak", None, f"shares {len(shared)} scenes with {other.name}", shared[:5])
        yield from _shared(paths, other, {(e.scan, e.path): e for e in theirs}, "path-leak", "walks the path")
        yield from _shared(
            texts, other, {plain(e.instruction): e for e in theirs}, "text-leak", "has the words"
        )


def _shared(
    ours: Mapping[Key, Episode], other: Dataset, theirs: Mapping[Key, Episode], code: str, verb: str
) -> Iterator[AuditFinding]:
    for key, episode in ours.items():
        if key in theirs and key != "":
            twin = theirs[key].episode_id
            yield _leak(code, episode.episode_id, f"{verb} of {twin} in {other.name}", [twin])


def _leak(code: str, episode_id: str | None, what: str, others: Sequence[str]) -> AuditFinding:
    weight: Weight = "info" if code == "text-leak" else "error" if code == "scene-leak" else "warning"
    return AuditFinding(code=code, weight=weight, episode_id=episode_id, what=what, others=tuple(others))


def plain(text: str) -> str:
    """Return the words of a text in lower case, without punctuation."""
    return " ".join(_WORD.findall(text.lower()))
