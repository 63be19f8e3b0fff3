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
from vlnscope.types import Phase, Point, Points, TourLog, TourStep
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
        steps = [step for case in job.cases for step in line_steps(lines[case.case_id], graph)]
        yield TourLog(tour_id=job.name, steps=tuple(steps))


def line_steps(line: EvidenceLine, graph: NavGraph) -> Iterator[TourStep]:
    """Yield the places of one episode of a tour."""
    if line.positions:
        yield from _space_steps(line)
        return
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


def _space_steps(line: EvidenceLine) -> Iterator[TourStep]:
    """Yield where an agent in continuous space was before each action, as IVLN-CE logs it.

    An agent that stops is logged where it does; one that runs out of actions is not logged after its last.
    """
    led = line.phases
    walked = line.positions if line.stopped else line.positions[:-1]
    parts: tuple[tuple[Phase, Points], ...] = (
        ("oracle_start", led.start_positions if led else ()),
        ("agent", walked),
        ("oracle_goal", led.goal_positions if led else ()),
    )
    for phase, positions in parts:
        for position in positions:
            yield TourStep(position=position, episode_id=line.episode_id, phase=phase)
