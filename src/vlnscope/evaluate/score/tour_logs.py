"""Scores logs of whole tours in continuous space (IVLN-CE) against a reference log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.reading import read_tour_logs
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.evaluate.score.score import ranges_of
from vlnscope.metrics.batch import PathBatch, point_batch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.measures.tour_ndtw import tour_weights
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.estimate import summarise
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Point, TourLog, TourStep

Episodes = list[tuple[str, list[Point]]]


def score_tour_logs(
    log: str | Path,
    reference: str | Path,
    *,
    profile: str = "ivln-ce",
    split: str | None = None,
    bootstrap: Bootstrap | None = None,
) -> Score:
    """Score the log of an agent's tours against the log of the reference (``gt_ndtw.json``).

    As in IVLN-CE, steps of the agent's log that equal the step before in place, phase and episode are
    left out, those of the reference are kept; then only agent phases count. Tours count as the independent
    observations of intervals, since logs do not name scenes.

    Raises:
        InputError: the logs differ in their tours, or in the order of a tour's episodes.
    """
    chosen = get_profile(profile)
    names = [name for name in chosen.metrics if get_metric(name).per == "tour"]
    if not names:
        raise InputError(
            f"profile {profile} has no metric of tours",
            expected="a profile that has, such as ivln-ce or paper",
            fix="add --profile ivln-ce",
        )
    batch, ids = tour_log_batch(read_tour_logs(log, split=split), read_tour_logs(reference, split=split))
    values = evaluate(batch, chosen, names)
    weights = tour_weights(batch, chosen.switches)
    nesting = Nesting.of({"tour": ids})
    ranges = ranges_of(values)
    intervals = summarise(values, nesting, ranges=ranges, weights=weights, bootstrap=bootstrap)
    tours = Rows(ids, [""] * len(ids), [""] * len(ids), values)
    n = len(batch)
    episodes = Rows([str(i) for i in range(n)], [""] * n, [""] * n, {})
    return Score(chosen, str(reference), episodes, tours, intervals)


def tour_log_batch(logs: Iterable[TourLog], references: Iterable[TourLog]) -> tuple[PathBatch, list[str]]:
    """Put the agent phases of logged tours beside those of the reference; also return the tours' ids."""
    logged = {log.tour_id: log for log in logs}
    known = {log.tour_id: log for log in references}
    if set(logged) != set(known):
        odd = sorted(set(logged) ^ set(known))
        raise InputError(
            f"the logs do not hold the same tours: {', '.join(odd[:3])} is in one only",
            expected="the same tour ids in both logs",
            fix="give the reference of the same split; --split names one of several",
        )
    if not known:
        raise InputError(
            "the logs hold no tours",
            expected="at least one tour in each log",
            fix="let the agent write its log again",
        )
    walked: list[list[Point]] = []
    wanted: list[list[Point]] = []
    sizes: list[int] = []
    for tour_id, reference in known.items():
        theirs = _agent_episodes(tour_id, reference.steps)
        ours = _agent_episodes(tour_id, _without_stalls(logged[tour_id].steps))
        if [name for name, _ in theirs] != [name for name, _ in ours]:
            raise InputError(
                f"tour {tour_id}: the agent's episodes are not those of the reference in the same order",
                expected=", ".join(name for name, _ in theirs[:5]) + (", …" if len(theirs) > 5 else ""),
                fix="let the agent walk the tours of the same file as the reference",
            )
        walked += [points for _, points in ours]
        wanted += [points for _, points in theirs]
        sizes.append(len(theirs))
    goals = np.asarray([points[-1] for points in wanted], dtype=np.float64)
    batch = point_batch(Ragged.points(walked), Ragged.points(wanted), goals)
    return replace(batch, tour=np.repeat(np.arange(len(sizes)), sizes)), list(known)


def _without_stalls(steps: tuple[TourStep, ...]) -> list[TourStep]:
    return [step for i, step in enumerate(steps) if i == 0 or step != steps[i - 1]]


def _agent_episodes(tour_id: str, steps: Iterable[TourStep]) -> Episodes:
    acting = [step for step in steps if step.phase == "agent"]
    if not acting or any(step.position is None for step in acting):
        raise InputError(
            f"tour {tour_id}: " + ("the agent takes no step" if not acting else "steps have no coordinates"),
            expected="agent phases with a position for each step",
            fix="on graphs, score the predictions of the episodes with --tours FILE instead",
        )
    return [
        (name, [step.position for step in group if step.position is not None])
        for name, group in groupby(acting, key=lambda step: step.episode_id)
    ]
