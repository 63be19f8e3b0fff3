"""How fast the engine is: steps per second, what it costs per step, and what a second process gains.

    python perf/engine.py [--root DATA] [--cases N]

Runs on R2R val_unseen if a data root is given, otherwise on the built-in sample; episodes are repeated to the
number of cases wanted. Where only one process works, its processor time is measured. The gain of a second
process is a ratio of wall times, taken in turn: once with an agent that computes for 2 ms a step, which needs
an idle processor for each (what two bare processes gain is shown beside it), and once with one that waits for
2 ms, as for a server.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Process
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from vlnscope.agents.spec import make_agent
from vlnscope.agents.vectorised import episode_keys
from vlnscope.benchmarks.kit.case_file import episode_cases
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job, make_jobs
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.run import run
from vlnscope.engine.session import Session
from vlnscope.engine.vectorised import move_many
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import Case, Decision, Observation, Rules

WALKS = 100_000
STEP_SECONDS = 0.002
ROUNDS = 2


class Ahead:
    """Goes to the first candidate and stops after six steps: an agent that costs almost nothing."""

    def act(self, observation: Observation) -> Decision:
        """Go on."""
        return Decision.choose(observation, -1 if observation.step == 6 else 0)


class Waiting(Ahead):
    """The same, after waiting for 2 ms."""

    def act(self, observation: Observation) -> Decision:
        """Wait, then go on."""
        time.sleep(STEP_SECONDS)
        return super().act(observation)


class Busy(Ahead):
    """The same with real work for about 2 ms before each step, as a small model would do."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    def act(self, observation: Observation) -> Decision:
        """Work, then go on."""
        work(self.rounds)
        return super().act(observation)


def work(rounds: int) -> None:
    """Keep a processor busy."""
    block = b"x" * 1024
    for _ in range(rounds):
        block = hashlib.sha256(block).digest() * 32


def calibrate() -> int:
    """Return how many rounds take `STEP_SECONDS`."""
    rounds = 200
    best = min(_timed(work, rounds) for _ in range(20))
    return max(1, round(rounds * STEP_SECONDS / best))


def _timed(function: Any, *arguments: Any) -> float:
    begun = time.process_time()
    function(*arguments)
    return time.process_time() - begun


@contextmanager
def timed() -> Iterator[list[float]]:
    """Give a list that holds the processor seconds of the block when it is over."""
    found: list[float] = []
    begun = time.process_time()
    yield found
    found.append(time.process_time() - begun)


def repeated(dataset: Dataset, size: int) -> list[Case]:
    """Return so many cases, episodes coming again under other names if there are too few."""
    cases = episode_cases(dataset)
    return [
        msgspec.structs.replace(cases[i % len(cases)], case_id=f"{cases[i % len(cases)].case_id}-{i}")
        for i in range(size)
    ]


def arrays(dataset: Dataset) -> None:
    assert dataset.scenes is not None
    agent = make_agent("random").agent
    episodes = [case.episode for case in episode_cases(dataset)]
    scan = episodes[0].scan
    here = [e for e in episodes if e.scan == scan]
    scene = dataset.scenes.scene(scan)
    rows = np.arange(WALKS) % len(here)
    keys = episode_keys(str(i) for i in range(WALKS))
    move_many(agent, scene, here, rows[:10], keys[:10], 15)
    with timed() as seconds:
        walks = move_many(agent, scene, here, rows, keys, 15)
    steps = int(walks.lengths.sum() + walks.stopped.sum())
    print(
        f"random, by arrays           {steps / seconds[0]:>12,.0f} steps/s   ({WALKS:,} walks in one scene)"
    )


def to_disk(dataset: Dataset, cases: list[Case], agent: Any, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, timed() as seconds:
        done = run(agent, dataset, cases=cases, out=Path(folder) / "run")
        steps = sum(len(line.path) for line in done.lines().values())
    print(f"{name:<27} {steps / seconds[0]:>12,.0f} steps/s   ({len(cases):,} cases, evidence on disk)")


def overhead(dataset: Dataset, jobs: list[Job]) -> None:
    assert dataset.scenes is not None
    agent, environment, rules = Ahead(), Environment(dataset.scenes), Rules()
    seen = [Session(environment).reset(job.cases[0].episode) for job in jobs]
    list(roll_out(agent, jobs[0], environment, rules))
    with timed() as engine:
        steps = sum(len(line.path) for job in jobs for line in roll_out(agent, job, environment, rules))
    with timed() as bare:
        for i in range(steps):
            agent.act(seen[i % len(seen)])
    cost = (engine[0] - bare[0]) / steps
    print(
        f"one by one, in memory       {steps / engine[0]:>12,.0f} steps/s   "
        f"engine {1e6 * cost:.1f} µs per step over the agent's {1e6 * bare[0] / steps:.1f} µs"
    )


def speed_up(dataset: Dataset, cases: list[Case], agent: Any, name: str) -> None:
    wall = {1: float("inf"), 2: float("inf")}
    work_done = {1: float("inf"), 2: float("inf")}
    for _ in range(ROUNDS):
        for workers in wall:
            with tempfile.TemporaryDirectory() as folder:
                begun, used = time.perf_counter(), processor_seconds()
                run(agent, dataset, cases=cases, out=Path(folder) / "run", workers=workers)
                wall[workers] = min(wall[workers], time.perf_counter() - begun)
                work_done[workers] = min(work_done[workers], processor_seconds() - used)
    print(
        f"two processes, {name:<12} {wall[1] / wall[2]:>12.2f} × one     "
        f"({len(cases):,} cases: {wall[1]:.1f} s and {wall[2]:.1f} s, start included; "
        f"processor time {work_done[1]:.1f} s and {work_done[2]:.1f} s)"
    )


def processor_seconds() -> float:
    """Return the processor time of this process and of those it has ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def ceiling(rounds: int, steps: int) -> None:
    """Measure what two bare processes gain here, with the same work and without any engine."""
    seconds = {1: float("inf"), 2: float("inf")}
    for _ in range(ROUNDS):
        for workers in seconds:
            begun = time.perf_counter()
            crew = [Process(target=work, args=(rounds * steps // workers,)) for _ in range(workers)]
            for process in crew:
                process.start()
            for process in crew:
                process.join()
            seconds[workers] = min(seconds[workers], time.perf_counter() - begun)
    print(
        f"two bare processes          {seconds[1] / seconds[2]:>12.2f} × one     (what the machine gives now)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--cases", type=int, default=1000, help="of the two-process measurement")
    given = parser.parse_args()
    dataset = open_dataset("r2r/val_unseen" if given.root else "sample/demo", given.root)
    cases = repeated(dataset, 5000)
    arrays(dataset)
    to_disk(dataset, cases, "random", "random, by arrays, stored")
    to_disk(dataset, cases, Ahead(), "one by one, stored")
    overhead(dataset, make_jobs(cases))
    rounds = calibrate()
    ceiling(rounds, 7 * given.cases)
    speed_up(dataset, cases[: given.cases], Busy(rounds), "2 ms work")
    speed_up(dataset, cases[: given.cases], Waiting(), "2 ms waiting")


if __name__ == "__main__":
    main()
