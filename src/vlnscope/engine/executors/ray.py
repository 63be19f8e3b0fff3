"""Runs jobs on a Ray cluster: one that is running somewhere, or one that is started on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.engine.executors.supervision import (
    Broken,
    Died,
    Done,
    FinishedCases,
    Ready,
    WorkerEvent,
    broken,
    supervise,
)
from vlnscope.engine.jobs import LOST, Job
from vlnscope.engine.runner import Runner, WorkerConfig
from vlnscope.engine.vectorised import are_free
from vlnscope.episodes.formats.evidence import EvidenceLine


def run_ray(
    config: WorkerConfig,
    jobs: Sequence[Job],
    workers: int,
    timeout: float | None = None,
    address: str | None = None,
) -> Iterator[list[EvidenceLine]]:
    """Yield the lines of finished cases as they come; see `supervise`.

    Args:
        config: what workers need; vlnscope, the agent and the data must be on their machines.
        jobs: what is to be done.
        workers: how many, each on a processor of its own.
        timeout: seconds that a case may take.
        address: of a cluster, or ``auto``; a cluster is started here if there is none.
    """
    pool = _Actors(config, free=are_free(jobs, config.rules), workers=workers, address=address)
    yield from supervise(pool, jobs, workers, timeout, config.action_space)


class _RayWorker:
    """What lives in a Ray worker."""

    def __init__(self, folder: str) -> None:
        sys.path.append(folder)  # where the user stands: agents are found from there

    def start(self, config: WorkerConfig, free: bool) -> WorkerEvent:
        """Make the agent."""
        try:
            self._runner = Runner(config)
            return Ready(self._runner.ability(free))
        except Exception as error:
            return broken(error)

    def work(self, jobs: Sequence[Job]) -> Iterator[WorkerEvent]:
        """Do jobs."""
        try:
            for lines in self._runner.run(jobs):
                yield FinishedCases(lines)
            yield Done()
        except Exception as error:
            yield broken(error)


class _Actor(NamedTuple):
    handle: Any
    answer: Any  # what is waited for: a reference, or a generator of references


class _Actors:
    """A pool of Ray actors."""

    def __init__(self, config: WorkerConfig, *, free: bool, workers: int, address: str | None) -> None:
        self._ray = _imported()
        self._started_here = not self._ray.is_initialized()
        if self._started_here:
            _join(self._ray, workers, address)
        self._config = self._ray.put(config)
        self._free = free
        self._numbers = count()
        self._kind = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_RayWorker)
        self._actors: dict[int, _Actor] = {}

    def start(self) -> int:
        handle = self._kind.remote(str(Path.cwd()))
        number = next(self._numbers)
        self._actors[number] = _Actor(handle, handle.start.remote(self._config, self._free))
        return number

    def assign(self, worker: int, jobs: Sequence[Job]) -> None:
        handle = self._actors[worker].handle
        stream = handle.work.options(num_returns="streaming").remote(list(jobs))
        self._actors[worker] = _Actor(handle, stream)

    def news(self, timeout: float | None) -> list[tuple[int, WorkerEvent]]:
        waited = {actor.answer: number for number, actor in self._actors.items() if actor.answer is not None}
        ready, _ = self._ray.wait(list(waited), num_returns=1, timeout=timeout, fetch_local=False)
        return [(waited[answer], self._hear(waited[answer], answer)) for answer in ready]

    def end(self, worker: int) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._actors.pop(worker).handle)

    def close(self) -> None:
        for worker in list(self._actors):
            self.end(worker)
        if self._started_here:
            self._ray.shutdown()

    def _hear(self, worker: int, answer: Any) -> WorkerEvent:
        is_stream = isinstance(answer, self._ray.ObjectRefGenerator)
        try:
            news: WorkerEvent = self._ray.get(next(answer) if is_stream else answer)
        except self._ray.exceptions.RayError as error:
            return Died(f"{LOST} ({type(error).__name__})")
        if not is_stream or isinstance(news, Done | Broken):
            self._actors[worker] = self._actors[worker]._replace(answer=None)
        return news


def _imported() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingPackageError("ray", "ray", "--executor ray needs", "use --executor processes") from None
    return ray


def _join(ray: Any, workers: int, address: str | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    options: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    try:
        if address:
            ray.init(address=address, **options)
        else:
            ray.init(num_cpus=workers, include_dashboard=False, **options)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        raise InputError(
            f"there is no way to the Ray cluster {address or 'of this machine'}: {error}",
            expected="a running cluster that `ray status` finds",
            fix="name the cluster as --address HOST:PORT, or leave it out to start one here",
        ) from None
