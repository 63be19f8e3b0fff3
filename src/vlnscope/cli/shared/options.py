"""Options that several verbs have, each written once, and what the verbs make of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from vlnscope.cli.shared.progress import progress
from vlnscope.core.data_root import ROOT_VARIABLE, SCENES_VARIABLE
from vlnscope.core.devices import HELP as DEVICE_HELP
from vlnscope.core.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from vlnscope.episodes.datasets.dataset import Dataset
    from vlnscope.stats.bootstrap import Bootstrap

Name = TypeVar("Name", bound=str)
DATA_HELP = "Data set such as r2r/val_unseen, or an episode file"
INTERVAL_HELP = "cluster-t, in closed form; or a bootstrap that resamples scenes."


class Intervals(StrEnum):
    """Ways to make a confidence interval."""

    cluster_t = "cluster-t"
    percentile = "percentile"
    studentised = "studentised"


Agent = Annotated[
    str, typer.Argument(help="NAME[:OPTION=VALUE,…] of `ls agents`, MODULE:OBJECT, or http://HOST:PORT.")
]
Data = Annotated[str, typer.Option(help=f"{DATA_HELP}.")]
DataOfRun = Annotated[str | None, typer.Option(help=f"{DATA_HELP}; a run knows its own.")]
SeveralData = Annotated[list[str], typer.Option(help=f"{DATA_HELP}; may be repeated.")]


def _use(variable: str, *, absent: bool = True) -> Callable[[typer.Context, Path | None], Path | None]:
    """Let a command and its workers find a folder under the name of an environment variable, too.

    Args:
        variable: its name.
        absent: whether one that does not exist is named as well, so that whoever looks for it says so.
    """

    def use(context: typer.Context, folder: Path | None) -> Path | None:
        if folder is not None and (absent or folder.expanduser().is_dir()):
            before = os.environ.get(variable)
            os.environ[variable] = str(folder.expanduser().absolute())
            context.call_on_close(partial(_set, variable, before))
        return folder

    return use


def _set(variable: str, value: str | None) -> None:
    os.environ.pop(variable, None)
    if value is not None:
        os.environ[variable] = value


Root = Annotated[
    Path | None,
    typer.Option(
        help="Data folder; $VLNSCOPE_DATA if not given.", callback=_use(ROOT_VARIABLE, absent=False)
    ),
]

SceneFolder = Annotated[
    Path | None,
    typer.Option(
        help="Folder with SCAN/SCAN.glb and SCAN/SCAN.navmesh; $VLNSCOPE_SCENES if not given.",
        callback=_use(SCENES_VARIABLE),
    ),
]
Out = Annotated[Path, typer.Option(help="Folder to write to; created if it does not exist.")]
OutFile = Annotated[Path | None, typer.Option(help="Write the table (.json, .jsonl, .parquet).")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed = Annotated[int, typer.Option(help="Seed of all random choices.")]
Workers = Annotated[int, typer.Option(min=1, help="Number of processes; the result does not depend on it.")]
Positions = Annotated[
    str, typer.Option(help="Where viewpoints lie: as in `connectivity` files, or as in `.house` files.")
]
Profile = Annotated[str, typer.Option(help="Whose conventions to follow.")]
Metrics = Annotated[
    str | None, typer.Option(help="Metrics by name, separated by commas; SR, SPL, nDTW if not given.")
]
Partial = Annotated[bool, typer.Option("--partial", help="Use what there is, if incomplete.")]
Device = Annotated[str, typer.Option(help=DEVICE_HELP)]
Resume = Annotated[bool, typer.Option("--resume", help="Continue what --out holds.")]
Tours = Annotated[Path | None, typer.Option(help="Tour file: memory lasts through each tour.")]
Split = Annotated[str | None, typer.Option(help="Split of a tour file that holds several.")]
Interval = Annotated[Intervals, typer.Option(help=INTERVAL_HELP)]
Resamples = Annotated[int, typer.Option(min=1, help="Resamples of a bootstrap.")]
Senses = Annotated[str | None, typer.Option(help="What the detector may see, e.g. rooms,objects,captions.")]
Threshold = Annotated[float, typer.Option(help="τ_a: flag instructions with a higher score.")]


def passed(parameters: dict[str, Any], *others: str) -> dict[str, Any]:
    """Return the parameters of a verb (its ``locals()``) that its function takes under the same names.

    Args:
        parameters: all of them.
        *others: those that the function does not take, besides ``json`` and ``scenes``.
    """
    return {name: value for name, value in parameters.items() if name not in ("json", "scenes", *others)}


def names(text: str | None) -> list[str] | None:
    """Return names separated by commas; None if there is no text.

    Example:
        >>> names("SR, SPL"), names(None)
        (['SR', 'SPL'], None)
    """
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def one_of(kind: str, name: str, known: Sequence[Name]) -> Name:
    """Return the one of `known` that a user names.

    Raises:
        UnknownNameError: there is none of that name.

    Example:
        >>> one_of("register", "terse", ("r2r", "terse"))
        'terse'
    """
    for each in known:
        if each == name:
            return each
    raise UnknownNameError(kind, name, known)


def assignments(option: str, texts: Iterable[str], example: str) -> Iterator[tuple[str, str]]:
    """Yield the two sides of texts such as ``skill=direction``.

    Raises:
        InputError: there is no ``=`` in a text, or nothing behind it.
    """
    for text in texts:
        name, _, value = text.partition("=")
        if not value.strip():
            raise InputError(
                f"{option} {text} assigns nothing",
                expected=f"{option} NAME=VALUE",
                fix=f"write for example {option} {example}",
            )
        yield name.strip(), value.strip()


def bootstrap(interval: Intervals, resamples: int, seed: int) -> Bootstrap | None:
    """Return how to resample; None for the closed form."""
    if interval is Intervals.cluster_t:
        return None
    from vlnscope.stats.bootstrap import Bootstrap

    return Bootstrap("percentile" if interval is Intervals.percentile else "studentised", resamples, seed)


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
