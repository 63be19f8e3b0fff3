"""Data sets as Habitat's loops see them: lists of episodes, with the scenes that they take place in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, names_dataset, open_dataset
from vlnscope.habitat.config.known import known
from vlnscope.habitat.config.node import Config
from vlnscope.habitat.coverage import NotCoveredError
from vlnscope.habitat.episodes import HOUSES, MATTERPORT, EpisodeIterator, VLNEpisode, habitat_episode
from vlnscope.habitat.scenes import missing_scenes, scenes_in
from vlnscope.worlds.scene import Scenes

ALL = "*"
_OPTIONS = ("split", "data_path", "scenes_dir", "content_scenes", "type", "metadata")
_RXR_OPTIONS = ("roles", "languages", "episodes_allowed")


class InstructionVocabulary(NamedTuple):
    """The words of a file of episodes, by the numbers of their tokens."""

    word_list: tuple[str, ...]

    def get_size(self) -> int:
        """Return how many words there are."""
        return len(self.word_list)


class HabitatDataset:
    """Episodes that belong together.

    Args:
        source: the data set as vlnscope has it.
        scenes_dir: Habitat's folder of scenes; where it holds the scenes of the episodes, these are taken.
        content_scenes: ids of the scenes whose episodes are kept; ``["*"]`` for all.

    Attributes:
        episodes: all of them; loops may put a shorter list here.
    """

    def __init__(self, source: Dataset, scenes_dir: str = "", content_scenes: Iterable[str] = (ALL,)) -> None:
        self._source = source
        self._scenes_dir = scenes_dir
        kept = set(content_scenes)
        wanted = (e for e in source.episodes() if ALL in kept or e.scan in kept)
        home = MATTERPORT if source.files else HOUSES
        self.episodes: list[VLNEpisode] = [habitat_episode(episode, home) for episode in wanted]
        if not self.episodes:
            raise InputError(
                f"{source.name}: has no episodes in the scenes {', '.join(sorted(kept))}",
                expected="at least one episode",
                fix="choose other scenes in dataset.content_scenes",
            )

    @property
    def num_episodes(self) -> int:
        """How many episodes there are."""
        return len(self.episodes)

    @property
    def scene_ids(self) -> list[str]:
        """Where the scenes of the episodes lie, sorted."""
        return sorted({episode.scene_id for episode in self.episodes})

    @cached_property
    def scenes(self) -> Scenes:
        """The scenes: from the folder of scenes if it has them, else as the data set knows them."""
        first = self.episodes[0]
        scenes = None
        if self._scenes_dir and Path(self._scenes_dir).is_dir():
            scenes = scenes_in(Path(self._scenes_dir), first.scene_id, first.source.scan)
        scenes = scenes or self._source.scenes
        if scenes is None:
            raise missing_scenes(self._source.name, self._scenes_dir)
        return scenes

    @property
    def instruction_vocab(self) -> InstructionVocabulary:
        """The words of the file, by the numbers of their tokens; none if the file has no vocabulary."""
        file = self.episodes[0].source.extra.get("file", {})
        return InstructionVocabulary(tuple(file.get("instruction_vocab", {}).get("word_list", ())))

    def get_scene_episodes(self, scene_id: str) -> list[VLNEpisode]:
        """Return the episodes of a scene."""
        return [episode for episode in self.episodes if episode.scene_id == scene_id]

    def get_episodes(self, indexes: Iterable[int]) -> list[VLNEpisode]:
        """Return some episodes by their place."""
        return [self.episodes[index] for index in indexes]

    def filter_episodes(self, filter_fn: Callable[[VLNEpisode], bool]) -> HabitatDataset:
        """Return the data set with those episodes alone of which the function says so."""
        kept = copy.copy(self)
        kept.episodes = [episode for episode in self.episodes if filter_fn(episode)]
        return kept

    def get_episode_iterator(self, *args: Any, **kwargs: Any) -> EpisodeIterator:
        """Return an `EpisodeIterator` of the episodes."""
        return EpisodeIterator(self.episodes, *args, **kwargs)

    @staticmethod
    def scene_from_scene_path(scene_path: str) -> str:
        """Return the id of a scene, given where it lies."""
        return Path(scene_path).stem


def dataset_of(options: Mapping[str, Any]) -> HabitatDataset:
    """Return the data set that the options ``dataset`` of a configuration describe.

    ``data_path`` is a file in VLN-CE's format or a data set of vlnscope such as ``houses-ce/{split}``;
    ``{split}`` stands for the split.

    Raises:
        NotCoveredError: an option is not covered.
    """
    given = {str(name).lower(): value for name, value in options.items()}
    for name in given:
        if name not in (*_OPTIONS, *_RXR_OPTIONS):
            raise NotCoveredError(f"the option dataset.{name}", _OPTIONS)
    for name in _RXR_OPTIONS:
        if list(given.get(name) or [ALL]) != [ALL]:
            raise NotCoveredError(f"dataset.{name} = {given[name]!r}", "all of them: ['*']")
    split = str(given.get("split", ""))
    path = str(given["data_path"]).replace("{split}", split)
    source = open_dataset(path) if names_dataset(path) else open_dataset(Path(path))
    return HabitatDataset(source, str(given.get("scenes_dir", "")), given.get("content_scenes", (ALL,)))


def make_dataset(id_dataset: str, *, config: Config, **options: Any) -> HabitatDataset:
    """Return the data set of a configuration's ``dataset``; `id_dataset` names its type."""
    if options:
        raise NotCoveredError(f"make_dataset({', '.join(options)}=…)", ["id_dataset", "config"])
    if id_dataset not in known()["only"]["dataset.type"]:
        raise NotCoveredError(f"a data set of type {id_dataset!r}", known()["only"]["dataset.type"])
    return dataset_of(config)
