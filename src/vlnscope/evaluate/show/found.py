"""Finds the episode and the walk that a user names, and says what there is where they are not found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.engine.store.run_folder import read_record
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.run_data import run_folder
from vlnscope.evaluate.show.walk import reference_prediction
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.world import scenes_of

REFERENCE = "reference"
"""Whose walk it is where nobody names an agent."""


@dataclass(frozen=True)
class FoundWalk:
    """One walk of one episode.

    Attributes:
        episode: what was asked.
        prediction: what was done.
        agent: who did it: the agent of a run, the name of a file, or `REFERENCE`.
        scene: where.
    """

    episode: Episode
    prediction: Prediction
    agent: str
    scene: Scene


def find_walk(
    episode_id: str, dataset: Dataset, predictions: str | Path | None, root: str | Path | None
) -> FoundWalk:
    """Return the walk of an episode: that of a run or a prediction file, else the annotated one.

    Raises:
        InputError: there is no such episode, no prediction for it, or no scene to draw.
    """
    episode = _episode(episode_id, dataset)
    if predictions is None:
        prediction, agent = reference_prediction(episode), REFERENCE
    else:
        prediction, agent = _prediction(episode_id, predictions), _agent(predictions)
    return FoundWalk(episode, prediction, agent, _scene(dataset, episode, root))


def _episode(name: str, dataset: Dataset) -> Episode:
    known: list[str] = []
    for episode in dataset.episodes():
        if episode.episode_id == name:
            return episode
        known.append(episode.episode_id)
    raise _unknown(f"{dataset.name}: ", name, known, "name one of these, or the data set that it is in")


def _prediction(name: str, source: str | Path) -> Prediction:
    known: list[str] = []
    for prediction in read_predictions(source):
        if prediction.episode_id == name:
            return prediction
        known.append(prediction.episode_id)
    fix = "let the agent walk it (`vlnscope run --resume`), or name an episode that it walked"
    raise _unknown(f"{source}: ", name, known, fix)


def _unknown(where: str, name: str, known: Sequence[str], fix: str) -> InputError:
    some = f", such as {known[0]}" if known else ""
    return InputError(
        where + UnknownNameError("episode", name, dict.fromkeys(known)).what,
        expected=f"one of its {len(known):,} episodes{some}",
        fix=fix,
    )


def _agent(source: str | Path) -> str:
    folder = run_folder(source)
    return read_record(folder).agent.name if folder else Path(source).name.partition(".")[0]


def _scene(dataset: Dataset, episode: Episode, root: str | Path | None) -> Scene:
    """Return the scene of an episode; its graph alone where episodes in space have no meshes at hand."""
    scenes = dataset.scenes
    if scenes is not None:
        return scenes.scene(episode.scan)
    try:
        return scenes_of(_one(episode.scan), data_root(root)).scene(episode.scan)
    except DataNotFoundError:
        raise DataNotFoundError(
            f"{dataset.name}: nothing is known of scene {episode.scan}, so episode {episode.episode_id} "
            "cannot be drawn",
            expected=f"a folder with {episode.scan}/{episode.scan}.glb and .navmesh, or the scan's graph",
            fix="name the folder with --scenes, or the one with connectivity/ with --root",
        ) from None


def _one(scan: str) -> Iterable[str]:
    yield scan
