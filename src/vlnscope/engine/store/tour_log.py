"""Writes what was walked in tours as IVLN's own log: every place, with who was in control there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from vlnscope.core.files import write_whole
from vlnscope.engine.jobs import Job
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.run_folder import EVIDENCE
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.episodes.formats.ivln_log import write_logs
from vlnscope.types import Phase, Point, TourLog, TourStep
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes

TOUR_LOG = "tour_log.json"


def write_tour_log(folder: Path, jobs: Sequence[Job], scenes: Scenes) -> None:
    """Write the log of a run's tours beside its evidence."""
    lines = read_log(folder / EVIDENCE)
    with write_whole(folder / TOUR_LOG) as stream:
        write_logs(tour_logs(lines, jobs, scenes), stream)


def tour_logs(lines: Mapping[str, EvidenceLine], jobs: Sequence[Job], scenes: Scenes) -> Iterator[TourLog]:
    """Yield the log of each tour: per episode the way to its start, the agent's path, the way to its goal."""
    for job in jobs:
        graph = scenes.scene(job.scan).graph
        steps = [step for case in job.cases for step in _steps(lines[case.case_id], graph)]
        yield TourLog(tour_id=job.name, steps=tuple(steps))


def _steps(line: EvidenceLine, graph: NavGraph) -> Iterator[TourStep]:
    led = line.phases
    parts: tuple[tuple[Phase, tuple[str, ...]], ...] = (
        ("oracle_start", led.oracle_start if led else ()),
        ("agent", line.path),
        ("oracle_goal", led.oracle_goal if led else ()),
    )
    for phase, places in parts:
        for viewpoint in places:
            x, y, z = map(float, graph.positions[graph.row(viewpoint)])
            where: Point = (x, y, z)
            yield TourStep(position=where, viewpoint=viewpoint, episode_id=line.episode_id, phase=phase)
