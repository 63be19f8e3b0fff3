"""How fast and how small scoring is, next to an honest loop over episodes.

    python perf/scoring.py [--root DATA] [--million]

Scores an R4R-sized set of predictions (45,234 on real R2R val_unseen graphs if a data root is given,
otherwise on random graphs) with the full metric set, once with vlnscope and once the way the official
evaluators do it: episode by episode, distances in nested dicts, warping cell by cell in NumPy. Reading
and writing files is left out on both sides; turning names into numbers is counted. With ``--million`` it
also scores a file of a million predictions in a fresh process and reports that process's peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from episode_loop import loop
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.score.score import measure, plan
from vlnscope.metrics.encoding import pair_episodes
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

SEED = 0
EPISODES = 45_234
INSTRUCTIONS = 9


class Graphs:
    """Scenes held in memory."""

    def __init__(self, graphs: dict[str, NavGraph]) -> None:
        self.graphs = graphs

    def scans(self) -> tuple[str, ...]:
        """Return all names."""
        return tuple(sorted(self.graphs))

    def scene(self, scan: str) -> Scene:
        """Return a graph as a scene."""
        return Scene(scan, self.graphs[scan])


def random_graphs(count: int = 11, size: int = 120) -> dict[str, NavGraph]:
    """Random geometric graphs about as large and dense as Matterport scans."""
    graphs = {}
    for k in range(count):
        rng = rng_for(SEED, "graph", k)
        points = np.column_stack([rng.uniform(0, 22, (size, 2)), np.full(size, 1.5)])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        near = np.argsort(gaps, axis=1)[:, 1:4]
        names = [f"{k:02d}{i:030d}" for i in range(size)]
        edges = [(names[i], names[j]) for i in range(size) for j in near[i]]
        graphs[f"random{k}"] = NavGraph.build(names, points.tolist(), edges)
    return graphs


def joined_paths(paths: list[tuple[str, tuple[str, ...]]], graphs: dict[str, NavGraph]) -> list[Any]:
    """Pairs of paths of one scene of which one starts within 3 m of where the other ends, joined."""
    found = []
    for scan, a in paths:
        graph = graphs[scan]
        for other, b in paths:
            if other == scan and graph.distance(a[-1], b[0]) <= 3:
                found.append((scan, a[:-1] + graph.shortest_path(a[-1], b[0]) + b[1:]))
    return found


def short_paths(graphs: dict[str, NavGraph], per_graph: int = 75) -> list[tuple[str, tuple[str, ...]]]:
    """Random shortest paths of four to six edges."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for scan, graph in graphs.items():
        rng = rng_for(SEED, "paths", scan)
        while per_graph > sum(s == scan for s, _ in found):
            path = graph.shortest_path(*(str(n) for n in rng.choice(graph.nodes, 2)))
            if 5 <= len(path) <= 7:
                found.append((scan, path))
    return found


def material(root: str | None) -> tuple[Graphs, list[Episode], list[Prediction]]:
    """Episodes with R4R-like references, and the predictions of an agent that errs now and then."""
    if root:
        data = open_dataset("r2r/val_unseen", root)
        records = {e.path_id: (e.scan, e.path) for e in data.episodes()}
        assert data.scenes is not None
        graphs = {scan: data.scenes.scene(scan).graph for scan in {s for s, _ in records.values()}}
        paths = list(records.values())
    else:
        graphs = random_graphs()
        paths = short_paths(graphs)
    episodes: list[Episode] = []
    predictions: list[Prediction] = []
    for number, (scan, path) in enumerate(joined_paths(paths, graphs)):
        for k in range(INSTRUCTIONS):
            if len(episodes) < EPISODES:
                name = f"{number}_{k}"
                episodes.append(
                    Episode(episode_id=name, path_id=str(number), scan=scan, instruction="", path=path)
                )
                predictions.append(Prediction(episode_id=name, path=erring_walk(graphs[scan], path, name)))
    return Graphs(graphs), episodes, predictions


def erring_walk(graph: NavGraph, path: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Follow the reference, but step aside and back at random."""
    rng = rng_for(SEED, "walk", key)
    walk = [path[0]]
    for node in path[1:]:
        if rng.random() < 0.1:
            aside = str(rng.choice(graph.neighbours(walk[-1])))
            walk += [aside, walk[-1]]
        walk.append(node)
    return tuple(walk[: max(1, int(len(walk) * rng.uniform(0.6, 1.0)))])


def batched(graphs: Graphs, episodes: list[Episode], predictions: list[Prediction]) -> dict[str, Any]:
    """The same with vlnscope."""
    pairs = pair_episodes(episodes, graphs)
    pairs.add_predictions(predictions)
    wanted = plan(get_profile("default"))
    return measure(pairs, np.flatnonzero(pairs.predicted), [wanted])[0][0]


def timed(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Best of some runs, and the result."""
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def compare(root: str | None) -> None:
    """Time both ways on the same predictions and check that they agree."""
    graphs, episodes, predictions = material(root)
    for graph in graphs.graphs.values():
        _ = graph.distances
    batched(graphs, episodes[:100], predictions[:100])
    fast, values = timed(lambda: batched(graphs, episodes, predictions), 5)
    slow, rows = timed(lambda: loop(graphs.graphs, episodes, predictions), 1)
    worst = max(
        float(np.abs(values[name].values - [row[name] for row in rows])[values[name].defined].max())
        for name in rows[0]
    )
    where = "real R2R val_unseen graphs" if root else "random graphs"
    print(f"{len(predictions)} predictions on {where}, {len(rows[0])} metrics")
    print(f"  loop over episodes   {slow:8.2f} s")
    print(f"  vlnscope             {fast:8.3f} s")
    print(f"  ratio                {slow / fast:8.0f}   (budget: at least 50)")
    print(f"  largest difference   {worst:.1e}")


MILLION = """
import resource, sys, time
from vlnscope.evaluate.score.score import score
start = time.perf_counter()
result = score(sys.argv[1], sys.argv[2], root=sys.argv[3])
seconds = time.perf_counter() - start
print(result.n, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""


def million(root: str | None) -> None:
    """Score a file of a million predictions in a process of its own."""
    graphs, episodes, predictions = material(root)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        write_root(here, graphs)
        rounds = 1_000_000 // len(episodes) + 1
        total = 0
        with (here / "episodes.json").open("w") as gold, (here / "predictions.json").open("w") as preds:
            gold.write("[")
            preds.write("[")
            for _ in range(rounds):
                for e, p in zip(episodes, predictions, strict=True):
                    if total == 1_000_000:
                        break
                    comma = "," if total else ""
                    record = {
                        "path_id": total,
                        "scan": e.scan,
                        "heading": 0.0,
                        "path": e.path,
                        "distance": 0.0,
                        "instructions": ["Walk past the table and stop at the door."],
                    }
                    gold.write(comma + json.dumps(record))
                    trajectory = [(node, 0.52, 0.0) for node in p.path]
                    preds.write(comma + json.dumps({"instr_id": f"{total}_0", "trajectory": trajectory}))
                    total += 1
            gold.write("]")
            preds.write("]")
        size = (here / "predictions.json").stat().st_size / 1e6
        run = subprocess.run(
            [sys.executable, "-c", MILLION, here / "predictions.json", here / "episodes.json", here],
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        n, seconds, peak = run.stdout.split()
    print(f"{n} episodes from a file of {size:.0f} MB, with intervals")
    print(f"  time                 {float(seconds):8.1f} s")
    print(f"  peak memory          {float(peak):8.2f} GB   (budget: at most 2)")


def write_root(root: Path, graphs: Graphs) -> None:
    """Write graphs as connectivity files."""
    (root / "connectivity").mkdir()
    for scan, graph in graphs.graphs.items():
        nodes = [
            {
                "image_id": name,
                "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
                "included": True,
                "visible": graph.adjacency[i].tolist(),
                "unobstructed": graph.adjacency[i].tolist(),
                "height": 1.5,
            }
            for i, (name, (x, y, z)) in enumerate(zip(graph.nodes, graph.positions.tolist(), strict=True))
        ]
        (root / "connectivity" / f"{scan}_connectivity.json").write_text(json.dumps(nodes))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--root", default=os.environ.get("VLNSCOPE_DATA"))
    parser.add_argument("--million", action="store_true", help="also score a file of a million predictions")
    arguments = parser.parse_args()
    compare(arguments.root)
    if arguments.million:
        million(arguments.root)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory of this script (it holds all episodes as objects): {peak:.2f} GB")


if __name__ == "__main__":
    main()
