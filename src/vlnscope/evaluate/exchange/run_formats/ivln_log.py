"""IVLN's log of tours: every place, with who was in control there (PROTOCOLS B.4).

A run of `tours` has walked each tour twice, with the agent's memory kept and with it reset; a log holds one
of the halves, under the ids that tours and episodes have in IVLN's files. ``of=reference`` writes what t-nDTW
compares a log with: the reference paths of the same tours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet, CaseTour
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.engine.store.tour_log import line_steps
from vlnscope.episodes.formats.evidence import SPACE_VERSION, VERSION, EvidenceLine, TourPhases
from vlnscope.episodes.formats.ivln_log import write_logs
from vlnscope.episodes.reading import read_tour_logs, sniff
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import (
    RunAnswers,
    RunFile,
    RunFiles,
    RunFormat,
    register_run_format,
)
from vlnscope.types import Case, Phase, TourLog, TourStep
from vlnscope.worlds.projection import projected_path
from vlnscope.worlds.scene import Scenes

KEPT, RESET = "kept", "reset"


class _Walked(NamedTuple):
    """A tour of a run: its id in IVLN's files, its scene, and its cases in order."""

    name: str
    scan: str
    case_ids: tuple[str, ...]


def _files(run: FinishedRun, drop: Sequence[str], memory: str, phases: str, of: str) -> RunFiles:
    walked = list(_case_tours(run, memory) if run.case_set else _plain_tours(run, memory))
    whole = [tour for tour in walked if all(name in run.lines for name in tour.case_ids)]
    if not whole:
        raise InputError(
            f"{run.folder}: no tour was walked to its end with memory {memory}",
            expected="a run of `vlnscope build tours --cases`, or one with --tours",
            fix=f"choose memory={RESET if memory == KEPT else KEPT}, or run the agent on tours",
        )
    tell = partial(_reference, run) if of == "reference" else partial(_agent, run, phases)
    logs = [TourLog(tour_id=tour.name, steps=tuple(tell(tour))) for tour in whole]
    episodes = sum(len(tour.case_ids) for tour in whole)
    notes = [f"{'references' if of == 'reference' else 'walks'} of {episodes:,} episodes, memory {memory}"]
    if len(whole) < len(walked):
        left = len(walked) - len(whole)
        notes.append(f"{left} tours were not walked to their end, and are left out")
    return RunFiles([RunFile("", len(logs), partial(write_logs, logs))], {}, notes)


def _case_tours(run: FinishedRun, memory: str) -> Iterator[_Walked]:
    assert run.case_set is not None
    cases = {case.case_id: case for case in run.case_set.cases}
    for tour in run.case_set.tours or ():
        if tour.forgets is (memory == RESET):
            own = cases[tour.case_ids[0]].groups.get("tour", tour.tour_id)
            yield _Walked(own, tour.scan, tour.case_ids)


def _plain_tours(run: FinishedRun, memory: str) -> Iterator[_Walked]:
    """Yield the tours of a run with ``--tours``, in which memory is always kept."""
    if memory != KEPT:
        raise InputError(
            f"{run.folder}: memory was kept in the tours of this run",
            expected="memory=kept",
            fix="for tours with memory reset, run the cases of `vlnscope build tours --cases`",
        )
    places: dict[str, dict[int, str]] = {}
    for line in run.lines.values():
        if line.phases is not None:
            places.setdefault(line.phases.tour_id, {})[line.phases.place] = line.case_id
    if not places:
        return
    for name, cases in places.items():
        if len(cases) == max(cases) + 1:
            yield _Walked(name, run.episodes[cases[0]].scan, tuple(cases[k] for k in sorted(cases)))


def _agent(run: FinishedRun, phases: str, tour: _Walked) -> Iterator[TourStep]:
    graph = run.scenes.scene(tour.scan).graph
    for name in tour.case_ids:
        steps = line_steps(run.lines[name], graph)
        yield from (step for step in steps if phases == "all" or step.phase == "agent")


def _reference(run: FinishedRun, tour: _Walked) -> Iterator[TourStep]:
    graph = run.scenes.scene(tour.scan).graph
    if any(run.lines[name].positions for name in tour.case_ids):
        raise InputError(
            f"{run.folder}: was walked in continuous space, where the reference is how an expert walks",
            expected="gt_ndtw.json, which `vlnscope build tours` writes beside the tours",
            fix="take that file",
        )
    for name in tour.case_ids:
        episode = run.episodes[name]
        line = EvidenceLine(v=VERSION, case_id=name, episode_id=episode.episode_id, path=episode.path)
        yield from line_steps(line, graph)


def _recognises(path: Path) -> bool:
    try:
        return path.is_file() and sniff(path).name == "ivln-log"
    except VlnscopeError:
        return False


def _read(
    path: Path, case_set: CaseSet, scenes: Scenes, memory: str = KEPT, **unused_options: str
) -> RunAnswers:
    """Return what a log says of the half of the cases in which memory is kept, or reset."""
    cases = {case.case_id: case for case in case_set.cases}
    tours = {
        cases[tour.case_ids[0]].groups.get("tour", tour.tour_id): tour
        for tour in case_set.tours or ()
        if tour.forgets is (memory == RESET)
    }
    lines: list[EvidenceLine] = []
    told: list[CaseTour] = []
    unused = 0
    for log in read_tour_logs(path):
        if log.tour_id not in tours:
            unused += 1
            continue
        tour = tours[log.tour_id]
        wanted = tuple(cases[name].episode.episode_id for name in tour.case_ids)
        walked = _by_episode(log.steps)
        if tuple(walked) != wanted:
            raise InputError(
                f"{path}: tour {log.tour_id} has other episodes than the cases, or in another order",
                expected=f"{len(wanted)} episodes, beginning with {', '.join(wanted[:3])}",
                fix="name the cases of the tours that were walked",
            )
        for place, (name, steps) in enumerate(zip(tour.case_ids, walked.values(), strict=True)):
            lines.append(_line(cases[name], TourPhases(tour.tour_id, place), steps, scenes))
        told.append(tour)
    walked_cases = {name for tour in told for name in tour.case_ids}
    asked = msgspec.structs.replace(
        case_set,
        tours=tuple(told),
        cases=tuple(case for case in case_set.cases if case.case_id in walked_cases),
    )
    return RunAnswers(lines, asked, unused)


def _by_episode(steps: Iterable[TourStep]) -> dict[str, list[TourStep]]:
    walked: dict[str, list[TourStep]] = {}
    for step in steps:
        walked.setdefault(step.episode_id, []).append(step)
    return walked


def _line(case: Case, where: TourPhases, steps: Sequence[TourStep], scenes: Scenes) -> EvidenceLine:
    parts: dict[Phase, list[TourStep]] = {phase: [] for phase in ("oracle_start", "agent", "oracle_goal")}
    for step in steps:
        phase: Phase = step.phase
        if phase == "oracle":
            phase = "oracle_goal" if parts["agent"] else "oracle_start"
        parts[phase].append(step)
    if not parts["agent"]:
        raise InputError(
            f"episode {case.episode.episode_id}: the log has no step of the agent",
            expected="at least where it was put",
            fix="leave the tour out, or log it again",
        )
    if all(step.viewpoint is not None for step in steps):
        at = {phase: tuple(str(step.viewpoint) for step in part) for phase, part in parts.items()}
        led = msgspec.structs.replace(where, oracle_start=at["oracle_start"], oracle_goal=at["oracle_goal"])
        return EvidenceLine(
            v=VERSION, case_id=case.case_id, episode_id=case.episode.episode_id, path=at["agent"], phases=led
        )
    positions = tuple(step.position for step in parts["agent"] if step.position is not None)
    path = projected_path(scenes.scene(case.episode.scan), positions)
    return EvidenceLine(
        v=SPACE_VERSION,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        path=path,
        positions=positions,
        phases=where,
    )


register_run_format(
    RunFormat(
        name="ivln-log",
        title="IVLN: the log of all tours, with memory kept or reset, or their reference",
        files=_files,
        benchmark="tours",
        ordinary=True,
        options={"memory": (KEPT, RESET), "phases": ("all", "agent"), "of": ("agent", "reference")},
        recognises=_recognises,
        read=_read,
    )
)
