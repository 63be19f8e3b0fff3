"""How long the hierarchical bootstrap takes: 8,221 episodes in 2 settings, 1,000 resamples, beside a loop.

The loop does what evaluation scripts do: per replicate it draws clusters, walks down the groups of row
numbers, joins them and averages each setting. Budget: 2 seconds.

    python perf/bootstrap.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from vlnscope.stats.bootstrap import Bootstrap, bootstrap_intervals, bootstrap_means
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import Interval
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats, Ints

EPISODES, SETTINGS, SCENES, PATHS, REPLICATES = 8_221, 2, 60, 2_700, 1_000
Groups = list[list[Ints]]
T = TypeVar("T")


def main() -> None:
    rng = np.random.default_rng(0)
    paths = rng.integers(PATHS, size=EPISODES)
    scenes = paths % SCENES
    values = rng.normal(size=SCENES)[scenes, None] + rng.normal(size=(EPISODES, SETTINGS))
    by_scene = [[np.flatnonzero(scenes == scene)] for scene in range(SCENES)]
    by_path = [
        [np.flatnonzero(paths == path) for path in np.unique(paths[scenes == scene])]
        for scene in range(SCENES)
    ]
    print(f"{EPISODES:,} episodes × {SETTINGS} settings × {REPLICATES:,} resamples, {SCENES} scenes")
    first, _ = timed(partial(ours, scenes, paths, values, (True,)))
    print(f"first call in this process, with loading or compiling the kernel: {first:.3f} s")
    compare("scenes", partial(ours, scenes, paths, values, (True,)), partial(loop, by_scene, values, (True,)))
    every = (True, True, True)
    compare(
        "scenes, paths and rows",
        partial(ours, scenes, paths, values, every),
        partial(loop, by_path, values, every),
    )
    whole, _ = timed(partial(intervals, scenes, paths, values))
    print(f"from keys to finished intervals: {whole:.4f} s (budget 2 s)")


def compare(named: str, mine: Callable[[], Floats], other: Callable[[], Floats]) -> None:
    fast = min(timed(mine)[0] for _ in range(5))
    slow, means = timed(other)
    print(f"resampling {named}: {fast:.4f} s, loop {slow:.2f} s, ratio {slow / fast:,.0f}")
    print(f"  standard errors {mine().std(axis=0).round(4)}, loop {means.std(axis=0).round(4)}")


def intervals(scenes: Ints, paths: Ints, values: Floats) -> dict[str, Interval]:
    everywhere = np.ones(EPISODES, dtype=np.bool_)
    columns = {str(i): Sample(values[:, i], everywhere) for i in range(SETTINGS)}
    nesting = Nesting.of({"scene": scenes, "path": paths})
    return bootstrap_intervals(columns, nesting, Bootstrap(replicates=REPLICATES))


def ours(scenes: Ints, paths: Ints, values: Floats, replace: Sequence[bool]) -> Floats:
    nesting = Nesting.of({"scene": scenes, "path": paths})
    defined = np.ones(values.shape, dtype=np.bool_)
    return bootstrap_means(values, defined, nesting, replicates=REPLICATES, replace=replace).values


def loop(groups: Groups, values: Floats, replace: Sequence[bool]) -> Floats:
    rng = np.random.default_rng(1)
    every = [*replace, False, False][:3]
    means = np.empty((REPLICATES, values.shape[1]))
    for replicate in range(REPLICATES):
        rows: list[Ints] = []
        for scene in pick(rng, len(groups), every[0]):
            for path in pick(rng, len(groups[scene]), every[1]):
                members = groups[scene][path]
                rows.append(members[pick(rng, len(members), every[2])] if every[2] else members)
        means[replicate] = values[np.concatenate(rows)].mean(axis=0)
    return means


def pick(rng: np.random.Generator, size: int, replace: bool) -> Ints:
    return rng.integers(size, size=size) if replace else np.arange(size)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
