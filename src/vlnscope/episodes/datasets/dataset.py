"""Data sets by name: ``r2r/val_unseen``, ``houses/val_seen``, ``sample/demo``, or the path of a file.

A name is ``NAME/SPLIT``. NAME is registered (kind ``dataset``) with a `DatasetSpec`, which says which splits
there are and opens one. Data that users hold lies under a *root* folder, given as an argument or by the
environment variable ``VLNSCOPE_DATA``; ``files.toml`` says where in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

import msgspec

from vlnscope.core import registry
from vlnscope.core.data_root import data_root, no_root, scenes_folder
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.files import file_digest
from vlnscope.episodes.datasets.ground_truth import ground_truth_beside, read_with_ground_truth
from vlnscope.episodes.format import Format, OnProblem, refuse
from vlnscope.episodes.reading import sniff
from vlnscope.types import Episode
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.mesh_scenes import USUAL, MeshScenes
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.world import MATTERPORT, scenes_of, world_of

_LOOKED_AT = 30
_FILE_ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


class Preparation(NamedTuple):
    """What has to be made before episodes can be had: how many parts, and the work, which yields each."""

    parts: int
    work: Iterator[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Dataset:
    """Episodes that belong together, and the scenes they take place in.

    Attributes:
        name: as users write it: ``NAME/SPLIT``, or the name of a file.
        split: the SPLIT; empty for a file.
        format: name of the format of the episodes' file; empty if there is no file.
        files: the files that it is made of, the episodes' first.
        load: yields the episodes.
        load_scenes: makes the scenes; None if the episodes lie in continuous space only.
        one_node_hides_goal: whether paths of one node mean that the reference is kept secret.
        prepare: starts making episodes that are made and not read; `episodes` does so too, but unseen.
        continuous: whether agents walk in continuous space, so that predictions are positions.
        agent: whom the ground is baked for, where scenes are the user's own.
        profile: whose conventions it is scored by unless another profile is named.
    """

    name: str
    split: str
    format: str
    files: tuple[Path, ...]
    load: Callable[[OnProblem], Iterator[Episode]]
    load_scenes: Callable[[], Scenes] | None
    one_node_hides_goal: bool = True
    prepare: Callable[[], Preparation] | None = None
    continuous: bool = False
    agent: NavMeshSettings = USUAL
    profile: str = "default"

    @property
    def path(self) -> Path | None:
        """The file that holds the episodes; None if they are made and not read."""
        return self.files[0] if self.files else None

    @property
    def address(self) -> str:
        """What `open_dataset` opens it by again: its name, or where its file is."""
        return self.name if self.split or self.path is None else str(self.path.resolve())

    def episodes(self, on_problem: OnProblem = refuse) -> Iterator[Episode]:
        """Yield the episodes; each call starts anew and holds only a part of the file in memory."""
        return self.load(on_problem)

    @cached_property
    def scenes(self) -> Scenes | None:
        """The scenes, opened when first asked for; None if episodes lie in continuous space only."""
        return self.load_scenes() if self.load_scenes else None

    @cached_property
    def is_test(self) -> bool:
        """Is the reference kept secret? So it is if only the start of each path is known."""
        seen = list(islice(self.episodes(), _LOOKED_AT))
        return bool(seen) and all(self._is_secret(episode) for episode in seen)

    def digest(self) -> str:
        """Return the SHA-256 of the file, over those of several, or of the episodes if there is none."""
        if not self.files:
            return _digest_of(self.episodes())
        parts = [file_digest(path) for path in self.files]
        return parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()

    def _is_secret(self, episode: Episode) -> bool:
        if episode.continuous is not None:
            return not episode.continuous.goals
        return self.one_node_hides_goal and len(episode.path) == 1


def _digest_of(episodes: Iterator[Episode]) -> str:
    state = hashlib.sha256()
    for episode in episodes:
        state.update(msgspec.json.encode(episode) + b"\n")
    return state.hexdigest()


@dataclass(frozen=True, kw_only=True)
class DatasetSpec:
    """What is registered under the NAME of ``NAME/SPLIT``: how to open its splits, and what others ask of it.

    Attributes:
        name: the NAME.
        title: one line for `vlnscope ls datasets`.
        splits: returns, given the data folder, the splits there, each with its file if it has one.
        open: opens a split, given the data folder; an unknown split is an error that says which there are.
        world: the world that its scenes come from; empty if episodes have positions only.
        aligned: the data set with the same episodes whose words are aligned with their paths; empty if it
            is this one, or if there is none.
        quick: what a quick diagnosis adds to a split that does not say how much of it is wanted.
        format: of its files, if it has files.
        profile: whose conventions it is scored by unless another profile is named; a file of the same format
            that is given by its path is scored by them too.
    """

    name: str
    title: str
    splits: Callable[[Path | None], Mapping[str, Path | None]]
    open: Callable[[str, Path | None], Dataset]
    world: str = MATTERPORT
    aligned: str = ""
    quick: str = ""
    format: str = ""
    profile: str = "default"


class DatasetSummary(NamedTuple):
    """What can be opened of one data set: its name, what it is, and its splits with their files."""

    name: str
    title: str
    splits: Mapping[str, Path | None]


def register_dataset(spec: DatasetSpec) -> DatasetSpec:
    """Make a data set known under its name."""
    return registry.register("dataset", spec.name, spec)


def spec_of_dataset(name: str) -> DatasetSpec | None:
    """Return what is registered under the NAME of ``NAME/SPLIT``; None if `name` is something else."""
    head, slash, split = name.partition("/")
    known = bool(slash and split) and registry.has("dataset", head)
    return cast(DatasetSpec, registry.get("dataset", head)) if known else None


def open_dataset(
    name: str | Path,
    root: str | Path | None = None,
    *,
    positions: str = "connectivity",
    scenes: str | Path | None = None,
) -> Dataset:
    """Open a data set.

    Args:
        name: ``NAME/SPLIT``, or the path of a file with episodes, whose format is recognised.
        root: the folder with the user's data; without it ``$VLNSCOPE_DATA``. Scenes come from there too.
        positions: where Matterport viewpoints lie: ``connectivity`` poses, or ``house`` files, as Google's
            tools have it (DIFF-1 of the protocols; distances differ by centimetres). Built-in houses have
            one place for each.
        scenes: the folder with meshes of scenes in continuous space, see `scenes_folder`.

    Raises:
        UnknownNameError: there is no data set NAME.
        DataNotFoundError: the root, the split or the file is not there.
    """
    dataset = _in_scenes(_open(name, data_root(root)), data_root(root), scenes)
    if positions == "connectivity" or not dataset.files:
        return dataset
    if positions != "house":
        raise UnknownNameError("source of positions", positions, ("connectivity", "house"))
    by_house = partial(MatterportScenes, _folder(root), positions="house")
    return replace(dataset, load_scenes=by_house if dataset.load_scenes else None)


def names_dataset(text: str) -> bool:
    """Return whether a text is ``NAME/SPLIT`` of a data set that is known, and no file is called so.

    Example:
        >>> names_dataset("houses/val_unseen"), names_dataset("preds.json")
        (True, False)
    """
    return not Path(text).is_file() and spec_of_dataset(text) is not None


def aligned_data(data: str) -> str:
    """Return the data set with the same episodes whose words are aligned with their paths, if there is one.

    Example:
        >>> aligned_data("r2r/val_seen"), aligned_data("houses/val_unseen")
        ('fgr2r/val_seen', 'houses/val_unseen')
    """
    spec = spec_of_dataset(data)
    return f"{spec.aligned}/{data.partition('/')[2]}" if spec and spec.aligned else data


def _in_scenes(dataset: Dataset, root: Path | None, scenes: str | Path | None) -> Dataset:
    """Let the episodes of a file in continuous space take place in the scenes that the user has.

    Where scenes can be made from their ids, as houses can, only a folder that is named counts.
    """
    made = dataset.load_scenes is not None
    if not dataset.continuous or (made and (scenes is None or not dataset.files)):
        return dataset
    folder = scenes_folder(scenes, root)
    if folder is None:
        return dataset
    return replace(dataset, load_scenes=partial(MeshScenes, folder, root, dataset.agent))


def _folder(root: str | Path | None) -> Path:
    folder = data_root(root)
    if folder is None:
        raise no_root("the .house files")
    return folder


def _open(name: str | Path, folder: Path | None) -> Dataset:
    path = Path(name)
    if isinstance(name, Path) or path.is_file() or str(name).endswith(_FILE_ENDINGS):
        return _open_file(path, folder)
    head, _, split = name.partition("/")
    spec = cast(DatasetSpec, registry.get("dataset", head))
    if not split:
        raise InputError(
            f"data set {head!r}: which split?",
            expected=f"{head}/SPLIT with one of {', '.join(spec.splits(folder)) or 'no split found'}",
            fix=f"write {head}/SPLIT; `vlnscope ls datasets` shows what there is",
        )
    return spec.open(split, folder)


def describe_root(root: str | Path | None = None) -> list[DatasetSummary]:
    """Return what can be opened, by data set, leaving out those without a split."""
    folder = data_root(root)
    specs = cast(dict[str, DatasetSpec], registry.everything("dataset"))
    summaries = (DatasetSummary(s.name, s.title, s.splits(folder)) for s in specs.values())
    return [summary for summary in summaries if summary.splits]


def _open_file(path: Path, root: Path | None) -> Dataset:
    fmt = sniff(path, "episodes")
    continuous = "path" not in fmt.carries
    truths = ground_truth_beside(path) if continuous else ()
    no_scenes = continuous and _in_files(fmt, path)
    return Dataset(
        name=path.name,
        split="",
        format=fmt.name,
        files=(path, *truths),
        load=partial(read_with_ground_truth, fmt.name, path, truths),
        load_scenes=None if no_scenes else partial(_scenes_of_file, fmt, path, root),
        one_node_hides_goal=fmt.name != "navnuances-episodes",
        continuous=continuous,
        profile=_profile_of_format(fmt.name),
    )


def _profile_of_format(name: str) -> str:
    specs = cast(dict[str, DatasetSpec], registry.everything("dataset")).values()
    return next((spec.profile for spec in specs if spec.format == name), "default")


def _scans(fmt: Format, path: Path) -> Iterator[str]:
    return (episode.scan for episode in fmt.read(path, lambda problem: None))


def _in_files(fmt: Format, path: Path) -> bool:
    """Return whether the scenes of a file lie in files, and are not made from their ids."""
    return world_of(next(_scans(fmt, path), "")).name == MATTERPORT


def _scenes_of_file(fmt: Format, path: Path, root: Path | None) -> Scenes:
    return scenes_of(_scans(fmt, path), root)
