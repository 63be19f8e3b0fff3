"""From an experiment to arrays: opens data sets and features, makes the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import Loaded, load_network
from vlnscope.agents.learned.model import ModelConfig, network_class
from vlnscope.agents.learned.network import Network
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
from vlnscope.perception.features.grids import GridFeatures, grid_features_of
from vlnscope.perception.features.minilm import WIDTH, word_vectors
from vlnscope.training.arrays import EpisodeArrays, SceneArrays
from vlnscope.training.experiment import Experiment, ModelChoice
from vlnscope.training.loop import TrainingTask
from vlnscope.training.mirroring import mirrored_episode, mirrored_graph
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode, Tour
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

MARKS = (PAD, UNK, EOS, BOS)
PIECES = "bert/bert-base-uncased-vocab.txt"


def prepare(
    experiment: Experiment,
    root: str | Path | None = None,
    features: Features | None = None,
    *,
    device: str = "cpu",
    watch: TrainingWatch | None = None,
) -> TrainingTask:
    """Lay out what an experiment learns from, on the CPU.

    Args:
        experiment: what is asked.
        root: the data folder.
        features: used instead of those that the experiment names.
        device: where vectors are made of words, if the experiment asks for such.
        watch: is told how it goes.

    Raises:
        InputError: data, features or sizes cannot be used.
    """
    watch = watch or TrainingWatch()
    begin = load_network(experiment.model.begin, experiment.model.name) if experiment.model.begin else None
    folder = data_root(root)
    sets, parts = _opened(experiment, folder, watch)
    features = features or features_of(f"features:{experiment.data.features}", folder)
    named = experiment.data.grid
    grids = grid_features_of(f"grid:{named}", folder) if named else None
    scenes = _scenes(sets, parts, watch)
    world = SceneArrays.of(scenes, features, mirror=experiment.data.mirror, grids=grids, watch=watch)
    watch.phase("making the vocabulary")
    learned, held = [*parts[0], *chain.from_iterable(parts[2:])], parts[1]
    vocabulary = begin.vocabulary if begin else vocabulary_for(experiment.model, learned, folder)
    config = _config(experiment, vocabulary, features, grids)
    laid = partial(
        EpisodeArrays.of,
        world=world,
        vocabulary=vocabulary,
        longest=config.max_tokens,
        device=device,
        watch=watch,
    )
    train, held_out = map(laid, (learned, held))
    if experiment.data.mirror:
        again = [mirrored_episode(each) for each in learned]
        train = train.with_others(laid(again))
    watch.phase("taking a digest of the data")
    data = _digest(experiment, sets, world.graphs, begin)
    vectors = _vectors(vocabulary) if experiment.model.vectors == "minilm" else None
    tours = _tours(experiment, sets[:2], parts[:2]) if experiment.learning.method == "tours" else (None, None)
    task = TrainingTask(experiment, config, vocabulary, world, train, held_out, data, vectors, *tours)
    return task._replace(weights=begin.model.state_dict()) if begin else task


def _config(
    experiment: Experiment, vocabulary: AnyVocabulary, features: Features, grids: GridFeatures | None
) -> ModelConfig:
    """Return the sizes of the model; two or three of them the data decide."""
    choice, kind = experiment.model, network_class(experiment.model.name)
    if fixed := {"vocabulary", "image_size", "patch_size"} & choice.sizes.keys():
        raise InputError(
            f"{' and '.join(sorted(fixed))} in [model.sizes] cannot be chosen",
            expected="other sizes: these are those of the vocabulary and of the features",
            fix='leave them out; `features = "NAME@WIDTH"` takes some columns of features',
        )
    check_kind(vocabulary, kind.Config, choice.name)
    sizes = {**choice.sizes, "vocabulary": vocabulary.size, "image_size": features.width}
    config = kind.Config.preset(choice.preset, **sizes, **({"patch_size": grids.width} if grids else {}))
    if config.patch_width and not grids:
        raise InputError(
            f"the model {choice.name!r} looks at grid features, and none are named",
            expected="features and depths of patches",
            fix='add grid = "NAME" under [data]',
        )
    return config


def data_digest(experiment: Experiment, root: str | Path | None = None) -> str:
    """Return the digest of what an experiment learns from and begins with, as `prepare` notes it.

    Features do not count: they are not opened.

    Raises:
        InputError: data cannot be used.
    """
    sets, parts = _opened(experiment, data_root(root), TrainingWatch())
    graphs = [scene.graph for scene in _scenes(sets, parts, TrainingWatch())]
    graphs += [mirrored_graph(graph) for graph in graphs] if experiment.data.mirror else []
    begin = load_network(experiment.model.begin, experiment.model.name) if experiment.model.begin else None
    return _digest(experiment, sets, graphs, begin)


def _digest(
    experiment: Experiment, sets: list[Dataset], graphs: Sequence[NavGraph], begin: Loaded[Network] | None
) -> str:
    graph_digests = "\n".join([graph.digest for graph in graphs] + ([begin.digest] if begin else []))
    tours = experiment.data.tours if experiment.learning.method == "tours" else ""
    order = [read_bytes(tours)] if tours else []
    return digest(*(each.digest().encode() for each in sets), graph_digests.encode(), *order)


def _opened(
    experiment: Experiment, root: Path | None, watch: TrainingWatch
) -> tuple[list[Dataset], list[list[Episode]]]:
    """Open what is learned from, what weights are chosen on, and what is learned from besides."""
    data = experiment.data
    sets = [open_dataset(name, root) for name in (data.train, data.validate, *data.more)]
    return sets, [episodes_of(each, data.limit, watch) for each in sets]


def episodes_of(dataset: Dataset, limit: int, watch: TrainingWatch) -> list[Episode]:
    """Return what is learned from of a data set; all of it if the limit is 0.

    Raises:
        InputError: its references are secret.
    """
    if dataset.prepare is not None:
        parts, work = dataset.prepare()
        if parts:
            watch.phase(f"making episodes of {dataset.name}", parts)
        for done, _ in enumerate(work, 1):
            watch.at(done)
    watch.phase(f"reading {dataset.name}")
    if dataset.is_test:
        raise InputError(
            f"{dataset.name}: keeps its references secret",
            expected="a data set with references",
            fix="learn from `train`, and choose weights on `val_seen`",
        )
    return list(islice(dataset.episodes(), limit or None))


def _scenes(sets: list[Dataset], parts: list[list[Episode]], watch: TrainingWatch) -> list[Scene]:
    scenes: dict[str, Scene] = {}
    watch.phase("reading scenes", len({episode.scan for part in parts for episode in part}))
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
                watch.at(len(scenes))
    return [scenes[scan] for scan in sorted(scenes)]


def vocabulary_for(model: ModelChoice, episodes: Sequence[Episode], root: Path | None) -> AnyVocabulary:
    """Return the vocabulary of a model that learns from some episodes.

    Raises:
        InputError: it is that of word pieces, and its file is not there.
    """
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
