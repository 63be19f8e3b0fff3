"""Scores the walks of cases by the metrics of a profile; what all benchmarks share that let agents walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from vlnscope.episodes.formats.evidence import EvidenceLine, prediction_of
from vlnscope.metrics.encoding import pair_episodes
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.metrics.values import Values
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.scene import Scenes


def score_trajectories(
    cases: Sequence[Case],
    evidence: Mapping[str, EvidenceLine],
    scenes: Scenes,
    *,
    profile: str = "default",
    needed: Sequence[str] = (),
) -> list[ScoreRow]:
    """Return a row for each case that was walked, called after the case.

    A case that failed gets the worst value of metrics that have one (0 for shares such as SR or CLS), and is
    undefined for the others, with the reason: scored as if the agent had stayed where it was, it would
    succeed wherever a path comes back to its start.

    Args:
        cases: what was asked.
        evidence: the evidence by case; cases without any are left out.
        scenes: where the cases take place.
        profile: whose conventions to follow. Its metrics are computed. All cases count, whatever the profile
            says about the number of instructions per path.
        needed: metrics that are computed besides.

    Raises:
        InputError: the profile is unknown, or a path does not fit its scene.
    """
    chosen = get_profile(profile)
    names = tuple(dict.fromkeys((*chosen.metrics, *needed)))
    names = tuple(name for name in names if get_metric(name).per == "episode")
    there = [case for case in cases if case.case_id in evidence]
    walked = [case for case in there if evidence[case.case_id].failed is None]
    values = _measured(pair_trajectories(walked, evidence, scenes), chosen, names) if walked else {}
    rows = {case.case_id: _row(case, values, at) for at, case in enumerate(walked)}
    return [rows.get(case.case_id) or _failed(case, names, evidence[case.case_id]) for case in there]


def pair_trajectories(cases: Sequence[Case], evidence: Mapping[str, EvidenceLine], scenes: Scenes) -> Pairs:
    """Put what was walked beside what was asked, by case id; all cases must have a line.

    Walks that have positions are measured in continuous space if the episodes of all cases lie there, else
    on the graph, along the viewpoints that they were projected onto.
    """
    in_space = all(case.episode.continuous for case in cases)
    continuous = in_space and any(evidence[case.case_id].positions for case in cases)
    episodes = (replace(case.episode, episode_id=case.case_id) for case in cases)
    pairs = pair_episodes(episodes, scenes, continuous=continuous)
    predictions = ((case.case_id, prediction_of(evidence[case.case_id])) for case in cases)
    pairs.add_predictions(replace(prediction, episode_id=case_id) for case_id, prediction in predictions)
    return pairs


def values_at(values: Mapping[str, Values], at: int) -> tuple[dict[str, float], dict[str, str]]:
    """Return the numbers of one row, and the reasons of those that it has not."""
    reasons = {name: reason for name, of in values.items() if (reason := of.reason(at)) is not None}
    return {name: float(of.values[at]) for name, of in values.items() if name not in reasons}, reasons


def _measured(pairs: Pairs, profile: Profile, names: Sequence[str]) -> dict[str, Values]:
    parts = [evaluate(pairs.batch(rows), profile, names) for rows in pairs.blocks(np.arange(len(pairs)))]
    return {name: Values.join([part[name] for part in parts]) for name in parts[0]}


def _row(case: Case, values: Mapping[str, Values], at: int) -> ScoreRow:
    return _made(case, *values_at(values, at))


def _failed(case: Case, names: Sequence[str], line: EvidenceLine) -> ScoreRow:
    metrics = [get_metric(name) for name in names]
    worst = {metric.name: metric.low for metric in metrics if metric.better == "higher"}
    rest = {metric.name: f"the case failed: {line.failed}" for metric in metrics if metric.name not in worst}
    return _made(case, worst, rest)


def _made(case: Case, values: dict[str, float], undefined: dict[str, str]) -> ScoreRow:
    return ScoreRow(
        episode_id=case.case_id,
        scan=case.episode.scan,
        path_id=case.episode.path_id,
        values=values,
        undefined=undefined,
        groups=dict(case.groups),
    )
