"""From evidence to scores: every case of NavNuances judged by the evaluator of its category.

Values of a row:

===========  =============================================================================================
``SR``       success by the rule of the category
``OSR``      success of an agent told when to stop (not in DC, where the first move decides)
``chance``   success rate of five uniformly random moves, in expectation
``agent-1``  NU: success rate of one who enters any of the rooms; ``agent-2``: any on the stated side
others       NU: ``goal_SR``, ``nDTW``; VM: all of the base evaluator (NE, SPL, nDTW, …)
===========  =============================================================================================

A case in which the agent failed has SR and OSR 0 and nothing else but the levels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.evaluators import direction, landmark, numerical, region, vertical
from vlnscope.benchmarks.nuances.evaluators.chance import chance, room_guess, side_guess
from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    CATEGORIES,
    Category,
    Judgement,
    Wording,
    category_of,
)
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Episode, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes

PROFILES: dict[str, Wording] = {"default": "default", "official": "official", "paper": "paper"}
"""The default follows the official rules, as published numbers do; where the words mean any of several
landmarks (`obj_centers`, which released files do not have), any of them is right."""
_JUDGES: dict[Category, Callable[[Episode, Sequence[str], NavGraph, Wording], Judgement]] = {
    "DC": direction.judge,
    "NU": numerical.judge,
    "LR": landmark.judge,
    "RR": region.judge,
}
"""Evaluators of single walks; those of stairs are judged all at once."""


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Return a row for each case that has a line, in the order of the cases.

    Args:
        case_set: the cases; each episode carries the fields of its NavNuances record in `extra`.
        evidence: evidence by case id.
        scenes: where the cases take place.
        profile: ``default``, ``official`` (the released evaluators to the letter), or ``paper`` for the
            rules as the paper words them.

    Raises:
        InputError: no such profile, or an annotation lacks what its evaluator needs.
    """
    wording = _wording(profile)
    cases = [case for case in case_set.cases if case.case_id in evidence]
    walked = [(case, evidence[case.case_id].path) for case in cases if evidence[case.case_id].failed is None]
    judgements = judge_walks(walked, scenes, wording)
    levels: dict[tuple[str, ...], dict[str, float]] = {}
    return [
        _row(case, judgements.get(case.case_id), _levels(case, scenes, wording, levels)) for case in cases
    ]


def category(case: Case) -> Category:
    """Return the category of a case: its group, or what the annotation says."""
    name = case.groups.get("category")
    return next((known for known in CATEGORIES if known == name), None) or category_of(case.episode)


def judge_walks(
    walked: Sequence[tuple[Case, Sequence[str]]], scenes: Scenes, wording: Wording = "official"
) -> dict[str, Judgement]:
    """Judge walks by the evaluators of their categories; the verdicts by case id."""
    vertically = [pair for pair in walked if category(pair[0]) == "VM"]
    named = [
        (msgspec.structs.replace(case.episode, episode_id=case.case_id), path) for case, path in vertically
    ]
    of_stairs = vertical.judge_all(named, scenes, wording)
    judgements = {case.case_id: one for (case, _), one in zip(vertically, of_stairs, strict=True)}
    for case, path in walked:
        if case.case_id not in judgements:
            graph = scenes.scene(case.episode.scan).graph
            judgements[case.case_id] = _JUDGES[category(case)](case.episode, path, graph, wording)
    return judgements


def _levels(
    case: Case, scenes: Scenes, wording: Wording, known: dict[tuple[str, ...], dict[str, float]]
) -> dict[str, float]:
    """Return what agents reach that understand little; cases of one annotation share it."""
    kind = category(case)
    key = (kind, case.episode.scan, case.episode.path_id, case.groups.get("subset", case.case_id))
    if key not in known:
        graph = scenes.scene(case.episode.scan).graph
        levels = {"chance": chance(case.episode, kind, graph, wording=wording)}
        if kind == "NU":
            levels |= {"agent-1": room_guess(case.episode), "agent-2": side_guess(case.episode)}
        known[key] = levels
    return known[key]


def _row(case: Case, judgement: Judgement | None, levels: Mapping[str, float]) -> ScoreRow:
    if judgement is None:
        worst = {"SR": 0.0} if category(case) == "DC" else {"SR": 0.0, "OSR": 0.0}
        judgement = Judgement(worst)
    return ScoreRow(
        episode_id=case.case_id,
        scan=case.episode.scan,
        path_id=case.episode.path_id,
        values={**judgement.values, **levels},
        undefined=dict(judgement.undefined),
        groups=_groups(case),
    )


def _groups(case: Case) -> dict[str, str]:
    """Return the groups of a case; of stairs also whether they lead both ways from the start."""
    if category(case) != "VM":
        return dict(case.groups)
    return {"both": "yes" if vertical.has_both_directions(case.episode) else "no", **case.groups}


def _wording(profile: str) -> Wording:
    if profile not in PROFILES:
        raise InputError(
            f"nuances has no profile {profile!r}",
            expected=f"one of {', '.join(PROFILES)}",
            fix="official follows the released evaluators, paper the words of the paper; see the docs",
        )
    return PROFILES[profile]
