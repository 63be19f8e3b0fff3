"""From an experiment to arrays: opens data sets and features, makes the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import Checkpoint, load_checkpoint
from vlnscope.agents.learned.model import ModelConfig, model_class
from vlnscope.agents.learned.vocabulary import (
    BOS,
    EOS,
    PAD,
    UNK,
    AnyVocabulary,
    PieceVocabulary,
    SentenceVocabulary,
    WordVocabulary,
    check_kind,
)
from vlnscope.core.data_root import data_root, no_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import digest, find_file, read_bytes
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.reading import read_tours
from vlnscope.perception.features.files import Features, features_of
from vlnscope.perception.features.minilm import WIDTH, word_vectors
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Experiment, ModelChoice
from vlnscope.training.loop import TrainingTask
from vlnscope.training.mirroring import mirrored_episode, mirrored_graph
from vlnscope.types import Episode, Tour
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

MARKS = (PAD, UNK, EOS, BOS)
PIECES = "bert/bert-base-uncased-vocab.txt"


def prepare(
    experiment: Experiment, root: str | Path | None = None, features: Features | None = None
) -> TrainingTask:
    """Lay out what an experiment learns from.

    Args:
        experiment: what is asked.
        root: the data folder.
        features: used instead of those that the experiment names.

    Raises:
        InputError: data, features or sizes cannot be used.
    """
    begin = load_checkpoint(experiment.model.begin, experiment.model.name) if experiment.model.begin else None
    folder = data_root(root)
    sets, parts = _opened(experiment, folder)
    features = features or features_of(f"features:{experiment.data.features}", folder)
    world = SceneArrays.of(_scenes(sets, parts), features, mirror=experiment.data.mirror)
    vocabulary = begin.vocabulary if begin else _vocabulary(experiment.model, parts[0], folder)
    config = _config(experiment, vocabulary, features)
    train, held_out = (EpisodeArrays.of(part, world, vocabulary, config.max_tokens) for part in parts)
    if experiment.data.mirror:
        again = [mirrored_episode(each) for each in parts[0]]
        train = train.with_others(EpisodeArrays.of(again, world, vocabulary, config.max_tokens))
    data = _digest(experiment, sets, world.graphs, begin)
    vectors = _vectors(vocabulary) if experiment.model.vectors == "minilm" else None
    tours = _tours(experiment, sets, parts) if experiment.learning.method == "tours" else (None, None)
    task = TrainingTask(experiment, config, vocabulary, world, train, held_out, data, vectors, *tours)
    return task._replace(weights=begin.model.state_dict()) if begin else task


def _config(experiment: Experiment, vocabulary: AnyVocabulary, features: Features) -> ModelConfig:
    """Return the sizes of the model; two of them the data decide."""
    choice, kind = experiment.model, model_class(experiment.model.name)
    if fixed := {"vocabulary", "image_size"} & choice.sizes.keys():
        raise InputError(
            f"{' and '.join(sorted(fixed))} in [model.sizes] cannot be chosen",
            expected="other sizes: these are those of the vocabulary and of the features",
            fix='leave them out; `features = "NAME@WIDTH"` takes some columns of features',
        )
    check_kind(vocabulary, kind.Config, choice.name)
    sizes = {**choice.sizes, "vocabulary": vocabulary.size, "image_size": features.width}
    return kind.Config.preset(choice.preset, **sizes)


def data_digest(experiment: Experiment, root: str | Path | None = None) -> str:
    """Return the digest of what an experiment learns from and begins with, as `prepare` notes it.

    Features do not count: they are not opened.

    Raises:
        InputError: data cannot be used.
    """
    sets, parts = _opened(experiment, data_root(root))
    graphs = [scene.graph for scene in _scenes(sets, parts)]
    graphs += [mirrored_graph(graph) for graph in graphs] if experiment.data.mirror else []
    begin = load_checkpoint(experiment.model.begin, experiment.model.name) if experiment.model.begin else None
    return _digest(experiment, sets, graphs, begin)


def _digest(
    experiment: Experiment, sets: list[Dataset], graphs: Sequence[NavGraph], begin: Checkpoint | None
) -> str:
    graph_digests = "\n".join([graph.digest for graph in graphs] + ([begin.digest] if begin else []))
    tours = experiment.data.tours if experiment.learning.method == "tours" else ""
    order = [read_bytes(tours)] if tours else []
    return digest(*(each.digest().encode() for each in sets), graph_digests.encode(), *order)


def _opened(experiment: Experiment, root: Path | None) -> tuple[list[Dataset], list[list[Episode]]]:
    """Open what is learned from, and what weights are chosen on."""
    sets = [open_dataset(name, root) for name in (experiment.data.train, experiment.data.validate)]
    return sets, [_episodes(each, experiment.data.limit) for each in sets]


def _episodes(dataset: Dataset, limit: int) -> list[Episode]:
    if dataset.is_test:
        raise InputError(
            f"{dataset.name}: keeps its references secret",
            expected="a data set with references",
            fix="learn from `train`, and choose weights on `val_seen`",
        )
    return list(islice(dataset.episodes(), limit or None))


def _scenes(sets: list[Dataset], parts: list[list[Episode]]) -> list[Scene]:
    scenes: dict[str, Scene] = {}
    for dataset, part in zip(sets, parts, strict=True):
        if dataset.scenes is None:
            raise InputError(
                f"{dataset.name}: its episodes lie in continuous space",
                expected="episodes on navigation graphs",
                fix="name a data set such as r2r/train",
            )
        for episode in part:
            if episode.scan not in scenes:
                scenes[episode.scan] = dataset.scenes.scene(episode.scan)
    return [scenes[scan] for scan in sorted(scenes)]


def _vocabulary(model: ModelChoice, episodes: list[Episode], root: Path | None) -> AnyVocabulary:
    if model.words == "sentences":
        return SentenceVocabulary()
    if model.words == "words":
        return WordVocabulary.build((each.instruction for each in episodes), least=model.least)
    if root is None:
        raise no_root("the vocabulary of word pieces")
    path = find_file(root / PIECES)
    if path is None:
        raise InputError(
            f"{root / PIECES}: there is no such file",
            expected="the public vocabulary of bert-base-uncased",
            fix='put it there, or write words = "words" under [model]',
        )
    return PieceVocabulary.read(path)


def _vectors(vocabulary: AnyVocabulary) -> Tensor:
    """(V, D): sentence embeddings of the words; zeros for marks, which are no words."""
    if not isinstance(vocabulary, WordVocabulary):
        raise InputError(
            "word pieces are no words, of which there could be sentence embeddings",
            expected='words = "words" where vectors = "minilm"',
            fix='write vectors = "random" under [model]',
        )
    words = [word for word in vocabulary.words if word not in MARKS]
    known = dict(zip(words, word_vectors(words), strict=True))
    return torch.from_numpy(np.stack([known.get(word, np.zeros(WIDTH)) for word in vocabulary.words])).float()


def _tours(experiment: Experiment, sets: list[Dataset], parts: list[list[Episode]]) -> tuple[Tensor, Tensor]:
    """Cut the tours of both data sets into pieces of equal length; what is left over is left out."""
    if experiment.data.mirror:
        raise InputError(
            "tours are not learned from in mirrored buildings",
            expected="data.mirror = false with the method `tours`",
            fix="leave data.mirror out",
        )
    if not experiment.data.tours:
        raise InputError(
            "learning along tours needs tours",
            expected="the file of tours, as `vlnscope build tours` writes it",
            fix="name it as data.tours",
        )
    train, held_out = (
        tour_pieces(read_tours(experiment.data.tours, split=dataset.split), part, experiment.learning.tour)
        for dataset, part in zip(sets, parts, strict=True)
    )
    return train, held_out


def tour_pieces(tours: Sequence[Tour], episodes: Sequence[Episode], size: int) -> Tensor:
    """(n, size): rows of the episodes of each piece of a tour.

    Raises:
        InputError: a tour names an episode that is not there, or none is long enough.
    """
    rows = {episode.episode_id: row for row, episode in enumerate(episodes)}
    pieces: list[list[int]] = []
    for tour in tours:
        if missing := [name for name in tour.episode_ids if name not in rows]:
            raise InputError(
                f"tour {tour.tour_id} of scan {tour.scan} names episode {missing[0]}, which is not there",
                expected="tours of the data set that is learned from",
                fix="name the tours that belong to the data set, and leave data.limit out",
            )
        walked = [rows[name] for name in tour.episode_ids]
        pieces += [walked[i : i + size] for i in range(0, len(walked) - size + 1, size)]
    if not pieces:
        raise InputError(f"no tour has {size} episodes", expected="longer tours", fix="lower learning.tour")
    return torch.tensor(pieces)
