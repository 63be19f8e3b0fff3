"""Scores the cases of fidelity: every metric of a profile, and those that the findings need."""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.trajectory_scores import score_trajectories
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import ScoreRow
from vlnscope.worlds.scene import Scenes

GOAL = ("SR", "SPL")
"""Metrics of reaching the goal."""
FIDELITY = ("CLS", "nDTW")
"""Metrics of staying on the path."""
NEEDED = ("TL", "NE", *GOAL, "SED", *FIDELITY, "sDTW")


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Score trajectories by the metrics of a profile, and by `NEEDED` in any case."""
    return score_trajectories(case_set.cases, evidence, scenes, profile=profile, needed=NEEDED)
