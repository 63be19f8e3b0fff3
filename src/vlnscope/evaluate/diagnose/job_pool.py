"""Does independent pieces of work in a few processes, or here and now where there is only one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, connection, get_context, parent_process
from types import TracebackType
from typing import Any, TypeVar

from vlnscope.core.exceptions import InputError, VlnscopeError

K = TypeVar("K")
T = TypeVar("T")
_LOOK_AGAIN = 0.5


class WorkerLostError(InputError):
    """A process died while it had work to do: perhaps because of an agent, perhaps for lack of memory."""


class JobPool:
    """Processes that stay for several rounds of work, so that each loads houses and code only once."""

    def __init__(self, workers: int) -> None:
        """Hire `workers` processes; with one, all is done in this process."""
        self._workers = workers
        self._pool = self._hired() if workers > 1 else None

    def __enter__(self) -> JobPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        self._pool.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:
            for process in active_children():
                process.terminate()

    def each(
        self, tasks: Mapping[K, Callable[[], T]], tick: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[K, T | VlnscopeError]]:
        """Yield what each task returns, or the error meant for users that it raises, as they come.

        If a process dies, all that was not finished then comes back as a `WorkerLostError`, and new
        processes are hired for what follows.

        Args:
            tasks: by key, the longest first; what goes to other processes must be picklable.
            tick: called twice a second, to show how it goes.
        """
        if self._pool is None:
            for key, task in tasks.items():
                yield key, _outcome(task)
                tick()
            return
        under_way: dict[Future[T | VlnscopeError], K] = {
            self._pool.submit(_outcome, task): key for key, task in tasks.items()
        }
        order = {key: index for index, key in enumerate(tasks)}
        lost = False
        while under_way:
            done, _ = wait(under_way, timeout=_LOOK_AGAIN, return_when=FIRST_COMPLETED)
            tick()
            for future in sorted(done, key=lambda one: order[under_way[one]]):
                result = _result(future)
                lost = lost or isinstance(result, WorkerLostError)
                yield under_way.pop(future), result
        if lost:
            self._pool.shutdown(wait=False)
            self._pool = self._hired()

    def _hired(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_begin)


def _outcome(task: Callable[[], T]) -> T | VlnscopeError:
    try:
        return task()
    except VlnscopeError as error:
        return error


def _result(future: Future[Any]) -> Any:
    try:
        return future.result()
    except BrokenProcessPool:
        return WorkerLostError(
            "a worker process died: out of memory, or an agent that ends its process",
            expected="agents that survive their episodes",
            fix="the same command with --resume goes on",
        )


def _begin() -> None:
    """Leave Ctrl-C to the process that hired this one, and end when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
