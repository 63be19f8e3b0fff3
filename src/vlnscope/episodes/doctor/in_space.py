"""Checks of one prediction that is a list of coordinates (VLN-CE, RxR-CE)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from vlnscope.episodes.doctor.problems import SubmissionFinding, error, warning
from vlnscope.episodes.doctor.targets import START_TOLERANCE, EpisodeTarget, same_place
from vlnscope.types import Point, Prediction

LONGEST_STEP = 0.5
MOST_ACTIONS = 500


def space_checks(prediction: Prediction, target: EpisodeTarget) -> Iterator[SubmissionFinding]:
    """Yield what is wrong with a prediction of an episode in continuous space."""
    name, points = prediction.episode_id, prediction.positions
    if not points:
        yield error(
            "wrong-space",
            name,
            "names viewpoints, but the data set is continuous",
            "write positions, or check it with a data set on graphs such as r2r/val_unseen",
        )
        return
    if not same_place(points[0], target.start):
        yield _wrong_start(name, points, target)
    if prediction.stopped is False:
        yield warning(
            "no-stop",
            name,
            "never calls STOP, which VLN-CE counts as failure wherever it ends",
            "set `stop` in the last state if the agent did stop",
        )
    if any(isinstance(step, dict) and step.get("stop") for step in prediction.extra.get("steps", ())):
        yield warning(
            "moves-after-stop",
            name,
            "goes on after it has called STOP, where VLN-CE ends an episode",
            "write nothing after the state in which `stop` is true",
        )
    longest = max((math.dist(a, b) for a, b in pairwise(points)), default=0.0)
    if longest > LONGEST_STEP:
        yield warning(
            "long-step",
            name,
            f"moves {longest:.2f} m in one step; nDTW compares with a path that has a point every 0.25 m",
            "write the position after every action of 0.25 m, not only the way points",
        )
    if len(points) > MOST_ACTIONS + 1:
        yield warning(
            "too-long",
            name,
            f"has {len(points)} positions, but VLN-CE ends an episode after {MOST_ACTIONS} actions",
            f"let the agent stop after {MOST_ACTIONS} actions",
        )


def _wrong_start(name: str, points: tuple[Point, ...], target: EpisodeTarget) -> SubmissionFinding:
    start = cast(Point, target.start)
    if target.goal is not None and all(same_place(point, target.goal) for point in points):
        return error(
            "goal-only",
            name,
            "holds nothing but the goal",
            "write the whole path that the agent walked, its start first",
        )
    x, y, _ = points[0]
    if math.dist((x, -y), (start[0], start[2])) <= START_TOLERANCE:
        return error(
            "wrong-frame",
            name,
            "is in the frame of MatterSim (z up), not of Habitat (y up)",
            "write x, z - camera height, -y",
        )
    away = math.dist(points[0], start)
    return error(
        "wrong-start",
        name,
        f"starts {away:.2f} m away from where the episode starts",
        "write the first state too; look for ids or splits that got mixed up",
    )
