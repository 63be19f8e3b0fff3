"""Runs jobs one after the other in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.engine.jobs import Job
from vlnscope.engine.runner import MANY, Plan, Runner
from vlnscope.episodes.formats.evidence import EvidenceLine


def run_serial(plan: Plan, jobs: Sequence[Job]) -> Iterator[list[EvidenceLine]]:
    """Yield the lines of finished cases as they come."""
    runner = Runner(plan)
    size = MANY if runner.many else len(jobs)
    for first in range(0, len(jobs), size):
        yield from runner.run(jobs[first : first + size])
