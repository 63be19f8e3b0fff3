"""Which words lead to which node, from what was said when and where the speaker then stood (RxR)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from vlnscope.benchmarks.behavior.build.chunk_alignment import Cut
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.episodes.datasets.pose_trace import PoseTrace, read_pose_trace
from vlnscope.types import Episode


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
