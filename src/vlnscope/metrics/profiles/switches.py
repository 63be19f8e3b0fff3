"""The switchboard: one option for each place where conventions for episode metrics disagree."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal


@dataclass(frozen=True)
class Switches:
    """How metrics are to be computed. The defaults are those of the `default` profile.

    Attributes:
        radius: how near the goal is near enough, and the decay length of coverage and nDTW, in metres.
        success: is a final distance equal to `radius` a success (``<=``) or not (``<``)?
        goal_distance: how far an agent is from the goal: along edges or the navmesh, or straight.
        object_goal: success of an episode that asks for an object (REVERIE): undefined, since nearness to
            the path's end does not tell; to stop where the object is ``seen``; or to stop ``near`` the path's
            end all the same, as some evaluators do.
        stop_required: must the agent have called STOP to succeed?
        spl_optimum: SPL compares with the shortest path from start to goal, or with the length of the
            annotated reference.
        spl_floor: smallest length, in metres, that SPL divides by.
        spl_at_goal: SPL of an agent that never moves where start and goal are one place (0/0).
        cls_length: CLS measures lengths between any two nodes, or only along edges, so that a path with
            another step, even on the spot, has no CLS.
        cls_at_rest: CLS where neither path has any length (0/0).
        dtw: report the whole warping cost, or the cost per metre of reference.
        warping: exact dynamic programming, or FastDTW with radius 1 (continuous paths only).
        ignore_repeats: leave out predicted points that equal the point before, for warping and the rate of
            collisions.
        jumps: a step between nodes that share no edge counts as the shortest way between them, or makes
            the episode undefined.
        start: may a prediction start somewhere else than the reference?
        missing: are predictions refused if some episodes have none, or are those episodes left out?
        instructions: how many instructions of each path are scored; 0 for all.
        tour_constraint: may a reference point at an episode's boundary be matched only by the predicted
            point there (``boundary``), or by any point of the same episode (``episode``)?
        tour_weight: tours count by their episodes, or by the changes from one episode to the next.
    """

    radius: float = 3.0
    success: Literal["<", "<="] = "<"
    goal_distance: Literal["geodesic", "straight"] = "geodesic"
    object_goal: Literal["undefined", "seen", "near"] = "undefined"
    stop_required: bool = False
    spl_optimum: Literal["shortest", "reference"] = "shortest"
    spl_floor: float = 0.0
    spl_at_goal: Literal["one", "zero", "undefined"] = "one"
    cls_length: Literal["any", "edges"] = "any"
    cls_at_rest: Literal["undefined", "one"] = "undefined"
    dtw: Literal["total", "per-metre"] = "total"
    warping: Literal["exact", "fastdtw"] = "exact"
    ignore_repeats: bool = False
    jumps: Literal["shortest", "undefined"] = "shortest"
    start: Literal["any", "reference"] = "any"
    missing: Literal["refused", "left out"] = "refused"
    instructions: int = 0
    tour_constraint: Literal["boundary", "episode"] = "boundary"
    tour_weight: Literal["episodes", "transitions"] = "episodes"

    def differences(self, other: Switches) -> dict[str, tuple[object, object]]:
        """Return the switches that are set differently, with both settings."""
        pairs = {f.name: (getattr(self, f.name), getattr(other, f.name)) for f in fields(self)}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
