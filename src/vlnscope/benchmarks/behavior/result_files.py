"""Result files of vln-behave: what its agents logged, read as evidence and written from it.

Such a file is a JSON list with an object per case (D.6 of the protocols): ``instr_id`` is
``PATH_INSTRUCTION_NODES`` or ``PATH_INSTRUCTION_NODES_NAME`` (an object or a room), ``candidates[0]`` is the
viewpoint and where one can go from there, ``final_logits[0]`` are the probabilities of these, then that of
stopping, then padding, and ``final_viewpoint_id`` is where the free run ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.benchmarks.behavior.score.decisions import ScoredStep
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes, write_whole
from vlnscope.core.json_file import NOT_JSON
from vlnscope.episodes.formats.evidence import VERSION, DecisionRecord, EvidenceLine
from vlnscope.types import Case
from vlnscope.worlds.graph.views import VIEW_HEADINGS
from vlnscope.worlds.scene import Scenes

_FIX = "take the file as the agents of vln-behave write it"
_TOLERANCE = 1e-4
_VIEW = math.radians(30)
_ROUNDED = 1e-6


class OfficialCandidate(msgspec.Struct, frozen=True, rename={"viewpoint": "viewpointId", "scan": "scanId"}):
    """Where one can go.

    Attributes:
        viewpoint: its id.
        heading: radians, relative to where the agent looks (30° steps), right positive.
        normalized_heading: radians, absolute.
        scan: scene id.
    """

    viewpoint: str
    heading: float
    normalized_heading: float
    scan: str = ""


class OfficialResult(msgspec.Struct, frozen=True):
    """What an agent did in one case.

    Attributes:
        instr_id: which case.
        candidates: the viewpoint where it decided, and where it could go; the first is the scored one.
        final_logits: probabilities, despite the name: of each candidate, of stopping, and padding.
        stop_prob: the probability of stopping.
        final_viewpoint_id: where it ended: viewpoint, heading, elevation; empty if the file does not say.
    """

    instr_id: str
    candidates: list[tuple[str, list[OfficialCandidate]]]
    final_logits: list[list[float]]
    stop_prob: list[float] = msgspec.field(default_factory=list)
    final_viewpoint_id: Any = ()

    @property
    def ways(self) -> list[OfficialCandidate]:
        """Where the agent could go when it decided."""
        return self.candidates[0][1]

    @property
    def end(self) -> str | None:
        """The viewpoint where the free run ended, if the file says."""
        last = self.final_viewpoint_id
        while isinstance(last, list | tuple) and last:
            last = last[0]
        return last if isinstance(last, str) else None

    def step(self) -> ScoredStep:
        """Return the distribution where the forced steps end."""
        masses = self.final_logits[0]
        count = len(self.ways)
        names = tuple(way.viewpoint for way in self.ways)
        return ScoredStep(self.candidates[0][0], names, tuple(masses[:count]), masses[count])


def read_official(path: str | Path) -> list[OfficialResult]:
    """Read a result file.

    Raises:
        InputError: it is none, or the probabilities of a case do not fit its candidates or sum to 1.
    """
    try:
        results = msgspec.json.decode(read_bytes(Path(path)), type=list[OfficialResult])
    except NOT_JSON as error:
        raise InputError(
            f"{path}: is no result file of vln-behave ({error})",
            expected="a list of objects with instr_id, candidates and final_logits",
            fix=_FIX,
        ) from None
    for result in results:
        _check(str(path), result)
    return results


def official_lines(
    results: Iterable[OfficialResult], cases: Sequence[Case], *, suffix: bool = True
) -> dict[str, EvidenceLine]:
    """Return results as evidence of cases, by case id; results of cases that there are not are left out.

    Args:
        results: as `read_official` reads them. Files of different interventions use the same ids, so give
            one file and the cases of its intervention (and variant) at a time.
        cases: as they were asked.
        suffix: whether ids end with the name of the object or the room; those of runs without an
            intervention may not.

    Of a free run only the end is known, so it reads as one move: ``reached`` means what ``ended`` does.
    """
    by_id = {result.instr_id: result for result in results}
    evidence: dict[str, EvidenceLine] = {}
    for case in cases:
        result = by_id.get(official_id(case, suffix=suffix))
        if result is not None:
            evidence[case.case_id] = _line(case, result)
    return evidence


def official_id(case: Case, *, suffix: bool = True) -> str:
    """Return the id that vln-behave gives a case.

    Example:
        >>> from vlnscope.types import Episode
        >>> at = Episode(episode_id="7_1", path_id="7", scan="s", instruction="Go.", path=("a", "b", "c"))
        >>> groups = {"skill": "room", "sub": "kitchen"}
        >>> official_id(Case(case_id="x", episode=at, forced_steps=1, groups=groups))
        '7_7_1_2_kitchen'
    """
    name = case.groups.get("sub", "") if case.groups.get("skill") in ("object", "room", "room-k") else ""
    parts = [case.episode.path_id, case.episode.episode_id, str(case.forced_steps + 1)]
    return "_".join([*parts, name] if name and suffix else parts)


def official_records(
    cases: Sequence[Case], evidence: Mapping[str, EvidenceLine], scenes: Scenes
) -> dict[str, dict[str, Any]]:
    """Return what a result file says of cases, by case id.

    Headings come from the scenes; cases without a logged decision at the scored step are left out.
    """
    records = {}
    for case in cases:
        line = evidence.get(case.case_id)
        decided = _scored_decision(case, line) if line is not None and line.failed is None else None
        if line is not None and decided is not None:
            records[case.case_id] = _record(case, line, decided, scenes)
    return records


def write_official(
    path: str | Path, cases: Sequence[Case], evidence: Mapping[str, EvidenceLine], scenes: Scenes
) -> int:
    """Write what `official_records` says as a result file, and return how many cases it has."""
    records = official_records(cases, evidence, scenes)
    with write_whole(path) as stream:
        stream.write(msgspec.json.encode(list(records.values())))
    return len(records)


def _line(case: Case, result: OfficialResult) -> EvidenceLine:
    walked = case.episode.path[: case.forced_steps + 1]
    step = result.step()
    if walked[-1] != step.viewpoint:
        raise InputError(
            f"{result.instr_id}: decided at {step.viewpoint}, but case {case.case_id} is at {walked[-1]}",
            expected="results of the same truncated paths",
            fix="give the cases that the results were made from",
        )
    ended = () if result.end in (None, walked[-1]) else (result.end,)
    total = sum(step.masses) + step.stop
    shares = [min(mass / total, 1.0) for mass in (*step.masses, step.stop)]
    return EvidenceLine(
        v=VERSION,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        path=(*walked, *ended),
        decisions=[DecisionRecord(case.forced_steps, step.viewpoint, list(step.candidates), shares)],
    )


def _scored_decision(case: Case, line: EvidenceLine) -> DecisionRecord | None:
    return next((one for one in line.decisions or () if one.step == case.forced_steps), None)


def _record(case: Case, line: EvidenceLine, decided: DecisionRecord, scenes: Scenes) -> dict[str, Any]:
    look = _look(case)
    known = {c.viewpoint: c for c in scenes.scene(case.episode.scan).candidates(decided.viewpoint)}
    ways = [
        {
            "heading": known[name].heading - look,
            "normalized_heading": known[name].heading,
            "elevation": known[name].elevation,
            "scanId": case.episode.scan,
            "viewpointId": name,
            "pointId": known[name].view_index,
        }
        for name in decided.candidates
    ]
    heading, elevation = (angles[-1] if angles else 0.0 for angles in (line.headings, line.elevations))
    return {
        "instr_id": official_id(case),
        "candidates": [[decided.viewpoint, ways]],
        "final_logits": [decided.probabilities],
        "stop_prob": [decided.probabilities[-1]],
        "final_viewpoint_id": [line.path[-1], heading, elevation],
    }


def _look(case: Case) -> float:
    """Return where the agent looks; a multiple of 30° exactly, of which groups keep six decimals.

    Houses have ways at right angles, which lie on the border of two directions.
    """
    said = float(case.groups.get("facing", 0.0))
    view = float(VIEW_HEADINGS[round(said / _VIEW) % 12])
    return view if abs(view - said) < _ROUNDED else said


def _check(path: str, result: OfficialResult) -> None:
    what = ""
    if not result.candidates or not result.final_logits:
        what = "has no candidates or no final_logits"
    elif len(result.final_logits[0]) < len(result.ways) + 1:
        what = f"has {len(result.final_logits[0])} probabilities for {len(result.ways)} candidates and stop"
    else:
        masses = result.final_logits[0][: len(result.ways) + 1]
        if min(masses) < 0 or abs(sum(masses) - 1) > _TOLERANCE:
            what = f"has probabilities that sum to {sum(masses):.6g}, not to 1"
    if what:
        raise InputError(
            f"{path}: case {result.instr_id} {what}",
            expected="the probability of each candidate, then of stopping",
            fix=_FIX,
        )
