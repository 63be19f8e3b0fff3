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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate import many_walks

METRICS = {"TL": "PL", "NE": "NE", "SR": "SR", "SPL": "SPL", "CLS": "CLS", "OSR": "OSR"}
"""Names here and in the fixture."""
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
    return many_walks.mean_scores(agent, dataset, walks, metrics, seed=seed)


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
