"""Scores routes on which the shortest way is wrong: the metrics of a profile, and what happened at the room.

Values of a row beside those of fidelity:

============  ============================================================================================
``entered``   1 if the walk came into the room
``obeyed``    1 if it kept out of it (avoid), or came into it (rescue)
``done``      1 if it obeyed and reached the goal (``SR``); not for the control, where nothing is asked
============  ============================================================================================

A case in which the agent failed has 0 for ``done`` and nothing else of these.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.avoid.tasks import task_of
from vlnscope.benchmarks.fidelity.score import NEEDED
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.trajectory_scores import score_trajectories
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.scene import Scenes


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Return a row for each case that has a line, in the order of the cases.

    Args:
        case_set: the cases; each episode carries its task.
        evidence: evidence by case id.
        scenes: where the cases take place.
        profile: whose conventions of metrics to follow.
    """
    rows = score_trajectories(case_set.cases, evidence, scenes, profile=profile, needed=NEEDED)
    cases = {case.case_id: case for case in case_set.cases}
    return [_with_task(row, cases[row.episode_id], evidence[row.episode_id]) for row in rows]


def _with_task(row: ScoreRow, case: Case, line: EvidenceLine) -> ScoreRow:
    told = case.groups["variant"] == "told"
    if line.failed is not None:
        return replace(row, values={**row.values, "done": 0.0}) if told else row
    task = task_of(case.episode)
    obeyed = task.obeyed(line.path)
    values = {"entered": float(task.came_in(line.path)), "obeyed": float(obeyed)}
    if told:
        values["done"] = float(obeyed and row.values["SR"] > 0)
    return replace(row, values={**row.values, **values})
