"""Which split of a data set predictions belong to: the one whose ids and starts agree with theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, DatasetSpec
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
    if not dataset.split or not starts:
        return None
    spec = cast(DatasetSpec, registry.get("dataset", dataset.name.partition("/")[0]))
    for split in spec.splits(root):
        if split == dataset.split:
            continue
        other = spec.open(split, root)
        if other.prepare is not None and other.prepare().parts:
            continue
        fitting, episodes = _fitting(other, starts)
        if 2 * fitting > len(starts):
            return FittingSplit(label(other), fitting, len(starts), episodes)
    return None


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
