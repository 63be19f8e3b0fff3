"""The data sets that users hold as files, and where in a data folder each is looked for.

The folder is laid out as ``r2r/``, ``rxr/``, ``reverie/``, …, beside ``connectivity/``; the layouts that the
original downloads unpack to are found as well. Any file may be gzip, with ``.gz`` appended.
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
from vlnscope.episodes.datasets.dataset import Dataset, register_dataset
from vlnscope.episodes.datasets.ground_truth import read_with_ground_truth
from vlnscope.episodes.format import OnProblem, get_format, refuse
from vlnscope.episodes.formats.rxr import follow
from vlnscope.types import Episode
from vlnscope.worlds.builtin.matterport import open_folder

Load = Callable[[str, Path, Sequence[Path], OnProblem], Iterator[Episode]]


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
        load: how episodes are read from the file and its companions.
        continuous: whether episodes have positions only, so that no navigation graph belongs to them.
        not_splits: what the pattern finds though it is something else.
        one_node_hides_goal: see `Dataset`.
        home: where the files lie if they need no root.
    """

    name: str
    title: str
    format: str
    folders: tuple[str, ...]
    pattern: str
    companions: tuple[str, ...] = ()
    load: Load = read_with_ground_truth
    continuous: bool = False
    not_splits: frozenset[str] = frozenset()
    one_node_hides_goal: bool = True
    home: Path | None = None

    def files(self, root: Path, split: str) -> list[Path]:
        """Return the places where a split's file is looked for (each also with ``.gz``)."""
        return [root / folder / self.pattern.replace("{split}", split) for folder in self.folders]

    def splits(self, root: Path | None) -> dict[str, Path | None]:
        """Return the splits whose file lies under the root."""
        base = self.home or root
        found: dict[str, Path | None] = {}
        for folder in self.folders if base else ():
            for split in sorted(self._splits_in(Path(base or "", folder))):
                if split not in self.not_splits:
                    found.setdefault(split, find_file(*self.files(Path(base or ""), split)))
        return found

    def open(self, split: str, root: Path | None) -> Dataset:
        """Open a split.

        Raises:
            DataNotFoundError: no root is named, or the split has no file under it.
        """
        base = self.home or root
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
            load=partial(self.load, self.format, path, companions),
            load_scenes=None if self.continuous else partial(open_folder, base),
            one_node_hides_goal=self.one_node_hides_goal,
        )

    def _splits_in(self, folder: Path) -> Iterator[str]:
        named = re.escape(self.pattern).replace(re.escape("{split}"), "(?P<split>[^/]+)", 1)
        form = re.compile(named.replace(re.escape("{split}"), "(?P=split)") + r"(\.gz)?")
        for path in folder.glob(self.pattern.replace("{split}", "*") + "*"):
            if match := form.fullmatch(path.relative_to(folder).as_posix()):
                yield match["split"]

    def _companions(self, path: Path, split: str) -> tuple[Path, ...]:
        folder = path.parents[self.pattern.count("/")]
        found = (find_file(folder / name.replace("{split}", split)) for name in self.companions)
        return tuple(companion for companion in found if companion)

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
            fix="correct the name" + ("" if self.home else f", or add {usual} (.gz may be appended)"),
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


_SKILLS = frozenset({"DC", "LR", "NU", "RR", "VM"})
_CE = ("{split}/{split}_gt.json",)


def _unpacked(usual: str, *names: str) -> tuple[str, ...]:
    """Return the folders in which a VLN-CE release may lie."""
    return tuple(
        f"{above}{name}" for above in (f"{usual}/", "", "datasets/", "data/datasets/") for name in names
    )


for _dataset in (
    FileDataset(
        name="r2r",
        title="Room-to-Room",
        format="r2r-episodes",
        folders=("r2r", "R2R", "R2R/annotations", "tasks/R2R/data", ""),
        pattern="R2R_{split}.json",
        not_splits=_SKILLS,
    ),
    FileDataset(
        name="r4r",
        title="Room-for-Room: pairs of R2R paths",
        format="r2r-episodes",
        folders=("r4r", "R4R", "tasks/R4R/data", ""),
        pattern="R4R_{split}.json",
    ),
    FileDataset(
        name="rxr",
        title="Room-across-Room, the guides' paths",
        format="rxr-episodes",
        folders=("rxr", "RxR", "rxr-data", ""),
        pattern="rxr_{split}_guide.jsonl",
    ),
    FileDataset(
        name="rxr-follower",
        title="Room-across-Room, the followers' paths",
        format="rxr-episodes",
        folders=("rxr", "RxR", "rxr-data", ""),
        pattern="rxr_{split}_follower.jsonl",
        companions=("rxr_{split}_guide.jsonl",),
        load=read_followers,
        one_node_hides_goal=False,
    ),
    FileDataset(
        name="fgr2r",
        title="Fine-grained R2R: R2R with sub-instructions",
        format="fgr2r-episodes",
        folders=("fgr2r", "FGR2R", "Fine-Grained-R2R/data", ""),
        pattern="FGR2R_{split}.json",
    ),
    FileDataset(
        name="reverie",
        title="REVERIE: find an object in another room",
        format="reverie-episodes",
        folders=("reverie", "REVERIE", "tasks/REVERIE/data", ""),
        pattern="REVERIE_{split}.json",
    ),
    FileDataset(
        name="navnuances",
        title="NavNuances: one skill per split (DC, LR, NU, RR, VM)",
        format="navnuances-episodes",
        folders=("navnuances", "NavNuances"),
        pattern="R2R_{split}.json",
        one_node_hides_goal=False,
    ),
    FileDataset(
        name="r2r-ce",
        title="R2R in continuous environments (VLN-CE)",
        format="vlnce-episodes",
        folders=_unpacked("r2r_ce", "R2R_VLNCE_v1-3_preprocessed", "R2R_VLNCE_v1-3"),
        pattern="{split}/{split}.json",
        companions=_CE,
        continuous=True,
    ),
    FileDataset(
        name="rxr-ce",
        title="RxR in continuous environments, the guides' paths",
        format="vlnce-episodes",
        folders=_unpacked("rxr_ce", "RxR_VLNCE_v0"),
        pattern="{split}/{split}_guide.json",
        companions=("{split}/{split}_guide_gt.json", "{split}/{split}_follower_gt.json"),
        load=read_by_instruction,
        continuous=True,
    ),
    FileDataset(
        name="rxr-ce-follower",
        title="RxR in continuous environments, the followers' paths",
        format="vlnce-episodes",
        folders=_unpacked("rxr_ce", "RxR_VLNCE_v0"),
        pattern="{split}/{split}_follower.json",
        companions=("{split}/{split}_guide_gt.json", "{split}/{split}_follower_gt.json"),
        load=read_by_instruction,
        continuous=True,
    ),
    FileDataset(
        name="r2rie-ce",
        title="R2R-CE with planted instruction errors",
        format="r2rie-episodes",
        folders=_unpacked("r2rie_ce", "R2RIE_CE_1_3_v1"),
        pattern="{split}/{split}_bertidx.json",
        companions=_CE,
        continuous=True,
    ),
    FileDataset(
        name="sample",
        title="a few made-up episodes that come with vlnscope and need no data folder",
        format="r2r-episodes",
        folders=("r2r",),
        pattern="R2R_{split}.json",
        home=Path(__file__).resolve().parents[2] / "sample",
    ),
):
    register_dataset(_dataset)
