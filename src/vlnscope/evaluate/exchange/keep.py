"""Keeps what files say of cases as the folder of a run, as if the agent had been run here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from vlnscope._version import __version__
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.files import file_digest
from vlnscope.engine.jobs import Job
from vlnscope.engine.store import provenance
from vlnscope.engine.store.provenance import AgentRecord, RunRecord
from vlnscope.engine.store.run_folder import Store
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Rules
from vlnscope.worlds.projection import projected_path
from vlnscope.worlds.scene import Scenes


def keep_run(
    folder: Path,
    name: str,
    files: Sequence[Path],
    lines: Sequence[EvidenceLine],
    jobs: Sequence[Job],
    dataset: Dataset,
    *,
    case_set: CaseSet | None = None,
    config: dict[str, Any] | None = None,
    resume: bool = False,
) -> RunRecord:
    """Write a run; return what its ``run.json`` says.

    Args:
        folder: where.
        name: of the agent.
        files: what it is known from; they stand for its identity.
        lines: the evidence; walks in continuous space are projected onto the graph.
        jobs: everything that was asked.
        dataset: where; it has scenes.
        case_set: the cases of a benchmark; None for episodes as they are.
        config: what else to note.
        resume: keep a run that is there.
    """
    assert dataset.scenes is not None  # jobs take place in scenes
    scans = {case.case_id: case.episode.scan for job in jobs for case in job.cases}
    digest = "+".join(file_digest(path)[:16] for path in files)
    shown = "+".join(path.name for path in files)
    record = RunRecord(
        vlnscope=__version__,
        revision=provenance.revision(),
        agent=AgentRecord(name=name, identity=f"{shown} ({digest})", privileged=False),
        data=provenance.data_record(dataset, dataset.scenes, jobs),
        cases=provenance.cases_record(jobs),
        rules=case_set.rules if case_set else Rules(),
        size=sum(len(job.cases) for job in jobs),
        config=config or {},
        machine=provenance.machine_record(),
        started=provenance.now(),
    )
    placed = [_on_graph(line, dataset.scenes, scans[line.case_id]) for line in lines]
    with Store(folder, record, resume=resume) as store:
        if case_set is not None:
            case_set.save(folder)
        store.append(placed)
        store.complete()
        return store.record


def _on_graph(line: EvidenceLine, scenes: Scenes, scan: str) -> EvidenceLine:
    """Return a line with its walk on the graph; one in continuous space is projected."""
    if line.path or not line.positions or not scenes.scene(scan).has("navmesh"):
        return line
    return msgspec.structs.replace(line, path=projected_path(scenes.scene(scan), line.positions))
