"""How often nominal 95 % intervals cover the truth, for every kind of number that reports print.

Samples are drawn from populations whose truth is known, nested as the benchmarks are:

- ``episodes``: scenes of R2R's real sizes, paths in them, three instructions per path (outcomes, fidelity);
- ``items``: 2 to 20 cases per scene, each of a path of its own (nuances, behavior, errors, detection);
- ``tours``: one to three tours per scene, which count by their 10 to 100 episodes.

Scenes and paths have effects of their own. Rates come from a latent normal variable, differences and relative
losses from two agents whose latent variables are correlated, means of a bounded metric from a curve of the
same kind, sizes from exponential distances whose mean depends on the scene, AUC from scores of right and
wrong instructions.

    python perf/interval_coverage.py [--trials 2000] [--compare]

``--compare`` adds the bootstraps that resample scenes, for rates and differences.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy import special

from vlnscope.benchmarks.errors.detection.scores import auc_over_scenes
from vlnscope.core.rng import rng_for
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.columns import Sample
from vlnscope.stats.estimate import summarise
from vlnscope.stats.interval import SHARE, SIZE, Range
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import paired_difference
from vlnscope.stats.ratio import relative_change
from vlnscope.types import Floats, Ints

BATCH = 100  # samples that share a layout
SCENES = (8, 11, 30, 60)
SCENE, PATH, ROW = 0.45, 0.7, 1.0  # standard deviations of the latent variable
# Paths per scene in R2R's train and val_unseen splits.
R2R_SIZES = (
    2, 3, 6, 7, 12, 15, 17, 18, 21, 24, 30, 41, 45, 47, 56, 60, 60, 61, 64, 75, 76, 79, 82, 83,
    84, 85, 88, 89, 89, 89, 89, 90, 90, 90, 91, 92, 92, 92, 92, 92, 92, 93, 93, 93, 93, 93, 93, 93,
    93, 93, 93, 93, 93, 93, 93, 94, 94, 95, 95, 95, 95, 96, 96, 96, 96, 97, 98, 99, 100, 100, 100, 100,
)  # fmt: skip
Ends = tuple[float | None, float | None]


class Layout(NamedTuple):
    """Where rows lie, and how much each counts."""

    scene: Ints
    path: Ints
    weights: Floats

    @property
    def nesting(self) -> Nesting:
        """How the rows are nested."""
        return Nesting.of({"scene": self.scene, "path": self.path})

    def latent(self, rng: np.random.Generator, count: int) -> Floats:
        """Draw standard normal numbers, (rows, samples), that are alike in scenes and in paths."""
        parts = rng.normal(0, SCENE, (int(self.scene[-1]) + 1, count))[self.scene]
        parts = parts + rng.normal(0, PATH, (int(self.path[-1]) + 1, count))[self.path]
        parts = parts + rng.normal(0, ROW, (self.scene.size, count))
        return np.asarray(parts / math.sqrt(SCENE**2 + PATH**2 + ROW**2))


class Tally:
    """What became of the intervals of one kind."""

    def __init__(self) -> None:
        self.covered, self.made, self.width, self.trials = 0, 0, 0.0, 0

    def add(self, ends: Iterable[Ends], truth: float) -> None:
        """Count intervals, and how many hold the truth."""
        for low, high in ends:
            self.trials += 1
            if low is not None and high is not None:
                self.made += 1
                self.covered += low <= truth <= high
                self.width += high - low

    def cell(self) -> str:
        """Write coverage and mean width."""
        missing = f", none in {100 * (1 - self.made / self.trials):.1f} %" if self.made < self.trials else ""
        return f"{100 * self.covered / self.made:.1f} ({100 * self.width / self.made:.1f}{missing})"


def episodes(rng: np.random.Generator, scenes: int) -> Layout:
    return _layout(rng.choice(np.array(R2R_SIZES), size=scenes), 3)


def items(rng: np.random.Generator, scenes: int) -> Layout:
    return _layout(rng.integers(2, 20, size=scenes, endpoint=True), 1)


def tours(rng: np.random.Generator, scenes: int) -> Layout:
    made = _layout(rng.integers(1, 3, size=scenes, endpoint=True), 1)
    return made._replace(
        weights=rng.integers(10, 100, size=made.scene.size, endpoint=True).astype(np.float64)
    )


def _layout(sizes: Ints, instructions: int) -> Layout:
    scene = np.repeat(np.repeat(np.arange(sizes.size), sizes), instructions)
    path = np.repeat(np.arange(sizes.sum()), instructions)
    return Layout(scene, path, np.ones(scene.size))


def rate(share: float, bootstrap: Bootstrap | None = None) -> Kind:
    """Return intervals of a success rate."""

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        success = (layout.latent(rng, count) < special.ndtri(share)).astype(np.float64)
        return means(success, layout, SHARE, bootstrap)

    return Kind(share, make)


def bounded(centre: float) -> Kind:
    """Return intervals of a mean of a metric between 0 and 1, such as nDTW."""
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    truth = float((weights * special.expit(centre + 1.5 * points)).sum() / weights.sum())

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        return means(special.expit(centre + 1.5 * layout.latent(rng, count)), layout, SHARE)

    return Kind(truth, make)


def size() -> Kind:
    """Return intervals of a mean distance, most of it in few rows."""

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        scale = np.exp(rng.normal(0, 0.3, (int(layout.scene[-1]) + 1, count)))[layout.scene]
        return means(scale * rng.exponential(1.0, scale.shape), layout, SIZE)

    return Kind(math.exp(0.3**2 / 2), make)


def difference(one: float, other: float, bootstrap: Bootstrap | None = None) -> Kind:
    """Return intervals of a paired difference of two success rates."""

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        nesting = layout.nesting
        found = (
            paired_difference(a, b, nesting, within=SHARE, weights=layout.weights, bootstrap=bootstrap)
            for a, b in pairs(one, other, layout, rng, count)
        )
        return [(each.low, each.high) for each in found]

    return Kind(one - other, make)


def relative(one: float, other: float) -> Kind:
    """Return intervals of the share of its success rate that an agent loses."""

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        nesting = layout.nesting
        found = (relative_change(a, b, nesting) for a, b in pairs(one, other, layout, rng, count))
        return [(each.low, each.high) for each in found]

    return Kind(other / one - 1, make)


def auc(shift: float) -> Kind:
    """Return intervals of the AUC of a detector; half of the instructions are wrong."""

    def make(layout: Layout, rng: np.random.Generator, count: int) -> list[Ends]:
        scores = layout.latent(rng, count)
        wrong = np.arange(layout.scene.size) % 2 == 0
        scores[wrong] += shift
        scenes = [str(scene) for scene in layout.scene]
        found = (auc_over_scenes(wrong.tolist(), scores[:, k].tolist(), scenes) for k in range(count))
        return [(each.low, each.high) for each in found]

    return Kind(float(special.ndtr(shift / math.sqrt(2))), make)


class Kind(NamedTuple):
    """A kind of number: the truth, and what makes intervals of samples."""

    truth: float
    make: Callable[[Layout, np.random.Generator, int], list[Ends]]


def means(values: Floats, layout: Layout, within: Range, bootstrap: Bootstrap | None = None) -> list[Ends]:
    everywhere = np.ones(len(values), dtype=np.bool_)
    columns = {str(k): Sample(values[:, k], everywhere) for k in range(values.shape[1])}
    ranges = dict.fromkeys(columns, within)
    found = summarise(columns, layout.nesting, ranges=ranges, weights=layout.weights, bootstrap=bootstrap)
    return [(each.low, each.high) for each in found.values()]


def pairs(
    one: float, other: float, layout: Layout, rng: np.random.Generator, count: int
) -> Iterable[tuple[Sample, Sample]]:
    """Draw the successes of two agents that find the same episodes hard."""
    shared, own = layout.latent(rng, count), [layout.latent(rng, count) for _ in range(2)]
    everywhere = np.ones(layout.scene.size, dtype=np.bool_)
    sides = [
        ((0.8 * shared + 0.6 * each) < special.ndtri(share)).astype(np.float64)
        for each, share in zip(own, (one, other), strict=True)
    ]
    return [(Sample(sides[0][:, k], everywhere), Sample(sides[1][:, k], everywhere)) for k in range(count)]


RATES = (0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98)
DIFFERENCES = ((0.5, 0.5), (0.6, 0.5), (0.7, 0.3), (0.95, 0.9))
KINDS = {
    **{f"rate {100 * share:g} %": rate(share) for share in RATES},
    **{f"difference {100 * a:g} − {100 * b:g} %": difference(a, b) for a, b in DIFFERENCES},
    "relative loss 70 → 50 %": relative(0.7, 0.5),
    "relative loss 30 → 27 %": relative(0.3, 0.27),
    "bounded metric, mean 0.5": bounded(0.0),
    "bounded metric, mean 0.82": bounded(2.0),
    "distance": size(),
    "AUC 0.5": auc(0.0),
    "AUC 0.76": auc(1.0),
}
WITHOUT_WEIGHTS = ("relative", "AUC")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--compare", action="store_true")
    asked = parser.parse_args()
    started = time.perf_counter()
    noise = 196 * math.sqrt(0.95 * 0.05 / asked.trials)
    print(f"{asked.trials:,} samples per cell, nominal coverage 95 % (uncertain by ±{noise:.1f})")
    print("covered in % (mean width in points)\n")
    for name, layout in {"episodes": episodes, "items": items, "tours": tours}.items():
        kinds = {k: v for k, v in KINDS.items() if name != "tours" or not k.startswith(WITHOUT_WEIGHTS)}
        show(name, layout, kinds, asked.trials)
    if asked.compare:
        for method in ("percentile", "studentised"):
            how = Bootstrap("percentile" if method == "percentile" else "studentised")
            kinds = {f"rate {100 * share:g} %": rate(share, how) for share in (0.05, 0.2, 0.5)}
            kinds["difference 60 − 50 %"] = difference(0.6, 0.5, how)
            show(f"episodes, {method} bootstrap", episodes, kinds, asked.trials)
    print(f"{time.perf_counter() - started:.0f} s")


def show(
    name: str, layout: Callable[[np.random.Generator, int], Layout], kinds: dict[str, Kind], trials: int
) -> None:
    print(f"| {name} | " + " | ".join(f"{count} scenes" for count in SCENES) + " |")
    print("|---" * (len(SCENES) + 1) + "|")
    for kind, made in kinds.items():
        cells = [simulate(kind, made, layout, scenes, trials).cell() for scenes in SCENES]
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    print()


def simulate(
    name: str, kind: Kind, layout: Callable[[np.random.Generator, int], Layout], scenes: int, trials: int
) -> Tally:
    tally = Tally()
    for batch in range(math.ceil(trials / BATCH)):
        rng = rng_for(0, "coverage", name, scenes, batch)
        tally.add(kind.make(layout(rng, scenes), rng, min(BATCH, trials - batch * BATCH)), kind.truth)
    return tally


if __name__ == "__main__":
    main()
