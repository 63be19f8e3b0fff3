"""Runs jobs in processes of this machine, each started afresh with an agent of its own."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.engine.executors.supervision import (
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


def run_processes(
    config: WorkerConfig, jobs: Sequence[Job], workers: int, timeout: float | None = None
) -> Iterator[list[EvidenceLine]]:
    """Yield the lines of finished cases as they come; see `supervise`."""
    pool = _Processes(pickled(config), free=are_free(jobs, config.rules))
    yield from supervise(pool, jobs, workers, timeout, config.action_space)


def pickled(config: WorkerConfig) -> bytes:
    """Return a config as bytes, or say that it cannot leave this process."""
    try:
        return pickle.dumps(config)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the agent or the data cannot be sent to another process ({error})",
            expected="an agent that can be pickled, or that is named",
            fix="name it MODULE:OBJECT, define its class in a module, or run it with --executor serial",
        ) from None


class _Worker(NamedTuple):
    process: SpawnProcess
    pipe: Connection
    end: int  # a file that can be read when the process is gone


class _Processes:
    """A pool of processes."""

    def __init__(self, config: bytes, *, free: bool) -> None:
        self._config = config
        self._free = free
        self._numbers = count()
        self._context = get_context("spawn")
        self._workers: dict[int, _Worker] = {}

    def start(self) -> int:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._config, self._free), daemon=True)
        process.start()
        theirs.close()
        number = next(self._numbers)
        self._workers[number] = _Worker(process, ours, _end_of(process))
        return number

    def assign(self, worker: int, jobs: Sequence[Job]) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # it is dead, and the next news says so
            self._workers[worker].pipe.send(list(jobs))

    def news(self, timeout: float | None) -> list[tuple[int, WorkerEvent]]:
        waited: dict[Any, int] = {worker.pipe: number for number, worker in self._workers.items()}
        waited |= {worker.end: number for number, worker in self._workers.items()}
        ready = connection.wait(list(waited), timeout)
        return [(number, self._hear(number)) for number in sorted({waited[thing] for thing in ready})]

    def end(self, worker: int) -> None:
        process, pipe, end = self._workers.pop(worker)
        pipe.close()
        if end != process.sentinel:
            os.close(end)
        with suppress(ProcessLookupError):  # it may not have made its group yet
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()
        process.join()
        process.close()

    def close(self) -> None:
        for worker in list(self._workers):
            self.end(worker)

    def _hear(self, worker: int) -> WorkerEvent:
        pipe = self._workers[worker].pipe
        try:
            if pipe.poll():
                news: WorkerEvent = pipe.recv()
                return news
        except (EOFError, ConnectionResetError, pickle.UnpicklingError):
            pass
        return Died(self._how_it_ended(worker))

    def _how_it_ended(self, worker: int) -> str:
        process = self._workers[worker].process
        process.join(5)
        code = process.exitcode
        if code is not None and code < 0:
            return f"{LOST} (killed by {signal.Signals(-code).name})"
        return f"{LOST} (exit code {code})"


def _end_of(process: SpawnProcess) -> int:
    """Return a file that can be read when a process is gone, though children of its own live on."""
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            return os.pidfd_open(process.pid or 0)
    return process.sentinel  # where there is no such file: children keep this one open


def _work(pipe: Connection, config: bytes, free: bool) -> None:
    """Be a worker: make the agent, then do the jobs that come until none come."""
    os.setpgid(0, 0)  # so that what the agent starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides what Ctrl-C means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what agents print is not the command's output
    try:
        runner = Runner(pickle.loads(config))
        pipe.send(Ready(runner.ability(free)))
        while True:
            for lines in runner.run(pipe.recv()):
                pipe.send(FinishedCases(lines))
            pipe.send(Done())
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:
        pipe.send(broken(error))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    os.killpg(0, signal.SIGKILL)
