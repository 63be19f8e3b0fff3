"""Data sets as Habitat's loops see them: lists of episodes, with the scenes that they take place in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset, names_dataset, open_dataset
from vlnscope.habitat.config.known import known
from vlnscope.habitat.config.node import Config
from vlnscope.habitat.coverage import NotCoveredError, PartlyCovered
from vlnscope.habitat.episodes import (
    HOUSES,
    MATTERPORT,
    EpisodeIterator,
    VLNEpisode,
    grouped_by_scene,
    habitat_episode,
)
from vlnscope.habitat.scenes import missing_scenes, scenes_in
from vlnscope.worlds.scene import Scenes

ALL = "*"
_OPTIONS = ("split", "data_path", "scenes_dir", "content_scenes", "episodes_allowed", "type", "metadata")
_RXR_OPTIONS = ("roles", "languages")


class InstructionVocabulary(NamedTuple):
    """The words of a file of episodes, by the numbers of their tokens."""

    word_list: tuple[str, ...]

    def get_size(self) -> int:
        """Return how many words there are."""
        return len(self.word_list)


class HabitatDataset(PartlyCovered, called="Dataset"):
    """Episodes that belong together.

    Args:
        source: the data set as vlnscope has it; without one there are no episodes.
        scenes_dir: Habitat's folder of scenes; where it holds the scenes of the episodes, these are taken.
        content_scenes: ids of the scenes whose episodes are kept; ``["*"]`` for all.
        episodes_allowed: ids of the episodes that are kept; ``["*"]`` for all.

    Attributes:
        episodes: all of them; loops may put a shorter list here.
    """

    def __init__(
        self,
        source: Dataset | None = None,
        scenes_dir: str = "",
        content_scenes: Iterable[str] = (ALL,),
        episodes_allowed: Iterable[Any] | None = (ALL,),
    ) -> None:
        self._source = source
        self._scenes_dir = scenes_dir
        self.episodes: list[VLNEpisode] = []
        if source is not None:
            self._fill(source, set(content_scenes), {str(name) for name in episodes_allowed or (ALL,)})

    def _fill(self, source: Dataset, scans: set[str], names: set[str]) -> None:
        home = MATTERPORT if source.files else HOUSES
        for episode in source.episodes():
            if (ALL in scans or episode.scan in scans) and (ALL in names or episode.episode_id in names):
                self.episodes.append(habitat_episode(episode, home))
        if not self.episodes:
            raise InputError(
                f"{source.name}: has no episode that is allowed in the scenes {', '.join(sorted(scans))}",
                expected="at least one episode",
                fix="choose others in dataset.content_scenes and dataset.episodes_allowed",
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
        if self._source is None:
            raise InputError(
                "the data set has no episodes",
                expected="the options of a data set",
                fix="give them: make_dataset(type, config=config.habitat.dataset)",
            )
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

    def get_splits(
        self,
        num_splits: int,
        episodes_per_split: int | None = None,
        remove_unused_episodes: bool = False,
        collate_scene_ids: bool = True,
        sort_by_episode_id: bool = False,
        allow_uneven_splits: bool = False,
    ) -> list[HabitatDataset]:
        """Return data sets with as many episodes each, no episode in two of them.

        Which episodes go where is random but always the same, so processes that take one split each share
        the work. It is not what Habitat draws.

        Args:
            num_splits: how many data sets.
            episodes_per_split: episodes of each; as many as possible if not given.
            remove_unused_episodes: whether this data set keeps only those episodes that are in a split.
            collate_scene_ids: whether episodes of a scene follow each other.
            sort_by_episode_id: whether the episodes of a split are sorted by id.
            allow_uneven_splits: whether the first splits take what is left over, one more each.

        Raises:
            InputError: there are not enough episodes.
        """
        sizes = split_sizes(self.num_episodes, num_splits, episodes_per_split, allow_uneven_splits)
        order = rng_for(0, "splits of episodes").permutation(self.num_episodes)[: sum(sizes)]
        drawn = [self.episodes[row] for row in order]
        if collate_scene_ids:
            drawn = grouped_by_scene(drawn)
        splits = []
        for end, size in zip(accumulate(sizes), sizes, strict=True):
            split = copy.copy(self)
            split.episodes = drawn[end - size : end]
            if sort_by_episode_id:
                split.episodes.sort(key=lambda episode: episode.episode_id)
            splits.append(split)
        if remove_unused_episodes:
            self.episodes = [episode for split in splits for episode in split.episodes]
        return splits

    @staticmethod
    def get_scenes_to_load(config: Mapping[str, Any]) -> list[str]:
        """Return the ids of the scenes that the options ``dataset`` of a configuration lead to, sorted."""
        return sorted({episode.source.scan for episode in dataset_of(config).episodes})

    def get_episode_iterator(self, *args: Any, **kwargs: Any) -> EpisodeIterator:
        """Return an `EpisodeIterator` of the episodes."""
        return EpisodeIterator(self.episodes, *args, **kwargs)

    @staticmethod
    def scene_from_scene_path(scene_path: str) -> str:
        """Return the id of a scene, given where it lies."""
        return Path(scene_path).stem


def split_sizes(episodes: int, splits: int, each: int | None, uneven: bool) -> list[int]:
    """Return how many episodes each of some splits gets; see `HabitatDataset.get_splits`.

    Example:
        >>> split_sizes(8, 3, None, False), split_sizes(8, 3, None, True), split_sizes(8, 3, 1, False)
        ([2, 2, 2], [3, 3, 2], [1, 1, 1])
    """
    most, over = divmod(episodes, splits)
    if not most or (each or 0) > most:
        raise InputError(
            f"{episodes} episodes were to be split into {splits} parts" + (f" of {each}" if each else ""),
            expected="enough episodes for every part",
            fix="ask for fewer",
        )
    more = over if uneven and each is None else 0
    return [(each or most) + (k < more) for k in range(splits)]


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
    return HabitatDataset(
        source,
        str(given.get("scenes_dir", "")),
        given.get("content_scenes", (ALL,)),
        given.get("episodes_allowed"),
    )


def make_dataset(id_dataset: str, *, config: Config | None = None, **options: Any) -> HabitatDataset:
    """Return the data set of a configuration's ``dataset``; without one, a data set without episodes.

    Args:
        id_dataset: its type.
        config: the options ``dataset``.
        options: none are covered.
    """
    if options:
        raise NotCoveredError(f"make_dataset({', '.join(options)}=…)", ["id_dataset", "config"])
    if id_dataset not in known()["only"]["dataset.type"]:
        raise NotCoveredError(f"a data set of type {id_dataset!r}", known()["only"]["dataset.type"])
    return HabitatDataset() if config is None else dataset_of(config)
