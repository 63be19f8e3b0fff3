"""From walks to scores: how many steps of a chain were carried out in a row.

Values of a row:

===============  =========================================================================================
``SR``           1 if all steps were carried out and the agent stopped
``OSR``          the same for an agent told when to stop
``steps``        steps carried out in a row, from the first
``share``        ``steps`` as a share of all steps
``chance``       success rate of five uniformly random moves per step, over `WALKS` walks
===============  =========================================================================================

A step that is asked alone is an item of NavNuances: right if the agent stops where its check passes. A case
in which the agent failed has 0 for all but chance.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.chains.judging import ChainJudge, ChainProgress
from vlnscope.benchmarks.nuances.chains.steps import steps_of
from vlnscope.benchmarks.nuances.evaluators.chance import MOVES
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes

PROFILES = ("default", "official")
WALKS = 100
"""How many random walks tell the chance level of a case."""


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Return a row for each case that has a line, in the order of the cases.

    Args:
        case_set: the cases; each episode carries its steps.
        evidence: evidence by case id.
        scenes: where the cases take place.
        profile: ``official`` (the default): the rules of the released evaluators.

    Raises:
        InputError: no such profile, or a case has no steps.
    """
    if profile not in PROFILES:
        raise InputError(
            f"chains has no profile {profile!r}",
            expected=f"one of {', '.join(PROFILES)}",
            fix="leave --profile out",
        )
    return [_row(case, evidence[case.case_id], scenes) for case in case_set.cases if case.case_id in evidence]


def _row(case: Case, line: EvidenceLine, scenes: Scenes) -> ScoreRow:
    episode = case.episode
    graph, steps = scenes.scene(episode.scan).graph, steps_of(episode)
    judge = ChainJudge(steps, graph, episode.scan, episode.heading or 0.0)
    made = ChainProgress(0, 0) if line.failed is not None else judge.progress(line.path)
    values = {
        "SR": float(made.done == len(steps)),
        "OSR": float(made.could == len(steps)),
        "steps": float(made.done),
        "share": made.done / len(steps),
        "chance": _chance(judge, graph, case, len(steps)),
    }
    return ScoreRow(
        episode_id=case.case_id,
        scan=episode.scan,
        path_id=case.groups.get("pair", episode.path_id),
        values=values,
        groups=dict(case.groups),
    )


def _chance(judge: ChainJudge, graph: NavGraph, case: Case, steps: int) -> float:
    """Return how often random moves carry out all steps; the walks depend on the case alone."""
    rng = rng_for(0, "chance of chains", case.case_id)
    walks = (_random_walk(graph, case.episode.path[0], MOVES * steps, rng) for _ in range(WALKS))
    return sum(judge.progress(walk).done == steps for walk in walks) / WALKS


def _random_walk(graph: NavGraph, start: str, moves: int, rng: np.random.Generator) -> list[str]:
    walk = [start]
    for draw in rng.random(moves):
        ways = graph.neighbours(walk[-1])
        walk += [ways[int(draw * len(ways))]] if ways else []
    return walk
