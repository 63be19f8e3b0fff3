"""A run as an export sees it: who ran, on what cases, what it did, and the scenes if they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.core.exceptions import InputError
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.run_data import opened_for
from vlnscope.types import Episode
from vlnscope.worlds.scene import Scenes


@dataclass(frozen=True)
class FinishedRun:
    """The folder of a run, opened to be exported.

    Attributes:
        folder: the run.
        record: who ran, on what, how.
        case_set: the cases of a benchmark; None if episodes were run as they are.
        lines: what was done, by case.
        root: folder of the data, for its scenes.
    """

    folder: Path
    record: RunRecord
    case_set: CaseSet | None
    lines: dict[str, EvidenceLine]
    root: Path | None = None

    @classmethod
    def open(cls, folder: str | Path, root: str | Path | None = None) -> FinishedRun:
        """Open a run.

        Raises:
            InputError: the folder is no run, or nothing in it is finished.
        """
        folder = Path(folder)
        record = read_record(folder)
        lines = read_log(folder / EVIDENCE) if (folder / EVIDENCE).exists() else {}
        if not lines:
            raise InputError(
                f"{folder}: no case of this run is finished",
                expected="a run with evidence",
                fix="go on with it: `vlnscope run … --resume`",
            )
        case_set = CaseSet.load(folder) if is_case_set(folder) else None
        return cls(folder, record, case_set, lines, Path(root) if root else None)

    @property
    def benchmark(self) -> str:
        """The benchmark whose cases were run; empty if episodes were run as they are."""
        return self.case_set.benchmark if self.case_set else ""

    @cached_property
    def dataset(self) -> Dataset:
        """The data set of the run.

        Raises:
            InputError: the data are not there, or are other houses than those of the run.
        """
        if self.case_set is None:
            return opened_for(self.folder, None, self.root)
        dataset = open_dataset(self.case_set.data, self.root)
        self.case_set.check_generator(dataset.scenes)
        return dataset

    @cached_property
    def episodes(self) -> dict[str, Episode]:
        """What was asked, by case."""
        if self.case_set is not None:
            return {case.case_id: case.episode for case in self.case_set.cases}
        return {episode.episode_id: episode for episode in self.dataset.episodes()}

    @property
    def scenes(self) -> Scenes:
        """Where the run took place.

        Raises:
            InputError: the scenes are not there.
        """
        if (scenes := self.dataset.scenes) is None:
            raise InputError(
                f"{self.record.data.name}: its scenes are not there",
                expected="scenes, for the places of viewpoints",
                fix="name the folder that has them, with --root or --scenes",
            )
        return scenes

    def notes(self) -> Iterator[str]:
        """Say what is missing from the run, and so from any export of it."""
        if len(self.lines) < self.record.size:
            yield f"the run is not finished: {len(self.lines):,} of {self.record.size:,} cases"
        if self.record.shard:
            yield f"the run is shard {self.record.shard}; `vlnscope merge` joins all"
        if limit := self.record.config.get("limit"):
            yield f"the run was limited (--limit {limit}), and official tools may ask for all episodes"
        if failed := sum(line.failed is not None for line in self.lines.values()):
            yield f"the agent failed in {failed:,} cases, which are exported as if it had not moved"
