"""Which jobs wait, and what becomes of those whose worker was lost."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

import msgspec

from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import failed_line
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
        for place, case in enumerate(job.cases):
            if case.case_id not in finished:
                phases = TourPhases(job.name, place) if job.toured else None
                yield failed_line(case, job.lost[case.case_id], self._space, phases=phases)
