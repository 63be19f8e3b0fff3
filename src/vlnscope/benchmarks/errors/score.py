"""Scores pairs of right and wrong instructions: how each was walked, and where the two walks part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.trajectory_scores import score_trajectories
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.scene import Scenes

NEEDED = ("SR", "SPL", "NE", "nDTW")
PARTED = "parted"
"""1 if the walk of a wrong instruction is another than that of the right one, 0 if they are the same."""
PARTING = "parting step"
"""The first step (1 is the first) at which the two walks differ: one goes elsewhere, or stops."""
DELAY = "steps after the error"
"""How many steps after the place of the first wrong word the walks part; negative if before it."""
_SAME = "the two walks are the same"
_ALONE = "the right instruction of the pair was not finished"


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Score what an agent did.

    Args:
        case_set: the cases.
        evidence: the evidence by case; cases without any are left out.
        scenes: where the cases take place.
        profile: whose conventions to follow; its metrics are computed, and `NEEDED` in any case.

    Returns:
        A row per case, called after the case; see `score_trajectories`. Wrong instructions also have
        `PARTED`, `PARTING` and, where the place of the error is known, `DELAY`; these are undefined where
        either half failed or the right half is missing, and the latter two where the walks are the same.

    Raises:
        InputError: the profile is unknown, or a path does not fit its scene.
    """
    rows = score_trajectories(case_set.cases, evidence, scenes, profile=profile, needed=NEEDED)
    cases = {case.case_id: case for case in case_set.cases}
    clean = {row.groups["pair"]: row.episode_id for row in rows if row.groups["variant"] == "clean"}
    scored = []
    for row in rows:
        if row.groups["variant"] == "wrong":
            other = clean.get(row.groups["pair"])
            line, partner = evidence[row.episode_id], evidence[other] if other else None
            row = _compared(row, cases[row.episode_id], line, partner)
        scored.append(row)
    return scored


def parting_step(a: Sequence[str], b: Sequence[str]) -> int | None:
    """Return the first step at which two walks from the same start differ, None if they never do.

    Staying on the spot is no step; where one walk goes on after the other has ended, that is the step.

    Example:
        >>> parting_step("stuv", "stx"), parting_step("stt", "stu"), parting_step("sst", "st")
        (2, 2, None)
    """
    left, right = ([node for node, _ in groupby(walk)] for walk in (a, b))
    if left == right:
        return None
    shared = min(len(left), len(right))
    return next((step for step in range(shared) if left[step] != right[step]), shared)


def _compared(row: ScoreRow, case: Case, wrong: EvidenceLine, clean: EvidenceLine | None) -> ScoreRow:
    """Add where the walk parts from that of the right instruction."""
    if clean is None or clean.failed or wrong.failed:
        why = _ALONE if clean is None else f"a half of the pair failed: {clean.failed or wrong.failed}"
        reasons = dict.fromkeys((PARTED, PARTING, DELAY), why)
        return replace(row, undefined=row.undefined | reasons)
    step = parting_step(clean.path, wrong.path)
    if step is None:
        reasons = dict.fromkeys((PARTING, DELAY), _SAME)
        return replace(row, values=row.values | {PARTED: 0.0}, undefined=row.undefined | reasons)
    values = {PARTED: 1.0, PARTING: float(step)}
    if places := case.episode.extra.get("error_steps"):
        # words that speak of step k decide where to go from there, which is step k + 1
        values[DELAY] = float(step - 1 - min(first for first, _ in places))
        return replace(row, values=row.values | values)
    unknown = {DELAY: "it is not known of which step the wrong word speaks"}
    return replace(row, values=row.values | values, undefined=row.undefined | unknown)
