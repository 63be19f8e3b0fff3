"""How long R4R takes: three splits joined and written to disk, beside the way the official script goes.

That way looks at each pair of paths in turn, keeps the records as dicts and leaves the writing to
`json.dump`. Both must write the same bytes. Budget: 10 seconds for all three splits.

    python perf/r4r.py --root ~/vln-data
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from vlnscope.benchmarks.fidelity.joins.join import NEAR, join_paths
from vlnscope.benchmarks.fidelity.joins.shortest_paths import ShortestPaths
from vlnscope.benchmarks.kit.routes import Route, graphs_of, routes_of
from vlnscope.episodes.datasets.dataset import open_dataset

SPLITS = ("train", "val_seen", "val_unseen")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, help="data folder; $VLNSCOPE_DATA if not given")
    root = parser.parse_args().root
    with tempfile.TemporaryDirectory() as folder:
        mine, its = Path(folder, "ours"), Path(folder, "loop")
        ours(root, "val_seen", mine)  # loads and compiles what there is to
        fast, slow = (
            [timed(partial(way, root, split, out)) for split in SPLITS]
            for way, out in ((ours, mine), (loop, its))
        )
        same = all(
            mine.joinpath(f"R4R_{s}.json").read_bytes() == its.joinpath(f"{s}.json").read_bytes()
            for s in SPLITS
        )
    for split, (wall, cpu), (other, _) in zip(SPLITS, fast, slow, strict=True):
        beside = f"loop {other:6.2f} s, ratio {other / wall:.1f}"
        print(f"{split:>10}: {wall:5.2f} s ({cpu:.2f} s of CPU), {beside}")
    total = [sum(column) for column in zip(*fast, strict=True)]
    print(f"     total: {total[0]:5.2f} s ({total[1]:.2f} s of CPU), budget 10 s; same bytes: {same}")


def timed(work: Callable[[], None]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def ours(root: Path | None, split: str, out: Path) -> None:
    joined = join_paths(open_dataset(f"r2r/{split}", root))
    joined.save(out / joined.file_name)


def loop(root: Path | None, split: str, out: Path) -> None:
    dataset = open_dataset(f"r2r/{split}", root)
    routes = routes_of(dataset)
    records: list[dict[str, Any]] = []
    for scan, graph in graphs_of(dataset, routes).items():
        ways = ShortestPaths(graph)
        for first in routes[scan]:
            for second in routes[scan]:
                if graph.distance(first.end, second.start) <= NEAR:
                    records.append(record(len(records), first, second, ways))
    out.mkdir(exist_ok=True)
    with (out / f"{split}.json").open("w") as stream:
        json.dump(records, stream, indent=2, sort_keys=True, separators=(",", ": "))


def record(number: int, first: Route, second: Route, ways: ShortestPaths) -> dict[str, Any]:
    between, whole = ways.between(first.end, second.start), ways.between(first.start, second.end)
    lengths = [route.episodes[0].distance or 0.0 for route in (first, second)]
    return {
        "path": [*first.path[:-1], *between.path, *second.path[1:]],
        "distance": lengths[0] + between.length + lengths[1],
        "instructions": [one + two for one in first.instructions for two in second.instructions],
        "heading": first.episodes[0].heading,
        "path_id": number,
        "scan": first.scan,
        "shortest_path_distance": whole.length,
        "shortest_path": list(whole.path),
        "first_path_id": int(first.path_id),
        "second_path_id": int(second.path_id),
    }


if __name__ == "__main__":
    main()
