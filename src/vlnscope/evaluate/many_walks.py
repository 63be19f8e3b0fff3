"""Many walks of an agent that needs no observations, as arrays: the mean of each metric, without a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError
from vlnscope.engine.vectorised import ArrayTrajectories, move_many
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.metrics.batch import PathBatch, graph_batch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged, offsets_of
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Ints
from vlnscope.worlds.scene import Scene

AT_ONCE = 4096
STEPS = 30


def mean_scores(
    agent: str,
    dataset: Dataset,
    walks: int,
    metrics: Sequence[str],
    *,
    seed: int = 0,
    profile: str = "default",
) -> dict[str, tuple[float, float]]:
    """Walk as often in every episode of a data set; return the mean of each metric and its standard error.

    The standard error is that of independent walks: it says how near the mean is to that of endless walks in
    the same episodes, and nothing about other episodes.

    Args:
        agent: such as ``random``; one that moves many walks at once.
        dataset: with navigation graphs.
        walks: about how many; every episode gets the same number, one at least.
        metrics: names.
        seed: of the agent.
        profile: whose conventions to follow.

    Raises:
        InputError: the data set has no scenes.
    """
    by_scan: dict[str, list[Episode]] = {}
    for episode in dataset.episodes():
        by_scan.setdefault(episode.scan, []).append(episode)
    if dataset.scenes is None:
        raise InputError(
            f"{dataset.name}: has no scenes to walk in",
            expected="a data set whose episodes walk over a graph, as in R2R",
            fix="take another data set, such as r2r/val_unseen",
        )
    each = max(1, round(walks / sum(map(len, by_scan.values()))))
    made = make_agent(agent, seed=seed).agent
    sums = {name: np.zeros(3) for name in metrics}
    begun = 0
    for scan, episodes in by_scan.items():
        rows = np.repeat(np.arange(len(episodes)), each)
        keys = np.arange(begun, begun + len(rows), dtype=np.uint64)
        begun += len(rows)
        scene = dataset.scenes.scene(scan)
        walked = move_many(made, scene, episodes, rows, keys, STEPS)
        for batch in _batches(scene, episodes, rows, walked):
            for name, values in evaluate(batch, get_profile(profile), tuple(metrics)).items():
                kept = values.values[values.defined]
                sums[name] += (len(kept), kept.sum(), (kept**2).sum())
    return {name: _mean(*total) for name, total in sums.items()}


def _mean(count: float, total: float, squares: float) -> tuple[float, float]:
    mean = total / count
    return float(mean), float(np.sqrt(max(squares / count - mean**2, 0.0) / count))


def _batches(
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
