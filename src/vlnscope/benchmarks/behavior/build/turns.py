"""Turns at the end of a text: made already on the way, or still to be made where the path ends.

“Walk into the hallway and turn left.” may lead to a viewpoint at the door, where the walker has still to
turn, or to one further down the hallway. Directions that are asked there are seen from where the text has the
walker look, and the path says which of the two it is: the turn is made if the steps that the last
sub-instruction describes turn that way, and still to come if the next step does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from vlnscope.benchmarks.behavior.build.direction import turn_degrees
from vlnscope.benchmarks.behavior.build.text_end import TextEnd, text_end
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.language.actions import Direction
from vlnscope.worlds.graph.navgraph import NavGraph

Turns = Literal["facing", "left-out", "released"]
TurnState = Literal["none", "made", "to come", "unclear"]
MADE: tuple[TurnState, ...] = ("none", "made")
"""After these the walker looks the way it came."""
LEAST = 25.0
"""Degrees of the smallest step to a side that can be what “turn left” means."""
AROUND = 120.0
"""Degrees of the smallest turn that can be what “turn around” means."""


def turn_state(it: Truncation, graph: NavGraph) -> TurnState:
    """Say whether a text ends with a turn, and whether the walker has made it where the path ends.

    ``unclear``: the text ends with several turns, with one of no direction, by facing something, or with a
    turn that neither the steps it describes nor the next one make, or both do.
    """
    end = text_end(it.text)
    if not end.turns and not end.faces:
        return "none"
    if end.faces or len(end.turns) > 1:
        return "unclear"
    return _state(end, it, graph)


def _state(end: TextEnd, it: Truncation, graph: NavGraph) -> TurnState:
    wanted = end.turns[0]
    here = len(it.path) - 1
    headings = step_headings(graph, (*it.path, it.following))
    start = it.episode.heading if it.episode.heading is not None else headings[0]
    turned = [turn_degrees(after - before) for before, after in pairwise([start, *headings])]
    made = any(turns_to(wanted, turned[k]) for k in range(max(1, it.since - 1), here))
    to_come = turns_to(wanted, turned[here])
    if made == to_come:
        return "unclear"
    return "made" if made else "to come"


def turns_to(direction: Direction | None, degrees: float) -> bool:
    """Say whether a turn of so many degrees (right positive) is what a direction means.

    Example:
        >>> turns_to("left", -70.0), turns_to("left", -10.0), turns_to("around", 160.0), turns_to(None, 90.0)
        (True, False, True, False)
    """
    if direction in ("around", "back"):
        return abs(degrees) >= AROUND
    if direction == "left":
        return -degrees >= LEAST
    return direction == "right" and degrees >= LEAST


def step_headings(graph: NavGraph, path: Sequence[str]) -> list[float]:
    """Return where each step of a path goes, clockwise from +y, in radians."""
    points = [graph.positions[graph.row(node)] for node in path]
    return [math.atan2(x, y) for x, y, _ in (there - here for here, there in pairwise(points))]
