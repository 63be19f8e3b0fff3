"""Rooms: which kinds are near the end of a truncated episode, and the way to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.room_kinds import RoomKinds
from vlnscope.benchmarks.behavior.build.templates import Sentence, towards
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.types import Candidate, Ints
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

HopRule = Literal["within", "exactly"]
HOPS = tuple(range(1, 9))
"""How far away the rooms of the paper's k-hop settings are."""
APART = 30.0
"""Degrees between the ways to a room and all others, where it is to be clear which lead there."""


def hops_from(graph: NavGraph, node: str, most: int) -> Ints:
    """Return the number of steps from a node to each, along what agents are offered; -1 beyond `most`."""
    table = candidates(graph)
    hops = np.full(len(graph.nodes), -1, dtype=np.int64)
    front = [graph.row(node)]
    hops[front] = 0
    for hop in range(1, most + 1):
        ways = [table.nodes[table.starts[k] : table.starts[k + 1]] for k in front]
        reached = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *ways]))
        front = reached[hops[reached] < 0].tolist()
        hops[front] = hop
    return hops


def way_of_hops(graph: NavGraph, hops: Ints, goal: int) -> tuple[str, ...]:
    """Return a way with fewest steps to a node, without the start; of several, the shortest steps."""
    table = candidates(graph)
    back = [goal]
    while hops[back[-1]] > 0:
        here = back[-1]
        ways = table.nodes[table.starts[here] : table.starts[here + 1]]
        nearer = ways[hops[ways] == hops[here] - 1]
        back.append(int(nearer[np.argmin(graph.distances[here, nearer])]))
    return tuple(graph.nodes[k] for k in reversed(back[:-1]))


def room_questions(
    it: Truncation, scene: Scene, counts: FilterCounts, kinds: RoomKinds, *, stop: bool
) -> Iterator[CaseDraft]:
    """Yield a question for each kind of room that a neighbour is in.

    Args:
        it: the truncated episode.
        scene: with regions.
        counts: counts what is left out.
        kinds: how rooms are asked for.
        stop: append that this is the destination (DIFF-17).
    """
    regions = scene.regions
    around = scene.candidates(it.end)
    labels = [regions.label(candidate.viewpoint) for candidate in around]
    for label in kinds.askable(labels, it, regions.label(it.end), counts, "room"):
        right = [kinds.same(label, its) for its in labels]
        unknown = any(kinds.may_be(label, its) for its in labels)
        if kinds.clear and not counts.passes("room: no doubt what other neighbours are in", not unknown):
            continue
        if kinds.clear and not counts.passes("room: no other way goes there", ways_apart(around, right)):
            continue
        ahead = [ok for c, ok in zip(around, right, strict=True) if c.viewpoint not in it.path]
        if kinds.clear and not counts.passes("room: not every way on leads there", not all(ahead)):
            continue
        there = tuple(c.viewpoint for c, ok in zip(around, right, strict=True) if ok)
        said = towards(kinds.called(label, it), stop=stop)
        yield _question(it, "room", label, kinds.usual(label), said, there, there[:1])


def ways_apart(around: Sequence[Candidate], right: Sequence[bool]) -> bool:
    """Say whether each way that is right lies well apart from each that is not."""
    ways = list(zip(around, right, strict=True))
    return all(
        abs(turn_degrees(one.heading - other.heading)) >= APART
        for one, ok in ways
        for other, also in ways
        if ok and not also
    )


def far_room_questions(
    it: Truncation,
    scene: Scene,
    counts: FilterCounts,
    kinds: RoomKinds,
    *,
    hops: Sequence[int],
    rule: HopRule,
) -> Iterator[CaseDraft]:
    """Yield, for each number of hops k, a question for each kind of room k hops away.

    Args:
        it: the truncated episode.
        scene: with regions.
        counts: counts what is left out.
        kinds: how rooms are asked for.
        hops: the numbers of hops.
        rule: whether nearer viewpoints count too (``within``) or only those k hops away (DIFF-20).
    """
    graph, own = scene.graph, scene.regions.label(it.end)
    away = hops_from(graph, it.end, max(hops))
    metres = graph.distances[graph.row(it.end)]
    nearest = [n for n in np.lexsort((metres, away)).tolist() if away[n] > 0]
    labels = {n: scene.regions.label(graph.nodes[n]) for n in nearest}
    ways: dict[int, tuple[str, ...]] = {}
    said: dict[str, Sentence] = {}
    for k in hops:
        goals: dict[str | None, int] = {}
        for n in nearest:
            if away[n] == k or (rule == "within" and away[n] < k):
                goals.setdefault(labels[n], n)
        for label in kinds.askable([*goals], it, own, counts, f"room-{k}"):
            if (goal := goals[label]) not in ways:
                ways[goal] = way_of_hops(graph, away, goal)
            if label not in said:
                said[label] = towards(kinds.called(label, it), stop=True)
            yield _question(it, "room-k", label, kinds.usual(label), said[label], (), ways[goal], k)


def _question(
    it: Truncation,
    skill: str,
    label: str,
    name: str,
    said: Sentence,
    correct: tuple[str, ...],
    way: tuple[str, ...],
    k: int | None = None,
) -> CaseDraft:
    more = (("room", label),) if k is None else (("room", label), ("hops", str(k)))
    return CaseDraft(it, skill, name, said, correct, way, more=more)
