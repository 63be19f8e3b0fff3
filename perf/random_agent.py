"""A million random walks: do they give the Random rows of the R4R paper, and how long do they take?

    python perf/random_agent.py --root DATA [--fixture FILE] [--walks 1000000] [--json]

Walks with `random` (protocol of Jain et al. 2019, footnote 5) from the starts of R2R val_seen and val_unseen,
all instructions equally often, and compares the means with the numbers in FILE (an object ``results`` with
``R2R_val_seen`` and ``R2R_val_unseen``). The rule: within 0.3 percentage points and 0.05 m of FILE; 60 s.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.agents.spec import make_agent
from vlnscope.engine.vectorised import ArrayTrajectories, move_many
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.metrics.batch import PathBatch, graph_batch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Ints
from vlnscope.worlds.scene import Scene

METRICS = {"TL": "PL", "NE": "NE", "SR": "SR", "SPL": "SPL", "CLS": "CLS", "OSR": "OSR"}
"""Names here and in the fixture."""
AT_ONCE = 4096
POINTS, METRES = 0.003, 0.05


def mean_scores(
    agent: str,
    data: str | Dataset,
    root: Path | None,
    walks: int,
    *,
    metrics: tuple[str, ...] = tuple(METRICS),
    seed: int = 0,
) -> dict[str, tuple[float, float]]:
    """Walk as often in every episode of a data set; return the mean of each metric and its standard error."""
    dataset = data if isinstance(data, Dataset) else open_dataset(data, root)
    by_scan: dict[str, list[Episode]] = {}
    for episode in dataset.episodes():
        by_scan.setdefault(episode.scan, []).append(episode)
    assert dataset.scenes is not None
    each = max(1, round(walks / sum(map(len, by_scan.values()))))
    made = make_agent(agent, seed=seed).agent
    sums = {name: np.zeros(3) for name in metrics}
    begun = 0
    for scan, episodes in by_scan.items():
        rows = np.repeat(np.arange(len(episodes)), each)
        keys = np.arange(begun, begun + len(rows), dtype=np.uint64)
        begun += len(rows)
        scene = dataset.scenes.scene(scan)
        walked = move_many(made, scene, episodes, rows, keys, 30)
        for batch in batches(scene, episodes, rows, walked):
            for name, values in evaluate(batch, get_profile("default"), metrics).items():
                kept = values.values[values.defined]
                sums[name] += (len(kept), kept.sum(), (kept**2).sum())
    return {name: _mean(*total) for name, total in sums.items()}


def _mean(count: float, total: float, squares: float) -> tuple[float, float]:
    mean = total / count
    return float(mean), float(np.sqrt(max(squares / count - mean**2, 0.0) / count))


def batches(
    scene: Scene, episodes: list[Episode], rows: Ints, walked: ArrayTrajectories
) -> Iterator[PathBatch]:
    """Put walks beside their references, some thousands at a time."""
    table = GraphTable([scene.graph])
    references = Ragged.nodes([[scene.graph.row(node) for node in episode.path] for episode in episodes])
    nodes = walked.nodes()
    for start in range(0, len(rows), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        here = nodes[part]
        paths = Ragged(here[here >= 0].astype(np.int32), offsets_of((here >= 0).sum(axis=1)))
        yield graph_batch(table, np.zeros(len(here), dtype=np.int64), paths, references.take(rows[part]))


def compare(found: Mapping[str, tuple[float, float]], wanted: Mapping[str, float]) -> dict[str, Any]:
    """Say for each metric what was found, what the fixture has, and whether that is close enough."""
    rows: dict[str, Any] = {}
    for name, theirs in METRICS.items():
        mean, error = found[name]
        limit = METRES if name in ("TL", "NE") else POINTS
        near = abs(mean - wanted[theirs]) <= limit
        rows[theirs] = {"found": mean, "error": error, "fixture": wanted[theirs], "near": near}
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="A million random walks.")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--fixture", type=Path)
    parser.add_argument("--walks", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    fixture = args.fixture or args.root.parent / "fixtures" / "random_agent_r2r_r4r.json"
    wanted = json.loads(fixture.read_text())["results"]
    begun = time.perf_counter()
    splits = ("val_seen", "val_unseen")
    table = {
        split: compare(mean_scores("random", f"r2r/{split}", args.root, args.walks), wanted[f"R2R_{split}"])
        for split in splits
    }
    seconds = time.perf_counter() - begun
    if args.json:
        print(json.dumps({"seconds": seconds, "walks": args.walks, **table}, indent=1))
    else:
        for split, rows in table.items():
            for name, row in rows.items():
                sign = "near" if row["near"] else "FAR"
                print(f"{split:10} {name:4} {row['found']:9.5f} ± {row['error']:.5f} "
                      f"fixture {row['fixture']:9.5f} {sign}")  # fmt: skip
        print(f"{args.walks} walks in each of {len(splits)} splits: {seconds:.1f} s")
    sys.exit(not all(row["near"] for rows in table.values() for row in rows.values()))


if __name__ == "__main__":
    main()
