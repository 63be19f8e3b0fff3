"""Does a text lead to where its path ends? What it says last must have been done there.

Alignments are made by hand, and place some ends a step too early: “enter the house through the slider” while
the walker is on the porch. Nothing that is asked there has one right answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.benchmarks.behavior.build.text_end import MOVES
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.behavior.build.turns import step_headings, turns_to
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.language.actions import Action, Direction
from vlnscope.language.lexicon.matching import room_match
from vlnscope.language.parse import parse
from vlnscope.worlds.scene import Scene, Scenes

CLIMB = 0.3
"""Metres up or down of a step that still belongs to the stairs."""

ANY_ROOM = ("room", "house", "level")
"""Names that do not say which room is entered: another one, then."""
DOORS = ("door", "doorway", "archway", "gate", "entrance")
"""What leads from one room into another."""
MATCHES = 0.5
"""How well the label of a room must answer to the name that a text gives it."""


def arrived(it: Truncation, scene: Scene) -> bool:
    """Say whether what a text says last has been done where its path ends.

    A text ends with a move, not with a remark about what is there. A room that it enters is the one there,
    as far as labels tell, and so it is a step later; a room that it leaves or crosses is left, by a door too,
    and turned into where it says so; a corner is turned; stairs are climbed, and the next step climbs no
    more. Scenes without rooms are asked about stairs, corners and remarks alone.
    """
    actions = parse(it.text).actions
    moves = [k for k, action in enumerate(actions) if action.kind in MOVES]
    if actions and actions[-1].kind == "remark":
        return False
    if not moves:
        return True
    last = actions[moves[-1]]
    before = actions[moves[-1] - 1] if moves[-1] else None
    if last.kind == "stairs":
        return _climbed(last, it, scene)
    if last.place is not None and last.place.name == "corner":
        return _turned(None, it, scene)
    if not scene.has("regions") or last.kind not in ("enter", "exit", "through"):
        return True
    if before is not None and before.kind == "turn" and not _turned(before.direction, it, scene):
        return False
    return _changed_room(last, it, scene)


def _changed_room(action: Action, it: Truncation, scene: Scene) -> bool:
    """Say whether a room was entered, left or crossed as an action says, and is not just about to be."""
    place, regions = action.place, scene.regions
    named = place is not None and place.what == "room" and place.name not in ANY_ROOM
    if action.kind == "enter" and named:
        return _entered(action, it, scene) and _settled(it, scene)
    if action.kind == "through" and named and place is not None:
        label = regions.label(it.end)
        return label is None or room_match(place.name, label) < MATCHES
    if action.kind == "through" and (place is None or place.name not in DOORS):
        return True
    return _left(it, scene) and (action.kind == "exit" or _settled(it, scene))


def _settled(it: Truncation, scene: Scene) -> bool:
    """Say whether the next step stays in such a room: at a threshold, labels may be a step early."""
    return scene.regions.label(it.end) == scene.regions.label(it.following)


def _turned(direction: Direction | None, it: Truncation, scene: Scene) -> bool:
    """Say whether the steps of the last sub-instruction turn in a direction, or in any if it is not said."""
    headings = step_headings(scene.graph, it.path)
    start = it.episode.heading if it.episode.heading is not None else headings[0]
    turned = [turn_degrees(after - before) for before, after in pairwise([start, *headings])]
    wanted: tuple[Direction, ...] = (direction,) if direction is not None else ("left", "right")
    return any(turns_to(way, angle) for way in wanted for angle in turned[_began(it) :])


def _climbed(action: Action, it: Truncation, scene: Scene) -> bool:
    """Say whether stairs were climbed (or descended), and no step climbs on."""
    graph = scene.graph
    before, here = (float(graph.positions[graph.row(node)][2]) for node in (it.path[_began(it)], it.end))
    after = [float(graph.positions[graph.row(way.viewpoint)][2]) for way in scene.candidates(it.end)]
    if action.direction not in ("up", "down"):
        return True
    way = -1.0 if action.direction == "down" else 1.0
    return way * (here - before) >= CLIMB and all(way * (z - here) < CLIMB for z in after)


def _began(it: Truncation) -> int:
    """Return the step of the path at which the last sub-instruction that moves begins."""
    return min(it.since, it.nodes - 1) - 1


def _entered(action: Action, it: Truncation, scene: Scene) -> bool:
    label = scene.regions.label(it.end)
    if action.place is None or action.place.what != "room" or label is None:
        return True
    return room_match(action.place.name, label) >= MATCHES


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
