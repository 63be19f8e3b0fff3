"""From an experiment to walks in memory: opens data, collects what is missing, reads instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.cma.batches import EpisodeBatch, WalkedEpisode, batch_of
from vlnscope.agents.learned.cma.config import PolicyConfig
from vlnscope.agents.learned.cma.map_cma import MapCma
from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.agents.learned.network import class_named
from vlnscope.agents.learned.tensors import tokens_of
from vlnscope.agents.learned.vocabulary import AnyVocabulary
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import digest
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.training.preparation import episodes_of, vocabulary_for
from vlnscope.training.space.collection import collect
from vlnscope.training.space.experiment import SpaceExperiment
from vlnscope.training.space.walks import HouseWalks, unpacked_map
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode
from vlnscope.worlds.scene import Scenes

LEARNERS: dict[str, type[ContinuousPolicy]] = {MapCma.name: MapCma}
"""What learns from stored walks, which hold depth and maps, and no colours."""


class ToldWalk(NamedTuple):
    """A walk through a house, and what was said of it.

    Attributes:
        house: the walks of the house.
        number: which of them.
        texts: ids of the words of its instructions.
    """

    house: HouseWalks
    number: int
    texts: tuple[Tensor, ...]

    def walked(self) -> WalkedEpisode:
        """Return the walk with the first of its instructions."""
        house, rows = self.house, slice(*self.house.starts[self.number : self.number + 2].tolist())
        shown = unpacked_map(house.cells[rows])
        sights = Sights(
            depth=torch.from_numpy(house.depth[rows].astype(np.float32) / 255)[..., None],
            occupancy=torch.from_numpy(shown.occupancy),
            semantic=torch.from_numpy(shown.classes),
        )
        previous, actions = (
            torch.from_numpy(part[rows].astype(np.int64)) for part in (house.previous, house.actions)
        )
        return WalkedEpisode(self.texts[0], sights, previous, actions, torch.from_numpy(house.progress[rows]))


class WalkTask(NamedTuple):
    """What is to be learned, in memory.

    Attributes:
        experiment: what was asked.
        config: sizes of the model.
        vocabulary: of the instructions.
        train: walks to learn from.
        held: walks to choose weights by.
        digest: of the data.
        stores: of the files of walks.
        scenes: the houses.
        episodes: those that are learned from, by house.
    """

    experiment: SpaceExperiment
    config: PolicyConfig
    vocabulary: AnyVocabulary
    train: tuple[ToldWalk, ...]
    held: tuple[ToldWalk, ...]
    digest: str
    stores: str
    scenes: Scenes
    episodes: Mapping[str, Sequence[Episode]]

    def batch(self, walks: Sequence[ToldWalk]) -> EpisodeBatch:
        """Put walks side by side, one for each instruction."""
        batch = batch_of(
            [walk.walked() for walk in walks],
            padding_runs_on=self.config.padding_runs_on,
            inflection=self.experiment.learning.inflection,
        )
        return batch.told([walk.texts for walk in walks])


def prepare_walks(
    experiment: SpaceExperiment, root: str | Path | None = None, watch: TrainingWatch | None = None
) -> WalkTask:
    """Lay out what an experiment learns from.

    Raises:
        InputError: data or sizes cannot be used, or stored walks are damaged.
    """
    watch, choice, folder = watch or TrainingWatch(), experiment.data, data_root(root)
    kind = class_named(experiment.model.name, LEARNERS)
    dataset = open_dataset(choice.train, folder)
    episodes = episodes_of(dataset, 0, watch)
    scenes = dataset.scenes
    houses = list(dict.fromkeys(episode.scan for episode in episodes))
    if scenes is None or not dataset.continuous or len(houses) <= choice.held:
        raise InputError(
            f"{choice.train}: has {len(houses)} scenes, {'' if dataset.continuous else 'not '}in space",
            expected=f"episodes in continuous space, in more scenes than the {choice.held} that are held out",
            fix="name such data, for example houses-ce/train, or lower data.held",
        )
    files = collect(scenes, episodes, choice, experiment.seed, watch)
    held = set(houses[-choice.held :])
    learned = [episode for episode in episodes if episode.scan not in held]
    watch.phase("making the vocabulary")
    vocabulary = vocabulary_for(experiment.model, learned, folder)
    sizes = {**experiment.model.sizes, "vocabulary": vocabulary.size}
    config = kind.Config.preset(experiment.model.preset, **sizes)
    watch.phase("reading walks of houses", len(files))
    told: dict[str, list[ToldWalk]] = {}
    for done, (house, file) in enumerate(files.items(), 1):
        own = [episode for episode in episodes if episode.scan == house]
        told[house] = told_walks(HouseWalks.read(file), own, vocabulary, config.max_tokens)
        watch.at(done)
    train, held_out = (
        tuple(walk for house in houses if (house in held) is out for walk in told[house])
        for out in (False, True)
    )
    stores = digest("\n".join(file.name for file in files.values()).encode())
    by_house = {
        house: [episode for episode in learned if episode.scan == house]
        for house in houses
        if house not in held
    }
    return WalkTask(
        experiment, config, vocabulary, train, held_out, dataset.digest(), stores, scenes, by_house
    )


def told_walks(
    house: HouseWalks, episodes: Sequence[Episode], vocabulary: AnyVocabulary, longest: int
) -> list[ToldWalk]:
    """Return the walks of a house with the instructions of the paths that they follow."""
    return _told(house, [(episode.path_id, episode) for episode in episodes], vocabulary, longest)


def told_episodes(
    house: HouseWalks, episodes: Sequence[Episode], vocabulary: AnyVocabulary, longest: int
) -> list[ToldWalk]:
    """Return the walks of a house that an agent made, each with the instruction that it was told."""
    return _told(house, [(episode.episode_id, episode) for episode in episodes], vocabulary, longest)


def _told(
    house: HouseWalks, named: Sequence[tuple[str, Episode]], vocabulary: AnyVocabulary, longest: int
) -> list[ToldWalk]:
    texts: dict[str, list[Tensor]] = {}
    for name, episode in named:
        tokens, _ = tokens_of([episode.instruction], vocabulary, longest)
        texts.setdefault(name, []).append(tokens[0])
    return [ToldWalk(house, number, tuple(texts[str(name)])) for number, name in enumerate(house.names)]
