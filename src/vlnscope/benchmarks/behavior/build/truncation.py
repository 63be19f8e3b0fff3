"""Truncated episodes: the first part of a path with the part of the instruction that leads there.

They are what interventions are appended to. Full paths are left out, because near their end instructions
often say to stop (section 3.1 of the paper).
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from vlnscope.benchmarks.behavior.build.alignment import Cut, chunk_cuts, read_guide_trace, spoken_cuts
from vlnscope.benchmarks.behavior.build.text_end import breaks_off, text_end
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.core.exceptions import InputError
from vlnscope.types import Episode
from vlnscope.worlds.world import MATTERPORT, world_of

Truncations = Literal["paired", "all"]
Ahead = Literal["strict", "released"]
LONGEST = 20
"""Nodes of the longest truncated path that vln-behave keeps."""
LEFT_OUT = ("4721", "9015")
"""Paths of RxR that vln-behave leaves out."""
_KEPT = {"paired": "truncations with a text one step ahead", "all": "truncations with a text"}


class Truncation(NamedTuple):
    """An episode cut short.

    Attributes:
        episode: the whole one.
        nodes: how many viewpoints of its path are walked.
        text: the part of the instruction that leads there, ending with a full stop.
        ahead: the part that leads one step further; None if there is none.
        source: where the alignment of words and nodes comes from.
        ahead_by: how many viewpoints further that part leads: more than one if no text leads to the next.
        since: how many viewpoints are walked when the last sub-instruction of the text begins; all, if it is
            done on the spot.
        whole, ahead_whole: whether the text, and the one further, is not cut in the middle of a phrase.
    """

    episode: Episode
    nodes: int
    text: str
    ahead: str | None
    source: str
    ahead_by: int = 1
    since: int = 1
    whole: bool = True
    ahead_whole: bool = True

    @property
    def path(self) -> tuple[str, ...]:
        """The viewpoints walked."""
        return self.episode.path[: self.nodes]

    @property
    def end(self) -> str:
        """The viewpoint where it is cut, and where the agent decides."""
        return self.path[-1]

    @property
    def following(self) -> str:
        """The viewpoint that the whole episode goes to next."""
        return self.episode.path[self.nodes]

    @property
    def pair(self) -> str:
        """A name that the cases made from it share: the episode's id and the number of viewpoints."""
        return f"{self.episode.episode_id}_{self.nodes}"


def with_period(text: str) -> str:
    """End a text with a full stop: another punctuation mark is replaced, after a letter one is added.

    Example:
        >>> [with_period(text) for text in ("Go left.", "Go left,", "Go left")]
        ['Go left.', 'Go left.', 'Go left.']
    """
    text = text.strip()
    if text.endswith("."):
        return text
    return f"{text[:-1] if text[-1:] in string.punctuation else text}."


def paired(episode: Episode, plain: Iterable[Cut], ahead: Iterable[Cut], source: str) -> list[Truncation]:
    """Join the texts that lead to each node with those that lead one step further from the same node."""
    further: Mapping[int, str] = {cut.nodes: with_period(cut.text) for cut in ahead if cut.text}
    return [
        Truncation(episode, cut.nodes, with_period(cut.text), further.get(cut.nodes), source)
        for cut in plain
        if cut.text
    ]


def truncations(
    episodes: Sequence[Episode],
    counts: FilterCounts,
    *,
    keep: Truncations,
    language: str,
    traces: Path | None,
    ahead: Ahead = "strict",
    clear: bool = True,
) -> list[Truncation]:
    """Return the truncated episodes of a data set.

    Args:
        episodes: with sub-instructions, or with timed words and traces.
        counts: counts what is left out.
        keep: ``paired`` only those that also have a text one step ahead; ``all`` of them (DIFF-16).
        language: of episodes that say theirs: this one or, where it has no region, any of its regions
            (DIFF-15: en-US in the code, en in the paper).
        traces: folder of the guides' pose traces.
        ahead: ``strict`` only texts that lead exactly one viewpoint further count as one step ahead;
            ``released`` the next text, wherever it leads.
        clear: leave out texts that break off in the middle of a phrase, or have nobody move.

    Raises:
        InputError: an episode's words are not aligned with its path.
    """
    spoken = [
        it for it in episodes if counts.passes(f"episodes in {language}", _speaks(it.language, language))
    ]
    aligned = _with_chunks(spoken, counts) if traces is None else _with_times(spoken, counts)
    candidates: Iterable[Truncation] = _all_truncations(aligned, counts, traces)
    if clear:
        candidates = _clear_texts(candidates, counts)
    if ahead == "strict":
        candidates = _one_ahead(candidates, counts)
    kept = [it for it in candidates if counts.passes(_KEPT[keep], keep == "all" or it.ahead is not None)]
    return [it for it in kept if counts.passes(f"at most {LONGEST} viewpoints", it.nodes <= LONGEST)]


def _clear_texts(its: Iterable[Truncation], counts: FilterCounts) -> Iterator[Truncation]:
    for it in its:
        if not counts.passes("texts that are not cut within a phrase", it.whole):
            continue
        if counts.passes("texts that have the walker move", text_end(it.text).moves):
            yield it if it.ahead_whole else it._replace(ahead=None)


def _one_ahead(its: Iterable[Truncation], counts: FilterCounts) -> Iterator[Truncation]:
    for it in its:
        exactly = it.ahead is None or counts.passes(
            "texts ahead that lead one step further", it.ahead_by == 1
        )
        yield it if exactly else it._replace(ahead=None)


def _all_truncations(
    episodes: Iterable[Episode], counts: FilterCounts, traces: Path | None
) -> Iterator[Truncation]:
    for episode in episodes:
        its = _from_chunks(episode) if traces is None else _from_traces(episode, traces)
        counts.add("inner nodes that a text leads to", max(0, len(episode.path) - 2), len(its))
        yield from its


def _from_chunks(episode: Episode) -> list[Truncation]:
    cuts = [cut for cut in chunk_cuts(episode) if 2 <= cut.nodes < len(episode.path)]
    ahead = [Cut(here.nodes, further.text) for here, further in pairwise(cuts)]
    world = world_of(episode.scan).name
    made = paired(episode, cuts, ahead, "fgr2r" if world == MATTERPORT else world)
    begins = {chunk.last_step: chunk.first_step for chunk in episode.chunks}
    further = {here.nodes: after.nodes for here, after in pairwise(cuts)}
    whole = {cut.nodes: not breaks_off(cut.text, _rest(episode, cut)) for cut in cuts}
    return [
        it._replace(
            ahead_by=further.get(it.nodes, it.nodes + 1) - it.nodes,
            since=begins[it.nodes],
            whole=whole[it.nodes],
            ahead_whole=whole.get(further.get(it.nodes, 0), True),
        )
        for it in made
    ]


def _rest(episode: Episode, cut: Cut) -> str:
    """Return what the instruction says after a cut."""
    return episode.instruction.lstrip()[len(cut.text) :]


def _from_traces(episode: Episode, traces: Path) -> list[Truncation]:
    trace = read_guide_trace(traces, episode)
    made = paired(episode, spoken_cuts(episode, trace), spoken_cuts(episode, trace, ahead=1), "rxr")
    return [it._replace(since=it.nodes - 1) for it in made]


def _with_chunks(episodes: Sequence[Episode], counts: FilterCounts) -> Iterator[Episode]:
    """Yield the episodes with sub-instructions; the fourth instruction of a path of FGR2R has none."""
    cut = {(episode.scan, episode.path_id) for episode in episodes if episode.chunks}
    for episode in episodes:
        if counts.passes("episodes with sub-instructions", bool(episode.chunks)):
            yield _checked(episode)
        elif (episode.scan, episode.path_id) not in cut:
            spoken = "; its words have times, which only pose traces turn into an alignment"
            raise InputError(
                f"episode {episode.episode_id}: nothing says which of its words lead to which viewpoint"
                + (spoken if episode.words else ""),
                expected="sub-instructions, as in fgr2r/val_unseen and houses/val_unseen, or RxR pose traces",
                fix="name such data, or the folder of the pose traces (traces)",
            )


def _with_times(episodes: Sequence[Episode], counts: FilterCounts) -> Iterator[Episode]:
    for episode in episodes:
        if not episode.words:
            raise InputError(
                f"episode {episode.episode_id}: has no timed words to align with a pose trace",
                expected="episodes of RxR (timed_instruction)",
                fix="name rxr/val_unseen, or leave out the traces",
            )
        if counts.passes("paths that vln-behave uses", episode.path_id not in LEFT_OUT):
            yield episode


def _checked(episode: Episode) -> Episode:
    steps = [chunk.last_step for chunk in episode.chunks]
    if steps != sorted(steps) or not 1 <= steps[0] <= steps[-1] <= len(episode.path):
        raise InputError(
            f"episode {episode.episode_id}: its sub-instructions end at steps {steps} of {len(episode.path)}",
            expected="steps of the path, in order",
            fix="correct the alignment (chunk_view)",
        )
    return episode


def _speaks(tag: str | None, language: str) -> bool:
    return tag is None or tag == language or tag.startswith(f"{language}-")
