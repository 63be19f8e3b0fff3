"""What trainings need besides data and features: paths joined to longer ones, and tours; made once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.benchmarks.tours.build.tours import FILE_NAME, build_tours, save_tours
from vlnscope.core.exceptions import DataNotFoundError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.training.experiment import Experiment

JOINED = "r4r"
SOURCE = "r2r"


def with_materials(
    experiment: Experiment, folder: Path, root: Path | None, tell: Callable[[str], None]
) -> Experiment:
    """Return a training whose joined paths and tours are there, made if they were not.

    ``r4r/SPLIT`` that the data folder lacks is joined of ``r2r/SPLIT``; tours that are not named, or whose
    file does not exist, are ordered as `vlnscope build tours` does.

    Args:
        experiment: the training.
        folder: where what is made is kept.
        root: folder of the data.
        tell: is told what is made.

    Raises:
        InputError: the data are missing.
    """
    data = experiment.data
    train, validate = (_joined(name, folder, root, tell) for name in (data.train, data.validate))
    tours = data.tours
    if experiment.learning.method == "tours" and not Path(tours).is_file():
        tours = str(_ordered((train, validate), folder, root, tell))
    return replace(experiment, data=replace(data, train=train, validate=validate, tours=tours))


def data_name(data: str) -> str:
    """Return the name of data, also where they are a file that was made of others.

    Example:
        >>> data_name("/some/where/R4R_val_seen.json"), data_name("r2r/train")
        ('r4r/val_seen', 'r2r/train')
    """
    match = re.fullmatch(r"R4R_(\w+)\.json", Path(data).name)
    return f"{JOINED}/{match[1]}" if match else data


def _joined(name: str, folder: Path, root: Path | None, tell: Callable[[str], None]) -> str:
    """Return joined paths as a file, if they are asked for and are not in the data folder; else the name."""
    kind, _, split = name.partition("/")
    if kind != JOINED:
        return name
    try:
        open_dataset(name, root)
    except DataNotFoundError:
        path = (folder / f"R4R_{split}.json").resolve()
        if not path.is_file():
            tell(f"joining paths: {name}")
            join_paths(open_dataset(f"{SOURCE}/{split}", root), JOINED).save(path)
        return str(path)
    return name


def _ordered(names: tuple[str, str], folder: Path, root: Path | None, tell: Callable[[str], None]) -> Path:
    label = "-".join(re.sub(r"[^\w@]+", "-", data_name(name)) for name in names)
    path = (folder / label / FILE_NAME).resolve()
    if not path.is_file():
        tell(f"ordering tours: {', '.join(map(data_name, names))}")
        save_tours(path, [build_tours(open_dataset(name, root)) for name in names])
    return path
