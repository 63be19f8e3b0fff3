"""Round trip: do instructions lead to their goal someone who sees the text and the house, but not the path?

Instructions are parsed and grounded; the walks are scored like an agent's predictions. To see that they
arrive for the right reason, the same is done with words taken away, and with another path's instruction.

python perf/round_trip.py [houses/val_unseen] [--limit 300] [--workers 2] [--knowledge "in sight"]
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import score
from vlnscope.language.actions import Category
from vlnscope.language.ground import KnownMap, best_walk, follow
from vlnscope.language.parse import parse
from vlnscope.perception.sights.percept import scene_percepts
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.scene import Scenes

Setting = Literal["whole", "no turns", "no landmarks", "no rooms", "another path"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
Knowledge = Literal["house", "in sight"]
METRICS = ("SR", "SPL", "nDTW")

_CUT: dict[Setting, tuple[Category, ...]] = {
    "no turns": ("turning", "direction"),
    "no landmarks": ("landmark", "attribute", "number"),
    "no rooms": ("region",),
}


class Task(NamedTuple):
    """An instruction to follow, as a setting has it."""

    setting: Setting
    episode_id: str
    scan: str
    instruction: str
    start: str
    heading: float


class Walked(NamedTuple):
    """The walk of a task."""

    setting: Setting
    episode_id: str
    walk: tuple[str, ...]


@dataclass(frozen=True)
class RoundTrip:
    """Scores of the walks, one per setting, the whole instruction first."""

    dataset: str
    knowledge: Knowledge
    scores: dict[Setting, Score]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row per setting: means in the units of tables, with intervals."""
        for setting, its in self.scores.items():
            yield {
                "dataset": self.dataset,
                "knowledge": self.knowledge,
                "setting": setting,
                "n": its.n,
                "metrics": its.to_dict()["metrics"],
            }

    def table(self) -> str:
        """Return the means as a table in Markdown."""
        lines = [f"| {self.dataset} | n | {' | '.join(METRICS)} |", "|---" * (len(METRICS) + 2) + "|"]
        for row in self.rows():
            means = " | ".join(f"{row['metrics'][name]['mean']:.1f}" for name in METRICS)
            lines.append(f"| {row['setting']} | {row['n']} | {means} |")
        return "\n".join(lines)


def round_trip(
    data: str | Dataset,
    *,
    settings: Sequence[Setting] = SETTINGS,
    knowledge: Knowledge = "house",
    limit: int | None = None,
    workers: int = 1,
    seed: int = 0,
) -> RoundTrip:
    """Follow the instructions of a data set and score the walks.

    Args:
        data: a data set whose scenes have rooms or objects, such as ``houses/val_unseen``.
        settings: what is done to the instructions.
        knowledge: whether the walker knows the whole house, or at each step what is in sight of the
            viewpoints visited so far.
        limit: take only so many episodes, spread evenly over the data set.
        workers: number of processes; it changes nothing but the time.
        seed: decides which other path's instruction each episode gets.

    Raises:
        InputError: a setting is unknown, or the data set has no graphs or no paths to score against.
    """
    dataset = _chosen(data if isinstance(data, Dataset) else open_dataset(data), limit)
    for setting in settings:
        if setting not in SETTINGS:
            raise UnknownNameError("setting", setting, SETTINGS)
    if dataset.load_scenes is None:
        raise InputError(
            f"{dataset.name} has no navigation graphs",
            expected="episodes on a graph",
            fix="name a data set such as houses/val_unseen",
        )
    episodes = list(dataset.episodes())
    tasks = [task for setting in settings for task in tasks_of(episodes, setting, seed)]
    walks = walk_all(tasks, dataset.load_scenes, knowledge=knowledge, workers=workers)
    scores = {}
    for setting in settings:
        predictions = [
            Prediction(episode_id=done.episode_id, path=done.walk, stopped=True)
            for done in walks
            if done.setting == setting
        ]
        scores[setting] = score(predictions, dataset, metrics=METRICS)
    return RoundTrip(dataset.name, knowledge, scores)


def tasks_of(episodes: Sequence[Episode], setting: Setting, seed: int = 0) -> list[Task]:
    """Return what is to be followed, one task per episode."""
    return [
        Task(
            setting,
            episode.episode_id,
            episode.scan,
            reworded(episode, episodes, setting, seed),
            episode.path[0],
            episode.heading or 0.0,
        )
        for episode in episodes
    ]


def reworded(episode: Episode, episodes: Iterable[Episode], setting: Setting, seed: int = 0) -> str:
    """Return the instruction of an episode as a setting has it.

    ``another path`` takes an instruction for another path of the same scene (its own if there is no other).
    """
    if setting == "whole":
        return episode.instruction
    if setting == "another path":
        others = [e for e in episodes if e.scan == episode.scan and e.path_id != episode.path_id]
        draw = rng_for(seed, "another path", episode.episode_id)
        return others[int(draw.integers(len(others)))].instruction if others else episode.instruction
    return without(episode.instruction, _CUT[setting])


def without(text: str, categories: Sequence[Category]) -> str:
    """Return a text without its words of some categories.

    Example:
        >>> without("Turn left and walk past the sofa.", ("landmark",))
        'Turn left and walk past the .'
    """
    kept, end = [], 0
    for token in parse(text).tokens:
        if token.category in categories:
            kept.append(text[end : token.span.start])
            end = token.span.end
    return re.sub(r"\s+", " ", "".join([*kept, text[end:]])).strip()


def walk_all(
    tasks: Sequence[Task],
    open_scenes: Callable[[], Scenes],
    *,
    knowledge: Knowledge = "house",
    workers: int = 1,
) -> list[Walked]:
    """Return the walk of each task, scene by scene."""
    by_scan: dict[str, list[Task]] = {}
    for task in tasks:
        by_scan.setdefault(task.scan, []).append(task)
    work = partial(_walk_scene, open_scenes, knowledge)
    if workers <= 1 or len(by_scan) <= 1:
        return [walk for its in by_scan.values() for walk in work(its)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(by_scan)), mp_context=context) as pool:
        return [walk for walks in pool.map(work, by_scan.values()) for walk in walks]


def _walk_scene(
    open_scenes: Callable[[], Scenes], knowledge: Knowledge, tasks: Sequence[Task]
) -> list[Walked]:
    scene = open_scenes().scene(tasks[0].scan)
    percepts = scene_percepts(scene)
    known = KnownMap.of_scene(scene.graph, percepts) if knowledge == "house" else None
    walks = []
    for task in tasks:
        parsed = parse(task.instruction)
        if known is not None:
            walk = best_walk(parsed, known, task.start, task.heading)
        else:
            walk = follow(parsed, scene, percepts, task.start, task.heading)
        walks.append(Walked(task.setting, task.episode_id, walk))
    return walks


def _chosen(dataset: Dataset, limit: int | None) -> Dataset:
    if limit is None:
        return dataset
    episodes = list(dataset.episodes())
    stride = max(len(episodes) // limit, 1)
    chosen = tuple(islice(episodes, 0, stride * limit, stride))
    return replace(dataset, load=lambda _: iter(chosen))


def main() -> None:
    """Print the scores of all settings."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default="houses/val_unseen")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--knowledge", choices=get_args(Knowledge), default="house")
    chosen = parser.parse_args()
    result = round_trip(chosen.data, knowledge=chosen.knowledge, limit=chosen.limit, workers=chosen.workers)
    print(result.table())


if __name__ == "__main__":
    main()
