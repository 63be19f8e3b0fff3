"""Checks of one prediction that is a list of coordinates (VLN-CE, RxR-CE)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from vlnscope.episodes.doctor.problems import SubmissionFinding, finding
from vlnscope.episodes.doctor.targets import START_TOLERANCE, EpisodeTarget, same_place
from vlnscope.types import Point, Prediction

LONGEST_STEP = 0.5
MOST_ACTIONS = 500


def space_checks(prediction: Prediction, target: EpisodeTarget) -> Iterator[SubmissionFinding]:
    """Yield what is wrong with a prediction of an episode in continuous space."""
    name, points = prediction.episode_id, prediction.positions
    if not points:
        yield finding("wrong-space-in-space", name)
        return
    if not same_place(points[0], target.start):
        yield _wrong_start(name, points, target)
    if prediction.stopped is False:
        yield finding("no-stop", name)
    if any(isinstance(step, dict) and step.get("stop") for step in prediction.extra.get("steps", ())):
        yield finding("moves-after-stop", name)
    longest = max((math.dist(a, b) for a, b in pairwise(points)), default=0.0)
    if longest > LONGEST_STEP:
        yield finding("long-step", name, longest=longest)
    if len(points) > MOST_ACTIONS + 1:
        yield finding("too-long", name, points=len(points), most=MOST_ACTIONS)


def _wrong_start(name: str, points: tuple[Point, ...], target: EpisodeTarget) -> SubmissionFinding:
    start = cast(Point, target.start)
    if target.goal is not None and all(same_place(point, target.goal) for point in points):
        return finding("goal-only", name)
    x, y, _ = points[0]
    if math.dist((x, -y), (start[0], start[2])) <= START_TOLERANCE:
        return finding("wrong-frame", name)
    return finding("wrong-start-in-space", name, away=math.dist(points[0], start))
