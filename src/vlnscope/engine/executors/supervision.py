"""The loop that gives jobs to workers, notices those that die or hang, and hires new ones.

It knows workers only as a `WorkerPool`: `processes` and `ray` are two of them.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.case_rollout import failed_line
from vlnscope.engine.decisions import reason_of
from vlnscope.engine.jobs import Job
from vlnscope.engine.runner import JobCapacity
from vlnscope.episodes.formats.evidence import EvidenceLine, TourPhases

TRIES = 2
_SHARES = 4  # of the jobs still waiting, a worker is given this part of its share at once


class Ledger:
    """The jobs of a run that no worker has finished."""

    def __init__(self, jobs: Sequence[Job], workers: int, action_space: str = "graph") -> None:
        self._space = make_action_space(action_space)
        self._workers = workers
        self._waiting = deque(jobs)
        self._alone: deque[Job] = deque()
        self._tries: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._waiting) + len(self._alone)

    def take(self, most: int) -> list[Job]:
        """Return the next jobs for a worker: fewer and fewer, so that all workers finish together."""
        if self._alone:
            return [self._alone.popleft()]
        size = max(1, min(most, len(self._waiting) // (_SHARES * self._workers)))
        return [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]

    def lose(
        self, jobs: Sequence[Job], finished: set[str], reason: str, *, together: bool, blamed: bool
    ) -> Iterator[EvidenceLine]:
        """Take back the jobs of a worker that is gone; yield the lines of cases that are given up.

        The case that was under way is tried once more, alone. Where a worker does its jobs together, any
        of them may have been to blame.

        Args:
            jobs: what the worker was given.
            finished: cases whose lines have arrived.
            reason: why the worker is gone.
            together: whether it did its jobs at the same time.
            blamed: whether a case that was under way by itself is not to be tried again.
        """
        open_jobs = [job for job in jobs if any(case.case_id not in finished for case in job.cases)]
        suspects = open_jobs if together else open_jobs[:1]
        certain = blamed and len(suspects) == 1
        self._waiting.extendleft(reversed(open_jobs[len(suspects) :]))
        for suspect in suspects:
            job = self._charged(suspect, finished, reason, certain)
            if all(case.case_id in finished or case.case_id in job.lost for case in job.cases):
                yield from self._given_up(job, finished)
            else:
                self._alone.append(job)

    def _charged(self, job: Job, finished: set[str], reason: str, certain: bool) -> Job:
        """Return a job with the case that was under way given up, if it was tried often enough."""
        tried = [c.case_id for c in job.cases if c.case_id not in finished and c.case_id not in job.lost][:1]
        self._tries.update(tried)
        lost = {case_id: reason for case_id in tried if certain or self._tries[case_id] >= TRIES}
        return msgspec.structs.replace(job, lost={**job.lost, **lost})

    def _given_up(self, job: Job, finished: set[str]) -> Iterator[EvidenceLine]:
        for index, case in enumerate(job.cases):
            if case.case_id not in finished:
                phases = TourPhases(job.name, index) if job.toured else None
                yield failed_line(case, job.lost[case.case_id], self._space, phases=phases)


_STARTS = 3


class Ready(NamedTuple):
    """A worker has its agent and waits for jobs."""

    ability: JobCapacity


class FinishedCases(NamedTuple):
    """A worker has finished cases."""

    lines: list[EvidenceLine]


class Done(NamedTuple):
    """A worker has finished all that it was given."""


class Died(NamedTuple):
    """A worker is gone."""

    reason: str


class Broken(NamedTuple):
    """A worker met an error that stops the whole run."""

    what: str
    expected: str
    fix: str


def broken(error: Exception) -> Broken:
    """Say what a worker met in words that survive the way to another process."""
    if isinstance(error, VlnscopeError):
        return Broken(error.what, error.expected, error.fix)
    return Broken(
        f"a worker cannot make the agent or open the data: {reason_of(error)}",
        "an agent that can be made in a process of its own",
        "try `--executor serial`",
    )


WorkerEvent = Ready | FinishedCases | Done | Died | Broken


class WorkerPool(Protocol):
    """Workers of some kind, each known by a number that is never used again."""

    def start(self) -> int:
        """Start a worker."""

    def assign(self, worker: int, jobs: Sequence[Job]) -> None:
        """Give jobs to a worker that is ready."""

    def news(self, timeout: float | None) -> list[tuple[int, WorkerEvent]]:
        """Wait for news, at most so many seconds; none if nothing happened."""

    def end(self, worker: int) -> None:
        """End a worker, whatever it is doing; there is no more news of it."""

    def close(self) -> None:
        """End all workers."""


@dataclass
class _WorkerState:
    """What a worker is doing."""

    ability: JobCapacity | None = None
    jobs: list[Job] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    since: float = 0.0


def supervise(
    pool: WorkerPool, jobs: Sequence[Job], workers: int, timeout: float | None, action_space: str = "graph"
) -> Iterator[list[EvidenceLine]]:
    """Run jobs; yield the lines of finished cases as they come.

    Args:
        pool: where workers come from.
        jobs: what is to be done.
        workers: how many at once.
        timeout: seconds that a case may take; a worker that takes longer is ended and the case fails.
        action_space: in which agents act.

    Raises:
        InputError: workers cannot start, or the data are not there.
    """
    ledger = Ledger(jobs, workers, action_space)
    states = {pool.start(): _WorkerState() for _ in range(min(workers, len(jobs)))}
    supervisor = _Supervisor(pool, ledger, states, timeout)
    try:
        while states:
            supervisor.hand_out()
            if states:
                yield from filter(None, supervisor.listen())
    finally:
        pool.close()


class _Supervisor:
    """The state of the loop."""

    def __init__(
        self, pool: WorkerPool, ledger: Ledger, workers: dict[int, _WorkerState], timeout: float | None
    ) -> None:
        self.pool = pool
        self.ledger = ledger
        self.workers = workers
        self.timeout = timeout
        self.failed_starts = 0

    def hand_out(self) -> None:
        """Give jobs to idle workers; let all go when nothing is left to do."""
        if not self.ledger and not any(state.jobs for state in self.workers.values()):
            for worker in list(self.workers):
                self.pool.end(worker)
            self.workers.clear()
        for worker, state in list(self.workers.items()):
            if state.ability is None or state.jobs or not self.ledger:
                continue  # it starts, or works, or stands by in case another dies and leaves its jobs
            state.jobs = self.ledger.take(state.ability.jobs)
            state.finished = set()
            state.since = time.monotonic()
            self.pool.assign(worker, state.jobs)

    def listen(self) -> Iterator[list[EvidenceLine]]:
        """Wait for news and act on it."""
        for worker, news in self.pool.news(self._patience()):
            state = self.workers.get(worker)
            if state is None:
                continue
            state.since = time.monotonic()
            self.failed_starts = self.failed_starts if isinstance(news, Died) else 0
            if isinstance(news, FinishedCases):
                state.finished.update(line.case_id for line in news.lines)
                yield news.lines
            elif isinstance(news, Ready):
                state.ability = news.ability
            elif isinstance(news, Done):
                state.jobs = []
            elif isinstance(news, Broken):
                raise InputError(news.what, expected=news.expected, fix=news.fix)
            else:
                yield list(self._lose(worker, state, news.reason, blamed=False))
        yield from self._end_the_hanging()

    def _end_the_hanging(self) -> Iterator[list[EvidenceLine]]:
        if self.timeout is None:
            return
        now = time.monotonic()
        for worker, state in list(self.workers.items()):
            if state.jobs and now - state.since > self.timeout:
                reason = f"the case took longer than {self.timeout:g} s"
                yield list(self._lose(worker, state, reason, blamed=True))

    def _lose(self, worker: int, state: _WorkerState, reason: str, *, blamed: bool) -> Iterator[EvidenceLine]:
        self.pool.end(worker)
        del self.workers[worker]
        if state.ability is None:
            self.failed_starts += 1
            if self.failed_starts >= _STARTS:
                raise InputError(
                    f"{_STARTS} workers in a row died before they were ready ({reason})",
                    expected="an agent that can be made in a process of its own",
                    fix="try `--executor serial`; in a script, call run() under `if __name__ == '__main__':`",
                )
        else:
            together = state.ability.together
            yield from self.ledger.lose(state.jobs, state.finished, reason, together=together, blamed=blamed)
        if self.ledger:
            self.workers[self.pool.start()] = _WorkerState()

    def _patience(self) -> float | None:
        if self.timeout is None:
            return None
        ends: list[Any] = [state.since + self.timeout for state in self.workers.values() if state.jobs]
        return max(0.01, min(ends) - time.monotonic() + 0.01) if ends else None
