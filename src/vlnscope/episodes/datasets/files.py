"""The data sets that users hold as files, and where in a data folder each is looked for.

Their table is files.toml. A data folder is laid out as ``r2r/``, ``rxr/``, ``reverie/``, …, beside
``connectivity/``; the layouts that the original downloads unpack to are found as well. Any file may be gzip,
with ``.gz`` appended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from vlnscope.core.data_root import no_root
from vlnscope.core.exceptions import DataNotFoundError, UnknownNameError
from vlnscope.core.files import find_file
from vlnscope.core.toml_file import packaged_toml
from vlnscope.episodes.datasets.dataset import Dataset, DatasetSpec, register_dataset
from vlnscope.episodes.datasets.ground_truth import read_with_ground_truth
from vlnscope.episodes.format import OnProblem, get_format, refuse
from vlnscope.episodes.formats.rxr import follow
from vlnscope.types import Episode
from vlnscope.worlds.builtin.matterport import open_folder
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.mesh_scenes import USUAL
from vlnscope.worlds.world import MATTERPORT

_PACKAGE = Path(__file__).resolve().parents[2]
Reader = Callable[[str, Path, Sequence[Path], OnProblem], Iterator[Episode]]


@dataclass(frozen=True, kw_only=True)
class FileDataset:
    """A data set with one file per split.

    Attributes:
        name: as in ``NAME/SPLIT``.
        title: one line for `vlnscope ls datasets`.
        format: format of its files.
        folders: where its files may lie under the root, the usual place first.
        pattern: path of a split's file in such a folder, with ``{split}`` in it.
        companions: paths of further files of a split, which may be missing.
        reader: how episodes are read from the file and its companions: see `READERS`.
        continuous: whether episodes have positions only, so that no navigation graph belongs to them.
        not_splits: what the pattern finds though it is something else.
        one_node_hides_goal: see `Dataset`.
        home: the folder inside of vlnscope, or any other, that its files lie in if they need no root.
        aligned: see `DatasetSpec`.
        agent: settings of navigation meshes that differ from Habitat's.
        profile: see `DatasetSpec`.
    """

    name: str
    title: str
    format: str
    folders: tuple[str, ...]
    pattern: str
    companions: tuple[str, ...] = ()
    reader: str = "plain"
    continuous: bool = False
    not_splits: frozenset[str] = frozenset()
    one_node_hides_goal: bool = True
    home: str = ""
    aligned: str = ""
    agent: NavMeshSettings = USUAL
    profile: str = "default"

    def spec(self) -> DatasetSpec:
        """Return what is registered."""
        return DatasetSpec(
            name=self.name,
            title=self.title,
            splits=self.splits,
            open=self.open,
            world="" if self.continuous else MATTERPORT,
            aligned=self.aligned,
            format=self.format,
            profile=self.profile,
        )

    def files(self, root: Path, split: str) -> list[Path]:
        """Return the places where a split's file is looked for (each also with ``.gz``)."""
        return [root / folder / self.pattern.replace("{split}", split) for folder in self.folders]

    def splits(self, root: Path | None) -> dict[str, Path | None]:
        """Return the splits whose file lies under the root."""
        base = self._base(root)
        files: dict[str, Path | None] = {}
        if base is None:
            return files
        for folder in self.folders:
            for split in sorted(self._splits_in(base / folder)):
                if split not in self.not_splits:
                    files.setdefault(split, find_file(*self.files(base, split)))
        return files

    def open(self, split: str, root: Path | None) -> Dataset:
        """Open a split.

        Raises:
            DataNotFoundError: no root is named, or the split has no file under it.
        """
        base = self._base(root)
        if base is None:
            raise no_root(f"data set {self.name!r}")
        path = find_file(*self.files(base, split))
        if path is None:
            raise self._no_split(split, base)
        companions = self._companions(path, split)
        return Dataset(
            name=f"{self.name}/{split}",
            split=split,
            format=self.format,
            files=(path, *companions),
            load=partial(READERS[self.reader], self.format, path, companions),
            load_scenes=None if self.continuous else partial(open_folder, base),
            one_node_hides_goal=self.one_node_hides_goal,
            continuous=self.continuous,
            agent=self.agent,
            profile=self.profile,
        )

    def _base(self, root: Path | None) -> Path | None:
        return _PACKAGE / self.home if self.home else root

    def _splits_in(self, folder: Path) -> Iterator[str]:
        named = re.escape(self.pattern).replace(re.escape("{split}"), "(?P<split>[^/]+)", 1)
        form = re.compile(named.replace(re.escape("{split}"), "(?P=split)") + r"(\.gz)?")
        for path in folder.glob(self.pattern.replace("{split}", "*") + "*"):
            if match := form.fullmatch(path.relative_to(folder).as_posix()):
                yield match["split"]

    def _companions(self, path: Path, split: str) -> tuple[Path, ...]:
        folder = path.parents[self.pattern.count("/")]
        paths = (find_file(folder / name.replace("{split}", split)) for name in self.companions)
        return tuple(companion for companion in paths if companion)

    def _no_split(self, split: str, root: Path) -> DataNotFoundError:
        there = self.splits(root)
        usual = self.files(root, split)[0]
        if not there:
            return DataNotFoundError(
                f"data set {self.name!r} is not in {root}",
                expected=f"a file such as {usual} (.gz may be appended)",
                fix="put it there, or name another folder with --root DIR",
            )
        return DataNotFoundError(
            UnknownNameError(f"split of data set {self.name!r}", split, there).what,
            expected=f"one of {', '.join(there)}",
            fix="name one of these" + ("" if self.home else f", or add {usual} (.gz may be appended)"),
        )


def read_followers(name: str, path: Path, guides: Sequence[Path], on_problem: OnProblem) -> Iterator[Episode]:
    """Yield the episodes of an RxR follower file, with text and scene from the guide file."""
    if not guides:
        raise DataNotFoundError(
            f"{path}: the guide file of the same split is missing",
            expected=f"{path.name.replace('_follower', '_guide')} in the same folder",
            fix="download it too: follower files name neither scene nor text",
        )
    fmt = get_format(name)
    instructions = {episode.episode_id: episode for episode in fmt.read(guides[0], refuse)}
    return follow(fmt.read(path, on_problem), instructions)


def read_by_instruction(
    name: str, path: Path, truths: Sequence[Path], on_problem: OnProblem
) -> Iterator[Episode]:
    """Yield RxR-CE episodes under the ids of their instructions, which is what submissions name."""
    for episode in read_with_ground_truth(name, path, truths, on_problem):
        spoken = episode.extra.get("instruction", {}).get("instruction_id")
        yield episode if spoken is None else msgspec.structs.replace(episode, episode_id=str(spoken))


READERS: dict[str, Reader] = {
    "plain": read_with_ground_truth,
    "followers": read_followers,
    "by-instruction": read_by_instruction,
}

for _dataset in msgspec.convert(packaged_toml(__name__)["dataset"], list[FileDataset]):
    register_dataset(_dataset.spec())
