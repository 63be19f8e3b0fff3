"""Opening data sets for a command, with a progress bar for what has to be made first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vlnscope.cli.shared.progress import progress

if TYPE_CHECKING:
    from vlnscope.episodes.datasets.dataset import Dataset


def opened(data: str | Path, root: Path | None, *, positions: str = "connectivity") -> Dataset:
    """Open a data set by name or file, and make what is not there yet."""
    from vlnscope.episodes.datasets.dataset import open_dataset

    return _prepared(open_dataset(data, root, positions=positions))


def opened_for(predictions: Path, data: str | None, root: Path | None, *, positions: str) -> Dataset:
    """Open the data set that is named, or else that of a run, and make what is not there yet."""
    from vlnscope.evaluate import run_data

    return _prepared(run_data.opened_for(predictions, data, root, positions=positions))


def _prepared(dataset: Dataset) -> Dataset:
    if dataset.prepare is not None:
        parts, work = dataset.prepare()
        for _ in progress(work, parts, f"episodes of {dataset.name}") if parts else ():
            pass
    return dataset
