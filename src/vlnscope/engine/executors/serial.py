"""Runs jobs one after the other in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.engine.jobs import Job
from vlnscope.engine.runner import MANY, Runner, WorkerConfig
from vlnscope.episodes.formats.evidence import EvidenceLine


def run_serial(config: WorkerConfig, jobs: Sequence[Job]) -> Iterator[list[EvidenceLine]]:
    """Yield the lines of finished cases as they come."""
    runner = Runner(config)
    size = MANY if runner.many else len(jobs)
    for first in range(0, len(jobs), size):
        yield from runner.run(jobs[first : first + size])
