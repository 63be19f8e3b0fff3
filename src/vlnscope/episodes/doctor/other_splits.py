"""Which split of a data set predictions belong to: the one whose ids and starts agree with theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, spec_of_dataset
from vlnscope.episodes.doctor.targets import Place, label, same_place, start_of, target_of
from vlnscope.episodes.reading import read_predictions


class FittingSplit(NamedTuple):
    """A split that predictions fit.

    Attributes:
        name: as users write it.
        fitting: how many predictions have an episode there and start where it does.
        predictions: how many there are.
        episodes: how many the split has.
    """

    name: str
    fitting: int
    predictions: int
    episodes: int

    def sentence(self) -> str:
        """Say how many predictions belong to the split.

        Example:
            >>> FittingSplit("r2r/val_unseen", 9, 10, 2349).sentence()
            '9 of the 10 predictions belong to r2r/val_unseen: id and start agree'
        """
        whole = f"{self.fitting} of the {self.predictions} predictions"
        return f"{whole} belong to {self.name}: id and start agree"


def best_split(dataset: Dataset, starts: Mapping[str, Place], root: Path | None) -> FittingSplit | None:
    """Return the first other split of a data set that most of some predictions fit; None if there is none.

    Splits that would have to be made first are not looked at: that takes longer than a hint is worth.

    Args:
        dataset: what the predictions do not fit.
        starts: where each prediction starts, by its id.
        root: folder of the data.
    """
    for other in _others(dataset, root) if starts else ():
        fitting, episodes = _fitting(other, starts)
        if 2 * fitting > len(starts):
            return FittingSplit(label(other), fitting, len(starts), episodes)
    return None


def same_ids(dataset: Dataset, ids: Collection[str], root: Path | None) -> str:
    """Say which other split of a data set has exactly these episodes; empty if none has.

    Args:
        dataset: the split whose episodes they are not.
        ids: the ids of some episodes.
        root: folder of the data.
    """
    for other in _others(dataset, root):
        try:
            if {episode.episode_id for episode in other.episodes()} == set(ids):
                return f"the ids are exactly those of {label(other)}; use --data {label(other)}"
        except InputError:
            continue  # a file that nobody asked about is damaged
    return ""


def _others(dataset: Dataset, root: Path | None) -> Iterator[Dataset]:
    """Yield the other splits of a data set, without those that would have to be made first."""
    spec = spec_of_dataset(dataset.name)
    if spec is None or not dataset.split:
        return
    for split in spec.splits(root):
        if split != dataset.split:
            other = spec.open(split, root)
            if other.prepare is None or not other.prepare().parts:
                yield other


def starts_in(paths: Sequence[Path]) -> dict[str, Place]:
    """Return where each prediction of some files starts; records that cannot be used are passed over."""
    starts: dict[str, Place] = {}
    for path in paths:
        try:
            for prediction in read_predictions(path, on_problem=lambda problem: None):
                starts[prediction.episode_id] = start_of(prediction)
        except InputError:
            continue  # whoever reads the file to use it says what is wrong with it
    return starts


def _fitting(other: Dataset, starts: Mapping[str, Place]) -> tuple[int, int]:
    """Count the predictions that have an episode in a data set and start where it does, and its episodes."""
    fitting = episodes = 0
    try:
        for episode in other.episodes():
            episodes += 1
            start = starts.get(episode.episode_id)
            fitting += start is not None and same_place(start, target_of(episode).start)
    except InputError:
        return 0, 0  # a file that nobody asked about is damaged
    return fitting, episodes
