"""What runs jobs inside a worker: one agent, one environment, and the fastest way that the agent allows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.agents.protocol import is_batched
from vlnscope.agents.vectorised import has_many
from vlnscope.engine.batched import BATCH_SIZE, roll_out_batches
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import STOPS_THE_RUN, roll_out
from vlnscope.engine.vectorised import are_free, roll_out_arrays
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Rules
from vlnscope.worlds.scene import Scenes

ONE_BY_ONE = 16
MANY = 4096


@dataclass(frozen=True)
class WorkerConfig:
    """All that a worker in another process needs to know; it can be pickled if its parts can.

    Attributes:
        make: makes the agent.
        load_scenes: opens the scenes.
        rules: how cases are rolled out.
        needs: what the agent is shown, as the run's record says: an agent cannot ask for more later.
        root: the data folder.
        action_space: what the agent can do.
    """

    make: Callable[[], Any]
    load_scenes: Callable[[], Scenes]
    rules: Rules
    needs: tuple[str, ...] = ()
    root: Path | None = None
    action_space: str = "graph"


class JobCapacity(NamedTuple):
    """How many jobs are worth giving to a worker at once, and whether it does them all together."""

    jobs: int
    together: bool


class Runner:
    """An agent in its environment."""

    def __init__(self, plan: WorkerConfig) -> None:
        self._process = os.getpid()
        self.agent = plan.make()
        self.rules = plan.rules
        self.many = has_many(self.agent) and plan.action_space == "graph"
        self.environment = Environment(plan.load_scenes(), plan.needs, plan.root, plan.action_space)

    def ability(self, free: bool) -> JobCapacity:
        """Return how many jobs this runner takes at once; `free` says whether they can go by arrays."""
        if self.many and free:
            return JobCapacity(MANY, together=True)
        if is_batched(self.agent):
            return JobCapacity(4 * batch_size(self.agent), together=True)
        return JobCapacity(ONE_BY_ONE, together=False)

    def run(self, jobs: Sequence[Job]) -> Iterator[list[EvidenceLine]]:
        """Yield the lines of finished cases, as they are finished.

        A process that the agent forked off, and that comes here as if it were this one, ends at once: each
        case is finished by one process.
        """
        for lines in self._run(jobs):
            if os.getpid() != self._process:
                os._exit(1)
            yield lines

    def _run(self, jobs: Sequence[Job]) -> Iterator[list[EvidenceLine]]:
        if self.many and are_free(jobs, self.rules):
            done: set[str] = set()
            try:
                for lines in roll_out_arrays(self.agent, jobs, self.environment, self.rules):
                    done.update(line.case_id for line in lines)
                    yield lines
            except STOPS_THE_RUN:
                raise
            except (Exception, SystemExit):  # one by one, only the case that it breaks over fails
                jobs = [job for job in jobs if job.cases[0].case_id not in done]
            else:
                return
        yield from ([line] for line in self._one_by_one(jobs))

    def _one_by_one(self, jobs: Sequence[Job]) -> Iterator[EvidenceLine]:
        if is_batched(self.agent):
            yield from roll_out_batches(
                self.agent, jobs, self.environment, self.rules, batch_size(self.agent)
            )
            return
        for job in jobs:
            yield from roll_out(self.agent, job, self.environment, self.rules)


def batch_size(agent: Any) -> int:
    """Return how many jobs a batched agent takes at once: its ``batch_size``, else 32."""
    return int(getattr(agent, "batch_size", BATCH_SIZE))
