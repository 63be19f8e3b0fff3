"""From walks to scores: how many steps of a chain were carried out in a row.

Values of a row:

===============  =========================================================================================
``SR``           1 if all steps were carried out and the agent stopped
``OSR``          the same for an agent told when to stop
``steps``        steps carried out in a row, from the first
``share``        ``steps`` as a share of all steps
``chance``       success rate of five uniformly random moves per step, as the builder found it
===============  =========================================================================================

A step that is asked alone is an item of NavNuances: right if the agent stops where its check passes. A case
in which the agent failed has 0 for all but chance.
"""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.chains.judging import ChainJudge, ChainProgress
from vlnscope.benchmarks.nuances.chains.steps import CHANCE, steps_of
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.scene import Scenes

PROFILES = ("default", "official")


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
    steps = steps_of(episode)
    judge = ChainJudge(steps, scenes.scene(episode.scan).graph, episode.scan, episode.heading or 0.0)
    made = ChainProgress(0, 0) if line.failed is not None else judge.progress(line.path)
    values = {
        "SR": float(made.done == len(steps)),
        "OSR": float(made.could == len(steps)),
        "steps": float(made.done),
        "share": made.done / len(steps),
    }
    if isinstance(chance := episode.extra.get(CHANCE), float | int):
        values["chance"] = float(chance)
    return ScoreRow(
        episode_id=case.case_id,
        scan=episode.scan,
        path_id=case.groups.get("pair", episode.path_id),
        values=values,
        groups=dict(case.groups),
    )
