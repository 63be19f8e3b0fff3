"""The episodes of exported houses, in files that Habitat's VLN data sets read.

``SPLIT/SPLIT.json.gz`` has the episodes and ``SPLIT/SPLIT_gt.json.gz`` the walks of the expert, as VLN-CE has
them; scenes are named as `worlds.habitat_files` writes them. Habitat asks for a vocabulary. Ours has no
words, since agents bring the vocabulary that they were trained with: instructions have a text and no tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole
from vlnscope.episodes.datasets.ground_truth import write_ground_truth
from vlnscope.episodes.datasets.house_episodes import HousePart
from vlnscope.episodes.datasets.houses import MadeEpisodes
from vlnscope.episodes.datasets.houses_ce import EpisodesInSpace
from vlnscope.episodes.format import refuse
from vlnscope.episodes.formats.vlnce import CODEC, FILE, continuous_record
from vlnscope.episodes.reading import sniff
from vlnscope.episodes.records import Record
from vlnscope.types import Episode
from vlnscope.worlds.habitat_files import exported_houses, scene_id, write_dataset_config
from vlnscope.worlds.houses.splits import SPLITS, is_house, seed_of

_VOCABULARY: Record = {"instruction_vocab": {"word_list": ["<pad>", "<unk>"]}}


def episodes_file(out: str | Path, split: str) -> Path:
    """Return where the episodes of a split lie in an exported folder."""
    return Path(out) / split / f"{split}.json.gz"


def check_episodes_file(out: str | Path, split: str) -> None:
    """Refuse to replace episodes that are not those of houses, such as R2R-CE's own.

    Raises:
        InputError: there is such a file.
    """
    path = episodes_file(out, split)
    if not path.exists():
        return
    first = None
    if sniff(path, "episodes").name == CODEC.name:
        first = next(CODEC.read(path, refuse), None)
    if first is None or not is_house(first.scan):
        raise InputError(
            f"{path}: has other episodes than those of houses, and would be overwritten",
            expected="a folder without such a file, or one that houses were exported to",
            fix="name another folder",
        )


def write_habitat_index(out: str | Path, splits: Sequence[str]) -> tuple[Path, ...]:
    """Write what belongs to all houses of an exported folder: its configuration, and the episodes of splits.

    Args:
        out: the folder; its houses are those that `write_habitat_scene` completed.
        splits: names of splits, in each of which the folder has a house.

    Raises:
        InputError: other episodes lie where these are to be written.
    """
    houses = exported_houses(out)
    files = [write_dataset_config(out)]
    for split in splits:
        seeds = range(SPLITS[split].first, SPLITS[split].end)
        files += write_habitat_episodes([house for house in houses if seed_of(house) in seeds], split, out)
    return tuple(files)


def write_habitat_episodes(houses: Sequence[str], split: str, out: str | Path) -> tuple[Path, Path]:
    """Write the episodes of some houses and the walks of their expert, and return both files.

    Args:
        houses: names of houses of the split.
        split: decides which paths are taken: ``val_seen`` has those that ``train`` has not.
        out: the folder that the houses are exported to.

    Raises:
        InputError: other episodes lie where these are to be written.
    """
    path = episodes_file(out, split)
    check_episodes_file(out, split)
    made = MadeEpisodes(houses, HousePart("r2r", split == "val_seen"))
    episodes = [_plain(episode) for episode in EpisodesInSpace(made).load(refuse)]
    episodes[:1] = [msgspec.structs.replace(episode, extra={FILE: _VOCABULARY}) for episode in episodes[:1]]
    walks = path.with_name(f"{split}_gt.json.gz")
    with write_whole(path) as stream:
        replace(CODEC, build=_record).write(episodes, stream)
    with write_whole(walks) as stream:
        write_ground_truth(episodes, stream)
    return path, walks


def _plain(episode: Episode) -> Episode:
    """Return an episode without what VLN-CE's records have no place for."""
    kept = ("episode_id", "path_id", "scan", "instruction", "continuous")
    return Episode(**{name: getattr(episode, name) for name in kept})


def _record(episodes: Sequence[Episode]) -> Record:
    return continuous_record(episodes[0]) | {"scene_id": scene_id(episodes[0].scan)}
