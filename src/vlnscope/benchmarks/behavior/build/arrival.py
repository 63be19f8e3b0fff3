"""Does a text lead to where its path ends? What it says last must have been done there.

Alignments are made by hand, and place some ends a step too early: “enter the house through the slider” while
the walker is on the porch. Nothing that is asked there has one right answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.benchmarks.behavior.build.text_end import MOVES
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.language.actions import Action
from vlnscope.language.lexicon.matching import room_match
from vlnscope.language.parse import parse
from vlnscope.worlds.scene import Scene, Scenes

CLIMB = 0.3
"""Metres up or down of a step that still belongs to the stairs."""


def arrived(it: Truncation, scene: Scene) -> bool:
    """Say whether what a text says last has been done where its path ends.

    A room that it enters is the one there, as far as labels tell; a room that it leaves is left; stairs are
    climbed, and the next step climbs no more. Scenes without rooms are asked about stairs alone.
    """
    moves = [action for action in parse(it.text).actions if action.kind in MOVES]
    if not moves:
        return True
    last = moves[-1]
    if last.kind == "stairs":
        return _climbed(last, it, scene)
    if last.kind not in ("enter", "exit") or not scene.has("regions"):
        return True
    return _entered(last, it, scene) if last.kind == "enter" else _left(it, scene)


def _climbed(action: Action, it: Truncation, scene: Scene) -> bool:
    """Say whether stairs were climbed (or descended), and the next step does not climb on."""
    graph = scene.graph
    nodes = (it.path[_began(it)], it.end, it.following)
    before, here, after = (float(graph.positions[graph.row(node)][2]) for node in nodes)
    if action.direction not in ("up", "down"):
        return True
    way = -1.0 if action.direction == "down" else 1.0
    return way * (here - before) >= CLIMB > way * (after - here)


def _began(it: Truncation) -> int:
    """Return the step of the path at which the last sub-instruction that moves begins."""
    return min(it.since, it.nodes - 1) - 1


def _entered(action: Action, it: Truncation, scene: Scene) -> bool:
    label = scene.regions.label(it.end)
    if action.place is None or action.place.what != "room" or label is None:
        return True
    return room_match(action.place.name, label) > 0


def _left(it: Truncation, scene: Scene) -> bool:
    before = scene.regions.region(it.path[_began(it)])
    return before is None or before != scene.regions.region(it.end)


def _arrives_ahead(it: Truncation, scene: Scene) -> bool:
    nodes = it.nodes + it.ahead_by
    if it.ahead is None or nodes >= len(it.episode.path):
        return True
    return arrived(it._replace(nodes=nodes, text=it.ahead, since=it.nodes), scene)


def those_that_arrive(
    its: Sequence[Truncation], scenes: Scenes, counts: FilterCounts, *, paired: bool
) -> list[Truncation]:
    """Return the truncated episodes whose text leads to where they end; a text ahead must arrive, too.

    Args:
        its: truncated episodes.
        scenes: where they are.
        counts: counts what is left out.
        paired: leave out those that have no text ahead, or lose it.
    """
    kept: list[Truncation] = []
    for it in its:
        scene = scenes.scene(it.episode.scan)
        if not counts.passes("texts that lead where the path ends", arrived(it, scene)):
            continue
        if it.ahead is not None and not counts.passes("texts ahead that do", _arrives_ahead(it, scene)):
            it = it._replace(ahead=None)
        if it.ahead is not None or not paired:
            kept.append(it)
    return kept
