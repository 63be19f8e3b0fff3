"""One command per experiment."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.core.data_root import data_root
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.toml_file import packaged_toml
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.experiments.result import Written, write_outcome
from vlnscope.experiments.workspace import ExperimentProgress, Workspace
from vlnscope.experiments.worlds import worlds
from vlnscope.reporting.report_folder import check_writing
from vlnscope.reporting.sources.reproducibility import shell_line


class ExperimentSpec(msgspec.Struct, frozen=True):
    """An experiment: the module whose `conduct` makes it, its worlds, and the head of its page."""

    module: str
    worlds: tuple[str, ...]
    title: str
    question: str


EXPERIMENTS = msgspec.convert(packaged_toml(__name__), dict[str, ExperimentSpec])
"""By name."""


def conduct(
    name: str,
    out: str | Path,
    *,
    root: str | Path | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    runs: Sequence[str | Path] = (),
    only: Sequence[str] = (),
    trainings: Sequence[str] = (),
    data: str = "",
    limit: int | None = None,
    workers: int = 1,
    processes: int = 1,
    device: str = AUTO,
    progress: ExperimentProgress | None = None,
) -> Written:
    """Make an experiment: train what is not trained yet, run, compare, and write what came out.

    Whatever is in `out` already is used, so that an experiment that was stopped goes on.

    Args:
        name: one of `EXPERIMENTS`.
        out: folder for everything; experiments may share it.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        seeds: of the trainings, and of agents that draw.
        runs: finished training runs, or folders of such, that are used instead of training again.
        only: worlds to take, ``r2r`` or ``houses``; all of the experiment if none is named.
        trainings: TOML files or names of what to train instead of the usual.
        data: what to test on instead of the usual.
        limit: ask only so many episodes or cases of each kind, for trials.
        workers: processes that run agents.
        processes: that share each batch of training.
        device: where agents are trained, as `device_of` takes it; where they run they choose themselves.
        progress: is told how it goes.

    Raises:
        InputError: there is no such experiment, or something that it needs is missing.
    """
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    if not seeds or len(set(seeds)) < len(seeds):
        raise InputError("seeds are missing, or named twice", expected="such as 0,1,2", fix="correct --seeds")
    spec = EXPERIMENTS[name]
    for world in only:
        if world not in spec.worlds:
            raise UnknownNameError(f"world of the experiment {name}", world, spec.worlds)
    check_writing(out, formats=("md",))
    places = worlds(tuple(only) or spec.worlds, trainings, data)
    if data:
        _check_test(data, root)
    workspace = Workspace(
        out=Path(out),
        worlds=places,
        seeds=tuple(seeds),
        root=Path(root) if root else None,
        places=tuple(map(Path, runs)),
        limit=limit,
        workers=workers,
        processes=processes,
        device=device,
        progress=progress,
    )
    again = command(name, seeds, only, trainings, data, limit)
    module: Any = importlib.import_module(f"vlnscope.experiments.{spec.module}")
    result = replace(module.conduct(workspace), name=name, title=spec.title, question=spec.question)
    return write_outcome(result, workspace, again)


def _check_test(data: str, root: str | Path | None) -> None:
    """Refuse to train for a test that could not be made."""
    if open_dataset(data, data_root(root)).is_test:
        raise InputError(
            f"{data}: keeps its references secret, so nothing can be scored on it",
            expected="a data set with references, such as r2r/val_unseen",
            fix="name another one with --data",
        )


def command(
    name: str,
    seeds: Sequence[int],
    only: Sequence[str],
    trainings: Sequence[str],
    data: str,
    limit: int | None,
) -> str:
    """Return what makes an experiment again; DATA and DIR stand for folders.

    Example:
        >>> command("r2r", (0, 1), (), (), "", None)
        'vlnscope experiment r2r --root DATA --out DIR --seeds 0,1'
    """
    words = ["vlnscope", "experiment", name, "--root", "DATA", "--out", "DIR"]
    words += ["--seeds", ",".join(map(str, seeds))]
    words += [word for world in only for word in ("--world", world)]
    words += [word for one in trainings for word in ("--train", Path(one).name)]
    words += ["--data", data] if data else []
    words += ["--limit", str(limit)] if limit is not None else []
    return shell_line(words)
