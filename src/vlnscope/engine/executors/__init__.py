"""Ways to run jobs: in this process, in processes of this machine, on a Ray cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.jobs import Job
from vlnscope.engine.runner import MANY, Runner, WorkerConfig
from vlnscope.episodes.formats.evidence import EvidenceLine

LONGEST = 1e6
"""Seconds that a case may be given at most; no clock of the system counts much further."""
EXECUTORS = ("serial", "processes", "ray")


class Execution(NamedTuple):
    """Where and by how many workers jobs are run; nothing that is found depends on it.

    Attributes:
        executor: ``serial``, ``processes`` or ``ray``.
        workers: how many.
        timeout: seconds that a case may take; None for any time.
        address: of the Ray cluster; None for one that is started on this machine.
    """

    executor: str = "serial"
    workers: int = 1
    timeout: float | None = None
    address: str | None = None

    @classmethod
    def choose(
        cls, executor: str | None, workers: int = 1, timeout: float | None = None, address: str | None = None
    ) -> Execution:
        """Take what a user asked for, and refuse what does not go together.

        Example:
            >>> Execution.choose(None, 2).executor, Execution.choose(None, 1).executor
            ('processes', 'serial')
        """
        if executor is None:
            executor = "ray" if address else "processes" if workers > 1 or timeout else "serial"
        if executor not in EXECUTORS:
            raise UnknownNameError("executor", executor, EXECUTORS)
        if workers < 1 or (timeout is not None and not 0 < timeout <= LONGEST):
            raise InputError(
                f"{workers} workers with {timeout} s per case cannot run anything",
                expected=f"one worker or more, and a time above 0 and up to {LONGEST:.0f} s",
                fix="write for example --workers 2 --timeout 60",
            )
        if executor == "serial" and (workers > 1 or timeout is not None):
            raise InputError(
                "the serial executor has one worker and cannot end an agent that hangs",
                expected="--executor processes or ray with --workers or --timeout",
                fix="leave --executor out",
            )
        if address and executor != "ray":
            raise InputError(
                f"--address is of a Ray cluster, and the executor is {executor}",
                expected="--executor ray",
                fix="leave one of them out",
            )
        return cls(executor, workers, timeout, address)


def execute(
    config: WorkerConfig, jobs: Sequence[Job], execution: Execution
) -> Generator[list[EvidenceLine], None, None]:
    """Run jobs; yield the lines of finished cases as they come, in any order."""
    if not jobs:
        return
    if execution.executor == "serial":
        yield from run_serial(config, jobs)
    elif execution.executor == "processes":
        from vlnscope.engine.executors.processes import run_processes

        yield from run_processes(config, jobs, execution.workers, execution.timeout)
    else:
        from vlnscope.engine.executors.ray import run_ray

        yield from run_ray(config, jobs, execution.workers, execution.timeout, execution.address)


def run_serial(config: WorkerConfig, jobs: Sequence[Job]) -> Iterator[list[EvidenceLine]]:
    """Yield the lines of finished cases as they come."""
    runner = Runner(config)
    size = MANY if runner.many else len(jobs)
    for first in range(0, len(jobs), size):
        yield from runner.run(jobs[first : first + size])
