"""Scores the cases of outcomes: the metrics of a profile, how each walk ended, and where it went wrong.

Besides metrics, rows have these groups, where they apply:

=============  ===========================================================================================
``outcome``    how the walk ended, one of `OUTCOMES`
``stop``       where it stopped, one of `STOPS`; without it the walk had lost the way
``due``        which turn was due where a walk left the way, one of `TURNS`
``instead``    which it took
=============  ===========================================================================================

and these values:

==================  ======================================================================================
``decisive``        number of the element of the logged path at which a failure was decided
``left-at``         moves before the way was left for good
``due-angle``       degrees to the right of the way that was due there; ``instead-angle`` of what was done
``steps-short``     places of the way that were left where a walk stopped short; ``metres-short`` likewise
``steps-past``      moves after the last time at the goal; ``metres-past``: how far from it the walk ended
``stopped``         whether stop was called, where that is known; ``places``: how many the way has
``again``           moves that led to places visited before
``due.TURN``        how often the turn was due; ``taken.TURN``: and was taken; ``chance.TURN``: and would have
                    been by somebody who takes any way
``to-goal.K``       metres to the goal after K moves; after its end a walk counts where it ended
==================  ======================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.trajectory_scores import score_trajectories
from vlnscope.benchmarks.outcomes.kinds import SUCCESSES, Outcome
from vlnscope.benchmarks.outcomes.score.outcomes import (
    CLOSE,
    Ending,
    arrived_at,
    outcome_of,
    stop_of,
)
from vlnscope.benchmarks.outcomes.score.track import ReferencePath, Track
from vlnscope.benchmarks.outcomes.score.turns import TURNS, dues, move_to
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.metrics.measures.sr import near
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import MAX_STEPS, Case, Ints, ScoreRow
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.storeys import storeys_of

NEEDED = ("SR", "SPL", "NE", "OSR", "nDTW", "CLS", "TL", "steps")
LEAVING: tuple[Outcome, ...] = ("wrong-floor", "wrong-turn")
"""Outcomes of walks that left the way and did not come back to it."""
NO_HEADING = "where the walker looks at first is not known"
NO_STOP = "the file does not say whether the agent stopped"
LOST = "the walk was never on the described way"


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Score what agents did, or what a prediction file says that they did; see `score_trajectories`.

    Whether a walk was a success, and how near the goal is near, is a matter of the profile; how close it
    kept to the way is CLS by the default one.
    """
    rows = score_trajectories(case_set.cases, evidence, scenes, profile=profile, needed=NEEDED)
    plain = (
        rows if profile == "default" else score_trajectories(case_set.cases, evidence, scenes, needed=NEEDED)
    )
    cases = {case.case_id: case for case in case_set.cases}
    seer = _Seer(scenes, profile)
    return [
        seer.seen(row, cases[row.episode_id], evidence[row.episode_id], other.values.get("CLS", 0.0) >= CLOSE)
        for row, other in zip(rows, plain, strict=True)
    ]


class _Seer:
    """Looks at walks one by one, and keeps what those of one scene or path share."""

    def __init__(self, scenes: Scenes, profile: str) -> None:
        self._scenes = scenes
        self._switches = get_profile(profile).switches
        self._storeys: dict[str, Ints] = {}
        self._ways: dict[tuple[str, tuple[str, ...]], ReferencePath] = {}

    def seen(self, row: ScoreRow, case: Case, line: EvidenceLine, close: bool) -> ScoreRow:
        """Return the row with what became of the walk."""
        if line.failed is not None:
            return replace(row, groups=row.groups | {"outcome": "failed"})
        episode = case.episode
        way = self._way(episode.scan, episode.path)
        track = Track.of(way, line.path, heading=episode.heading, stopped=line.stopped)
        around = near(way.to_goal, self._switches)
        success = row.values.get("SR", float(around[track.walk[-1]])) == 1.0
        outcome = outcome_of(track, Ending(success, close, around), self._storeys_of(episode.scan))
        arrived = arrived_at(track, around)
        groups = {"outcome": str(outcome)}
        if stop := stop_of(track, outcome, arrived):
            groups["stop"] = stop
        more, undefined = _particulars(track, outcome, arrived)
        turns, angles, unknown = _wrong_turn(track, outcome)
        return replace(
            row,
            values=row.values | more | angles | _turn_counts(track) | _approach(track),
            undefined=row.undefined | undefined | unknown,
            groups=row.groups | groups | turns,
        )

    def _way(self, scan: str, path: tuple[str, ...]) -> ReferencePath:
        if (scan, path) not in self._ways:
            self._ways[scan, path] = ReferencePath.of(self._scenes.scene(scan).graph, path)
        return self._ways[scan, path]

    def _storeys_of(self, scan: str) -> Ints:
        if scan not in self._storeys:
            self._storeys[scan] = storeys_of(self._scenes.scene(scan))
        return self._storeys[scan]


def _particulars(
    track: Track, outcome: Outcome, arrived: int | None
) -> tuple[dict[str, float], dict[str, str]]:
    values = {"again": float(track.again), "places": float(track.way.end + 1)}
    undefined = {}
    if track.stopped is None:
        undefined["stopped"] = NO_STOP
    else:
        values["stopped"] = float(track.stopped)
    if track.furthest is not None and track.left_at is None:
        values["steps-short"] = float(track.way.end - track.furthest)
        values["metres-short"] = float(track.way.left[track.furthest])
    if outcome in LEAVING and track.left_at is not None:
        values["left-at"] = float(track.left_at)
    elif outcome in LEAVING:
        undefined["left-at"] = LOST
    if outcome == "overshot" and arrived is not None:
        values["steps-past"] = float(track.end - arrived)
        values["metres-past"] = float(track.way.to_goal[track.walk[-1]])
    if outcome not in SUCCESSES:
        values["decisive"] = float(track.elements[_decisive(track, outcome, arrived)])
    return {name: value for name, value in values.items() if math.isfinite(value)}, undefined


def _decisive(track: Track, outcome: Outcome, arrived: int | None) -> int:
    """Return the number of the visited viewpoint at which a failure was decided."""
    if outcome in LEAVING:
        return track.left_at or 0
    if outcome == "wandered":
        return track.first_back or 0
    return arrived if outcome == "overshot" and arrived is not None else track.end


def _wrong_turn(track: Track, outcome: Outcome) -> tuple[dict[str, str], dict[str, float], dict[str, str]]:
    """Return what was due where the way was left, and what was done instead: words, degrees, or why not."""
    at = track.left_at
    if outcome not in LEAVING or at is None or track.furthest is None:
        return {}, {}, {}
    due = move_to(track, at, track.way.rows[track.furthest + 1])
    instead = move_to(track, at, track.walk[at + 1])
    if due is None or instead is None:
        return {}, {}, {"due-angle": NO_HEADING, "instead-angle": NO_HEADING}
    angles = {"due-angle": math.degrees(due.angle), "instead-angle": math.degrees(instead.angle)}
    return {"due": due.turn, "instead": instead.turn}, angles, {}


def _turn_counts(track: Track) -> dict[str, float]:
    values = {f"{name}.{turn}": 0.0 for turn in TURNS for name in ("due", "taken", "chance")}
    for due in dues(track):
        values[f"due.{due.turn}"] += 1.0
        values[f"taken.{due.turn}"] += due.taken
        values[f"chance.{due.turn}"] += due.chance
    return values


def _approach(track: Track) -> dict[str, float]:
    metres = track.way.to_goal[list(track.walk)]
    steps = np.minimum(np.arange(MAX_STEPS + 1), track.end)
    return {
        f"to-goal.{k}": float(metres[step]) for k, step in enumerate(steps) if math.isfinite(metres[step])
    }
