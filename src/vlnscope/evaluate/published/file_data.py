"""Which data set a file of unknown origin is for: the split whose ids and starts agree with its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, cast

from vlnscope.core import registry
from vlnscope.core.exceptions import VlnscopeError
from vlnscope.episodes.datasets.dataset import Dataset, DatasetSpec, spec_of_dataset
from vlnscope.episodes.doctor.targets import Place, same_place, start_of, target_of
from vlnscope.episodes.format import Format, get_format
from vlnscope.episodes.measured import read_measured
from vlnscope.episodes.reading import read_predictions, sniff

MOST = 0.5
"""A file belongs to a split if more than this share of its records do."""


class FileRecords(NamedTuple):
    """What a file holds.

    Attributes:
        format: of the file.
        starts: where each record starts, by its id; None in files of metrics, which do not say.
        chooses: whether records choose objects, as REVERIE asks for.
        in_space: whether records are positions in continuous space.
    """

    format: Format
    starts: dict[str, Place | None]
    chooses: bool = False
    in_space: bool = False

    @property
    def has_walks(self) -> bool:
        """Whether the file holds walks, and not only numbers."""
        return self.format.holds == "predictions"


class FittingData(NamedTuple):
    """A split, how many records of a file belong to it, and how many episodes it has."""

    dataset: Dataset
    fitting: int
    episodes: int


def file_records(path: Path) -> FileRecords:
    """Read the ids and starts of a file with predictions, or with metrics of episodes.

    Raises:
        InputError: it is neither, or it is damaged.
    """
    fmt = sniff(path)
    if fmt.holds == "episode-metrics":
        return FileRecords(fmt, {one.episode_id: None for one in read_measured(path)})
    starts: dict[str, Place | None] = {}
    chooses = in_space = False
    for prediction in read_predictions(path):
        starts[prediction.episode_id] = start_of(prediction)
        chooses = chooses or prediction.object_id is not None
        in_space = in_space or not prediction.path
    return FileRecords(fmt, starts, chooses, in_space)


@dataclass
class KnownSplits:
    """The splits of a data folder, each read once.

    Attributes:
        root: the folder.
    """

    root: Path
    _starts: dict[str, dict[str, Place]] = field(default_factory=dict)

    def fitting(self, records: FileRecords, file: Path) -> FittingData | None:
        """Return the split that a file is for; None if no split of the folder has most of its records.

        Of several the one is taken that has most of the records, then the one that the records are most of,
        then the one that the file's name speaks of, then the one that others are made from. Files with chosen
        objects are for data sets that ask for objects, positions for data sets in continuous space.
        """
        found = [
            FittingData(dataset, count, len(starts))
            for dataset in self._candidates(records)
            if (count := _agreeing(records, starts := self._read(dataset))) > MOST * len(records.starts)
        ]
        if not found:
            return None
        return max(
            found,
            key=lambda one: (one.fitting, one.fitting / one.episodes, _named(one, file), _is_source(one)),
        )

    def _candidates(self, records: FileRecords) -> Iterator[Dataset]:
        for spec in cast(dict[str, DatasetSpec], registry.everything("dataset")).values():
            if not spec.format or (("object_id" in get_format(spec.format).carries) != records.chooses):
                continue
            for split, file in spec.splits(self.root).items():
                if file is None or not file.is_relative_to(self.root):
                    continue
                dataset = spec.open(split, self.root)
                if not records.has_walks or dataset.continuous == records.in_space:
                    yield dataset

    def _read(self, dataset: Dataset) -> dict[str, Place]:
        if dataset.name not in self._starts:
            try:
                starts = {one.episode_id: target_of(one).start for one in dataset.episodes()}
            except VlnscopeError:
                starts = {}  # a file that nobody asked about is damaged
            self._starts[dataset.name] = starts
        return self._starts[dataset.name]


def _agreeing(records: FileRecords, starts: Mapping[str, Place]) -> int:
    return sum(
        name in starts and (place is None or same_place(place, starts[name]))
        for name, place in records.starts.items()
    )


def _is_source(one: FittingData) -> bool:
    """Tell whether another data set has the same episodes with more to them, as FGR2R has those of R2R."""
    spec = spec_of_dataset(one.dataset.name)
    return spec is not None and bool(spec.aligned)


def _named(one: FittingData, file: Path) -> bool:
    return one.dataset.split in file.name
