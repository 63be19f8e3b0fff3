"""What a submission is checked against: of each episode only what the checks need."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.format import get_format
from vlnscope.types import Episode, Point, Prediction

Place = str | Point
START_TOLERANCE = 0.5
_INSTRUCTIONS = 3
_R2R = frozenset({"r2r-episodes", "fgr2r-episodes"})


class EpisodeTarget(NamedTuple):
    """An episode: where it is, which instruction of its path, from where (and where known) to where."""

    scan: str
    path_id: str
    instruction: int
    start: Place
    goal: Place | None


Targets = dict[str, EpisodeTarget]


def targets_of(dataset: Dataset) -> Targets:
    """Return the episodes of a data set by id."""
    targets: Targets = {}
    for episode in dataset.episodes():
        if episode.episode_id in targets:
            raise InputError(
                f"data set {label(dataset)} has two episodes {episode.episode_id}",
                expected="unique ids",
                fix="remove or rename one of them in the episode file",
            )
        targets[episode.episode_id] = target_of(episode)
    if not targets:
        raise InputError(
            f"data set {label(dataset)} has no episodes",
            expected="at least one",
            fix="name another split or file; `vlnscope ls datasets` shows what there is",
        )
    return targets


def target_of(episode: Episode) -> EpisodeTarget:
    """Return what the checks need of an episode."""
    space = episode.continuous
    start: Place
    goal: Place | None
    if episode.path:
        start, goal = episode.path[0], episode.path[-1] if len(episode.path) > 1 else None
    elif space is not None:
        start, goal = space.start_position, space.goals[0] if space.goals else None
    else:
        raise InputError(
            f"episode {episode.episode_id} of the data set has neither path nor position",
            expected="episodes that say where they start",
            fix="add the path or the start position to the episode file, or leave the episode out",
        )
    return EpisodeTarget(episode.scan, episode.path_id, episode.instruction_index, start, goal)


def start_of(prediction: Prediction) -> Place:
    """Return where a prediction starts."""
    return prediction.path[0] if prediction.path else prediction.positions[0]


def same_place(a: Place, b: Place) -> bool:
    """Tell whether two places are one: the same viewpoint, or points at most half a metre apart."""
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return math.dist(a, b) <= START_TOLERANCE


def label(dataset: Dataset) -> str:
    """Return the name of a data set as users write it."""
    if not dataset.split or dataset.name.endswith(f"/{dataset.split}"):
        return dataset.name
    return f"{dataset.name}/{dataset.split}"


def own_success_of(dataset: Dataset) -> str:
    """Return how the task of a data set judges success, where no metric here does; else an empty text."""
    return get_format(dataset.format).own_success if registry.has("format", dataset.format) else ""


def unscored_ids(dataset: Dataset, targets: Targets) -> frozenset[str]:
    """Return the ids of fourth instructions, which the R2R server does not score.

    A few paths of R2R have four instructions where all others have three. A data set whose paths usually
    have more (R4R) is none of that server's.
    """
    per_path = Counter(target.path_id for target in targets.values())
    usual = Counter(per_path.values()).most_common(1)[0][0]
    if dataset.format not in _R2R or usual != _INSTRUCTIONS:
        return frozenset()
    return frozenset(name for name, target in targets.items() if target.instruction >= _INSTRUCTIONS)


def paths_of(targets: Targets, ids: Iterable[str]) -> set[str]:
    """Return the ids of the paths that some episodes describe."""
    return {targets[name].path_id for name in ids}
