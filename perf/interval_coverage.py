"""How often nominal 95 % intervals cover the truth when scenes and paths have effects of their own.

Samples are drawn from a population whose mean is known: scenes (equal ones, or of 10 to 60 paths), paths,
three instructions per path. Scores are normal, or success and failure, with scenes varying around 50 %
or around 90 %. Each sample gets four intervals: the plain bootstrap, which resamples rows; the bootstrap that
resamples scenes, and paths and rows inside them; the one that resamples scenes only, with percentiles; and
the same studentised. The table says how often the truth lay inside, and how wide the intervals were.

    python perf/interval_coverage.py [--trials 4000]
"""

from __future__ import annotations

import argparse
import math
import time
from typing import NamedTuple

import numpy as np

from vlnscope.rng import rng_for
from vlnscope.stats.bootstrap import Interval, Method, Sample, summarise
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats, Ints

BATCH = 200  # samples that share their resamples
REPLICATES = 1000
INSTRUCTIONS = 3
SCENE, PATH, ROW = 0.45, 0.7, 1.0  # standard deviations


class Kind(NamedTuple):
    """What is sampled: scenes hold so many paths, from least to most; `limit` decides on success."""

    paths: tuple[int, int]
    limit: float | None


KINDS = {
    "normal, equal scenes": Kind((35, 35), None),
    "normal": Kind((10, 60), None),
    "success 50 %": Kind((10, 60), 0.0),
    "success 90 %": Kind((10, 60), 1.2816),
}


class Way(NamedTuple):
    """A way to make an interval; the plain bootstrap knows of no scenes and paths."""

    plain: bool
    replace: tuple[bool, ...]
    method: Method


WAYS = {
    "rows (plain)": Way(True, (True,), "percentile"),
    "scenes, paths and rows": Way(False, (True, True, True), "percentile"),
    "scenes, percentile": Way(False, (True,), "percentile"),
    "scenes, studentised": Way(False, (True,), "studentised"),
}


class Tally(NamedTuple):
    """What became of the intervals of one kind."""

    covered: int
    bounded: int
    width: float

    def plus(self, intervals: list[Interval], truth: float) -> Tally:
        """Add more intervals to the tally."""
        ends = [(i.low, i.high) for i in intervals if i.low is not None and i.high is not None]
        inside = sum(low <= truth <= high for low, high in ends)
        width = sum(high - low for low, high in ends)
        return Tally(self.covered + inside, self.bounded + len(ends), self.width + width)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=4000)
    trials = parser.parse_args().trials
    started = time.perf_counter()
    print(f"{trials:,} samples each, {REPLICATES:,} resamples, nominal coverage 95 %")
    noise = 100 * math.sqrt(0.95 * 0.05 / trials)
    print(f"(the simulation itself is uncertain by ±{1.96 * noise:.1f} points)\n")
    print("| scores | scenes | resampled | covered % | width | no interval |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        for scenes in (30, 11):
            for name, tally in simulate(kind, scenes, trials).items():
                print(
                    f"| {kind} | {scenes} | {name} | {100 * tally.covered / tally.bounded:.1f}"
                    f" | {tally.width / tally.bounded:.3f} | {trials - tally.bounded} |"
                )
    print(f"\n{time.perf_counter() - started:.0f} s")


def simulate(kind: str, scenes: int, trials: int) -> dict[str, Tally]:
    tallies = {name: Tally(0, 0, 0.0) for name in WAYS}
    limit = KINDS[kind].limit
    truth = 0.0 if limit is None else normal_share(limit)
    for batch in range(math.ceil(trials / BATCH)):
        rng = rng_for(0, "coverage", kind, scenes, batch)
        count = min(BATCH, trials - batch * BATCH)
        scene, path = layout(rng, scenes, KINDS[kind].paths)
        nested = Nesting.of({"scene": scene, "path": path})
        flat = Nesting.of({"episode": range(scene.size)})
        scores = draw(rng, scene, path, count, limit)
        everywhere = np.ones(scene.size, dtype=np.bool_)
        columns = {str(i): Sample(scores[:, i], everywhere) for i in range(count)}
        for name, way in WAYS.items():
            found = summarise(
                columns,
                flat if way.plain else nested,
                replicates=REPLICATES,
                replace=way.replace,
                method=way.method,
                seed=batch,
            )
            tallies[name] = tallies[name].plus(list(found.values()), truth)
    return tallies


def layout(rng: np.random.Generator, scenes: int, between: tuple[int, int]) -> tuple[Ints, Ints]:
    """Keys of the scene and the path of each row; three instructions per path."""
    paths = rng.integers(*between, size=scenes, endpoint=True)
    scene = np.repeat(np.repeat(np.arange(scenes), paths), INSTRUCTIONS)
    path = np.repeat(np.arange(paths.sum()), INSTRUCTIONS)
    return scene, path


def draw(rng: np.random.Generator, scene: Ints, path: Ints, count: int, limit: float | None) -> Floats:
    by_scene = rng.normal(0, SCENE, (int(scene[-1]) + 1, count))[scene]
    by_path = rng.normal(0, PATH, (int(path[-1]) + 1, count))[path]
    latent = by_scene + by_path + rng.normal(0, ROW, (scene.size, count))
    if limit is None:
        return np.asarray(latent)
    spread = math.sqrt(SCENE**2 + PATH**2 + ROW**2)
    return (latent / spread + limit > 0).astype(np.float64)


def normal_share(limit: float) -> float:
    """Share of a standard normal distribution below a limit."""
    return 0.5 * (1 + math.erf(limit / math.sqrt(2)))


if __name__ == "__main__":
    main()
