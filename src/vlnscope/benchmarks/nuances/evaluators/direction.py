"""Direction change: is the first move to the left, to the right, or back?

The way ahead is the direction that the annotation gives. Officially a move is *around* if it deviates from it
by more than 120° in space, else *left* if it points to the left on the floor plan, and *right* otherwise, so
that straight ahead is right. The paper speaks of three arcs of 120° on the floor; here they include their
borders, so that straight ahead is in the left and in the right arc.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np

from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    Judgement,
    Wording,
    annotation,
    keyword,
    without_repeats,
)
from vlnscope.types import Episode, Floats
from vlnscope.worlds.graph.navgraph import NavGraph

TURNS = {"left": "left", "right": "right", "around": "around"}
ARC = 120.0
_Edge = Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]


class Junction(msgspec.Struct):
    """The annotation: the right edge, the wrong one, and perhaps the viewpoint that is straight ahead."""

    instruction_template: str
    gt_vp: _Edge
    vp_neg: _Edge
    heading_vp: str | None = None


def subset(episode: Episode) -> str:
    """Return which turn is asked for: left, right or around."""
    return keyword(episode, annotation(episode, Junction).instruction_template, TURNS)


def judge(episode: Episode, path: Sequence[str], graph: NavGraph, wording: Wording = "official") -> Judgement:
    """Judge the first move; who stays where they are fail."""
    walk = without_repeats(path)
    right = len(walk) > 1 and is_right_move(episode, walk[0], walk[1], graph, wording)
    return Judgement({"SR": float(right)})


def is_right_move(
    episode: Episode, first: str, second: str, graph: NavGraph, wording: Wording = "official"
) -> bool:
    """Tell whether a move from `first` to `second` is the turn that is asked for."""
    direction = subset(episode)
    ahead = _ahead(annotation(episode, Junction), graph)
    move = graph.positions[graph.row(second)] - graph.positions[graph.row(first)]
    if wording == "paper":
        return direction in _arcs(_bearing(ahead, move))
    cross = ahead[0] * move[1] - ahead[1] * move[0]
    turned = "around" if _angle(ahead, move) > ARC else "left" if cross > 0 else "right"
    return direction == turned


def _ahead(junction: Junction, graph: NavGraph) -> Floats:
    def at(node: str) -> Floats:
        position: Floats = graph.positions[graph.row(node)]
        return position

    if junction.heading_vp is not None:
        return at(junction.heading_vp) - at(junction.gt_vp[0])
    middle: Floats = (at(junction.gt_vp[1]) + at(junction.vp_neg[1])) / 2
    return middle - at(junction.gt_vp[0])


def _angle(a: Floats, b: Floats) -> float:
    """Angle between two directions in space, in degrees; 0 if one of them is none."""
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return math.degrees(math.acos(min(1.0, max(-1.0, float(a @ b) / size)))) if size else 0.0


def _bearing(ahead: Floats, move: Floats) -> float:
    """Angle from the way ahead to a move on the floor plan, in degrees, right positive."""
    cross = ahead[0] * move[1] - ahead[1] * move[0]
    dot = ahead[0] * move[0] + ahead[1] * move[1]
    return -math.degrees(math.atan2(cross, dot))


def _arcs(bearing: float) -> set[str]:
    arcs = {"left": -ARC <= bearing <= 0, "right": 0 <= bearing <= ARC, "around": abs(bearing) >= ARC}
    return {name for name, inside in arcs.items() if inside}
