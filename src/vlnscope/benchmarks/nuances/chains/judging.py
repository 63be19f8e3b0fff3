"""Which steps of a chain a walk carries out, one after the other.

A walk is cut into as many pieces as there are steps. A piece carries out its step if it passes the check of
the step's category, begun where the piece begins: the released rules of NavNuances, except that a turn is
told by where the walker looks on arriving (straight ahead is no turn). A piece before the last must end where
the next step means what it should (`ChainStep.handover`); the last piece ends where the agent stops. Of all
cuts the one counts that carries out most steps in a row, so the order matters and nothing in between is
forbidden.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.nuances.chains.steps import ChainStep
from vlnscope.benchmarks.nuances.evaluators import landmark, numerical, region, vertical
from vlnscope.benchmarks.nuances.evaluators.direction import ARC
from vlnscope.benchmarks.nuances.evaluators.evaluator import RADIUS, without_repeats
from vlnscope.language.geometry import heading_to, relative
from vlnscope.types import Point
from vlnscope.worlds.graph.navgraph import NavGraph

AHEAD = 30.0
"""A move within so many degrees of where the walker looks is no turn."""
Check = Callable[[Sequence[str], float], bool]
"""Whether a piece of a walk, begun with some heading, carries out a step."""


class ChainProgress(NamedTuple):
    """How far a walk came.

    Attributes:
        done: how many steps it carried out in a row, from the first.
        could: the same if the agent were told when to stop.
    """

    done: int
    could: int


def turn_taken(heading: float, course: float) -> str:
    """Return what a move is for a walker who looks somewhere: straight, left, right or around.

    Example:
        >>> [turn_taken(0.0, math.radians(angle)) for angle in (20, 80, -80, 170)]
        ['straight', 'right', 'left', 'around']
    """
    angle = math.degrees(relative(heading, course))
    if abs(angle) <= AHEAD:
        return "straight"
    if abs(angle) > ARC:
        return "around"
    return "right" if angle > 0 else "left"


class ChainJudge:
    """Judges walks of one chain.

    Args:
        steps: the steps.
        graph: where they are walked.
        scan: the scene.
        heading: where the walker looks at the start.
    """

    def __init__(self, steps: Sequence[ChainStep], graph: NavGraph, scan: str, heading: float) -> None:
        self._steps, self._graph, self._scan, self._heading = steps, graph, scan, heading
        self._checks = [self._check(step) for step in steps]

    def progress(self, path: Sequence[str]) -> ChainProgress:
        """Return how many steps a walk carries out in a row."""
        walk = without_repeats(path)
        begun = {0}
        for number, step in enumerate(self._steps):
            ends = self._ends(walk, begun, self._checks[number])
            last = number + 1 == len(self._steps)
            if not last:
                ends = {end for end in ends if walk[end] in step.handover}
            elif len(walk) - 1 not in ends:
                return ChainProgress(number, number + bool(ends))
            if not ends:
                return ChainProgress(number, number)
            begun = ends
        return ChainProgress(len(self._steps), len(self._steps))

    def passes(self, number: int, walk: Sequence[str], heading: float) -> bool:
        """Return whether a piece of a walk carries out one of the steps."""
        return self._checks[number](walk, heading)

    def _ends(self, walk: Sequence[str], begun: set[int], check: Check) -> set[int]:
        return {
            end
            for start in begun
            for end in range(start + 1, len(walk))
            if check(walk[start : end + 1], self._heading_at(walk, start))
        }

    def _heading_at(self, walk: Sequence[str], at: int) -> float:
        return self._course(walk[at - 1], walk[at]) if at else self._heading

    def _course(self, start: str, end: str) -> float:
        return heading_to(self._point(start), self._point(end))

    def _point(self, node: str) -> Point:
        x, y, z = self._graph.positions[self._graph.row(node)].tolist()
        return x, y, z

    def _check(self, step: ChainStep) -> Check:
        """Return the check of a step; what it knows of ends is looked up once."""
        graph, scan = self._graph, self._scan
        if step.category == "DC":
            return lambda walk, heading: turn_taken(heading, self._course(*walk[:2])) == step.subset
        if step.category == "NU":
            return self._counted(step)
        fixed = step.asked_from(step.path[0], scan)
        if step.category == "RR":
            rooms = frozenset(node for node in graph.nodes if region.is_right_end(fixed, node, graph))
            return lambda walk, heading: walk[-1] in rooms
        if step.category == "VM":
            near = frozenset(node for node in graph.nodes if vertical.is_right_end(fixed, node, graph))
            return lambda walk, heading: walk[-1] in near
        known: dict[tuple[str, str], bool] = {}

        def towards_or_past(walk: Sequence[str], heading: float) -> bool:
            ends = walk[0], walk[-1]
            if ends not in known:
                known[ends] = landmark.is_right_end(step.asked_from(ends[0], scan), ends[1], graph)
            return known[ends]

        return towards_or_past

    def _counted(self, step: ChainStep) -> Check:
        graph = self._graph
        asked = step.asked_from(step.path[0], self._scan)
        end = graph.row(step.path[-1])

        def reached(walk: Sequence[str], heading: float) -> bool:
            if graph.distances[graph.row(walk[-1]), end] > RADIUS:
                return False
            return bool(numerical.outcomes(asked, [tuple(walk)], graph).success[0])

        return reached
