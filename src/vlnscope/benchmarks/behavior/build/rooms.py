"""Rooms: which kinds are near the end of a truncated episode, and the way to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from vlnscope.benchmarks.behavior.build.question import CaseDraft
from vlnscope.benchmarks.behavior.build.templates import Sentence, towards
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.core.rng import rng_for
from vlnscope.types import Ints
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import ROOM_NAMES
from vlnscope.worlds.scene import Scene

HopRule = Literal["within", "exactly"]
HOPS = tuple(range(1, 9))
"""How far away the rooms of the paper's k-hop settings are."""
NO_KIND = ("z", "Z")
"""Labels that are no kind of room to ask for: other room, junk."""
NO_LABEL = "-"


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
    it: Truncation, scene: Scene, counts: FilterCounts, *, legacy: bool, stop: bool, seed: int
) -> Iterator[CaseDraft]:
    """Yield a question for each kind of room that a neighbour is in.

    Args:
        it: the truncated episode.
        scene: with regions.
        counts: counts what is left out.
        legacy: ask for rooms without a label too.
        stop: append that this is the destination (DIFF-17).
        seed: of the names that are said.
    """
    regions = scene.regions
    around = [candidate.viewpoint for candidate in scene.candidates(it.end)]
    labels = [regions.label(viewpoint) for viewpoint in around]
    for label in _askable(labels, regions.label(it.end), counts, "room", legacy):
        there = tuple(viewpoint for viewpoint, its in zip(around, labels, strict=True) if its == label)
        said = towards(_called(label, it, seed), stop=stop)
        yield _question(it, "room", label, said, there, there[:1])


def far_room_questions(
    it: Truncation,
    scene: Scene,
    counts: FilterCounts,
    *,
    hops: Sequence[int],
    rule: HopRule,
    legacy: bool,
    seed: int,
) -> Iterator[CaseDraft]:
    """Yield, for each number of hops k, a question for each kind of room k hops away.

    Args:
        it: the truncated episode.
        scene: with regions.
        counts: counts what is left out.
        hops: the numbers of hops.
        rule: whether nearer viewpoints count too (``within``) or only those k hops away (DIFF-20).
        legacy: ask for rooms without a label too.
        seed: of the names that are said.
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
        for label in _askable([*goals], own, counts, f"room-{k}", legacy):
            if (goal := goals[label]) not in ways:
                ways[goal] = way_of_hops(graph, away, goal)
            if label not in said:
                said[label] = towards(_called(label, it, seed), stop=True)
            yield _question(it, "room-k", label, said[label], (), ways[goal], k)


def _question(
    it: Truncation,
    skill: str,
    label: str,
    said: Sentence,
    correct: tuple[str, ...],
    way: tuple[str, ...],
    k: int | None = None,
) -> CaseDraft:
    more = (("room", label),) if k is None else (("room", label), ("hops", str(k)))
    return CaseDraft(it, skill, ROOM_NAMES[label][0], said, correct, way, more=more)


def _askable(
    labels: Sequence[str | None], own: str | None, counts: FilterCounts, name: str, legacy: bool
) -> list[str]:
    """Return the kinds of rooms to ask for, in the order of `ROOM_NAMES`."""
    there = set(labels)
    return [
        label
        for label in ROOM_NAMES
        if label in there
        and counts.passes(f"{name}: another kind than here", label != own)
        and counts.passes(f"{name}: a kind of room", label not in NO_KIND)
        and (legacy or counts.passes(f"{name}: has a label", label != NO_LABEL))
    ]


def _called(label: str, it: Truncation, seed: int) -> str:
    names = ROOM_NAMES[label]
    if len(names) == 1:
        return names[0]
    return names[int(rng_for(seed, "behavior", "room", label, it.pair).integers(len(names)))]
