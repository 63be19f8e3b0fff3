"""Scores the cases: right if as many blocks were walked as were told."""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import ScoreRow
from vlnscope.worlds.scene import Scenes


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Return a row for each case that was walked."""
    return [
        ScoreRow(
            episode_id=case.case_id,
            scan=case.episode.scan,
            path_id=case.episode.path_id,
            values={"counted": float(len(evidence[case.case_id].path) == len(case.episode.path))},
            groups=case.groups,
        )
        for case in case_set.cases
        if case.case_id in evidence
    ]
