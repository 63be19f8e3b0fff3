"""How many episodes a second does training take, forward and backward, both forcings?

    python perf/training.py --root DATA [--experiment NAME] [--batch N] [--updates N] [--processes 2] [--json]

Trains as the experiment says, on its own episodes but with made-up features, for a few updates that are timed
after a few that are not. The rule: at least 5 times the 19 episodes a second of a first prototype (192 wide,
both forcings, two cores), with as many processes as there are cores. Each process has its share of a batch;
small batches waste time on the overhead of small steps.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.perception.features.files import Features, Rows
from vlnscope.training.experiment import Experiment, read_experiment
from vlnscope.training.loop import Trainer
from vlnscope.training.preparation import prepare
from vlnscope.training.ranks import Ranks, with_ranks

PROTOTYPE, TIMES, WIDTH = 19.0, 5.0, 384
BOTH = ('learning.forcing="both"', "data.mirror=false")


class MadeUp(Features):
    """Features as wide as real ones, the same wherever one stands."""

    def __init__(self) -> None:
        super().__init__(Path())
        self._all: Rows = rng_for(0, "features").standard_normal((36, WIDTH)).astype(np.float32) * WIDTH**-0.5

    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        return self._all

    def _first(self) -> Rows:
        return self._all


def measure(ranks: Ranks, experiment: Experiment, root: Path | None, updates: int, out: Path) -> None:
    """Write how many episodes a second there are."""
    trainer = Trainer(prepare(experiment, root, MadeUp()), out / "run", ranks)
    trainer.begin(resume=False)
    for _ in range(3):
        trainer.advance()
    begun = time.perf_counter()
    for _ in range(updates):
        trainer.advance()
    speed = updates * experiment.learning.batch / (time.perf_counter() - begun)
    if ranks.leads:
        (out / "speed").write_text(str(speed))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--experiment", default="r2r-captions")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    changes = ["save_every=1000000", "validate_every=1000000", *BOTH, f"learning.batch={asked.batch}"]
    experiment = read_experiment(asked.experiment, changes)
    with tempfile.TemporaryDirectory() as folder:
        with_ranks(asked.processes, measure, experiment, asked.root, asked.updates, Path(folder))
        speed = float((Path(folder) / "speed").read_text())
    found = {"episodes_per_second": speed, "times_prototype": speed / PROTOTYPE, "rule": TIMES}
    print(
        json.dumps(found)
        if asked.json
        else f"{speed:.1f} episodes/s, {speed / PROTOTYPE:.1f} × the prototype"
    )
    return 0 if speed >= TIMES * PROTOTYPE else 1


if __name__ == "__main__":
    sys.exit(main())
