"""The folder of a training run: what is kept so that it can go on, and what it found.

::

    RUN/experiment.json   what was asked
    RUN/last.pt           where it stands: weights, optimiser, curves; all that is needed to go on
    RUN/best.pt           the best weights so far, as agents take them
    RUN/curves.csv        a row per report and per validation
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import RUN_MARK, UNREADABLE
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_folder, check_regular, digest, read_bytes, write_text, write_whole
from vlnscope.core.json_file import json_text
from vlnscope.core.limits import STREAM_MB
from vlnscope.training.experiment import RunExperiment
from vlnscope.training.tracking import TrackedRun
from vlnscope.training.watching import CurveRow

VERSION = 1
ASKED = "experiment.json"


@dataclass
class RunState:
    """Where a run stands.

    Attributes:
        update: how many updates are done.
        best: the best value of the metric by which weights are chosen; below 0 if there is none yet.
        best_update: after how many updates that was.
        seconds: spent on them.
        curve: rows of the curves.
        sums: of the losses, of the lengths of gradients, and how many, since the last row.
    """

    update: int = 0
    best: float = -1.0
    best_update: int = 0
    seconds: float = 0.0
    curve: list[CurveRow] = field(default_factory=list)
    sums: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


class RunFolder:
    """The files of a run.

    Args:
        path: the folder.
        experiment: what is run in it.
        data: a digest of the data that is learned from.
        seen: a digest of the features.
    """

    def __init__(self, path: Path, experiment: RunExperiment, data: str, seen: str) -> None:
        self.path, self._seen, self._experiment = path, seen, experiment
        self._asked = json_text({"experiment": experiment, "data": data})
        self._key = _key(self._asked.encode())

    @property
    def best(self) -> Path:
        """Where the best weights are kept."""
        return self.path / "best.pt"

    @property
    def last(self) -> Path:
        """Where the state of the run is kept."""
        return self.path / "last.pt"

    def tracked(self) -> TrackedRun:
        """Return what trackers are told of the run."""
        place = digest(self._asked.encode(), str(self.path.resolve()).encode())[:16]
        return TrackedRun(self.path, self._experiment.title, msgspec.to_builtins(self._experiment), place)

    def begin(self, resume: bool) -> None:
        """Start a run, or make sure that it can go on.

        Raises:
            InputError: there is a run already, or another one.
        """
        check_run_folder(self.path, resume)
        if self.last.is_file():
            self._check(_content(self.last, mmap=True))
        elif self.best.is_file() and _key(read_bytes(self.path / ASKED)) != self._key:
            raise self._another()
        else:
            write_text(self.path / ASKED, self._asked)

    def save(self, state: RunState, parts: dict[str, Any]) -> None:
        """Keep the state, whole or not at all, then the curves."""
        values = {each.name: getattr(state, each.name) for each in fields(state)}
        buffer = io.BytesIO()
        torch.save(
            {RUN_MARK: VERSION, "key": self._key, "seen": self._seen, "state": values, **parts}, buffer
        )
        with write_whole(self.last) as stream:
            stream.write(buffer.getbuffer())
        self.write_curves(state)

    def write_curves(self, state: RunState) -> None:
        """Write the curves."""
        write_text(self.path / "curves.csv", _table(state.curve))

    def load(self) -> tuple[RunState, dict[str, Any]] | None:
        """Return the state that was kept; None if there is none.

        Raises:
            InputError: the file is damaged, or of another experiment.
        """
        if not self.last.is_file():
            return None
        content = _content(self.last)
        self._check(content)
        return RunState(**content["state"]), content

    def _check(self, content: dict[str, Any]) -> None:
        if content.get("seen", self._seen) != self._seen:
            raise InputError(
                f"{self.path}: was begun with other features",
                expected="features that are the same to the bit",
                fix="name another folder, or those features",
            )
        if content["key"] != self._key:
            raise self._another()

    def _another(self) -> InputError:
        return InputError(
            f"{self.path}: holds a run of another experiment, or on other data",
            expected="the experiment and the data that it was begun with",
            fix="name another folder, or the experiment in experiment.json of that one",
        )


def check_run_folder(path: Path, resume: bool) -> None:
    """Refuse a folder that a run cannot be kept in, before anything is laid out.

    Raises:
        InputError: there is a run already, or the folder cannot be written to.
    """
    check_folder(path)
    begun, best, curves = ((path / name).is_file() for name in ("last.pt", "best.pt", "curves.csv"))
    killed_early = best and not curves  # after the first best weights, before the state was kept
    if resume and (begun or killed_early):
        return
    if begun or best or curves:
        raise InputError(
            f"{path}: holds a run already" + ("" if begun else ", without the state it stopped in"),
            expected="an empty folder" + (", or --resume" if begun else ""),
            fix=("add --resume to go on with it, or " if begun else "") + "name another folder",
        )


def is_consistent(folder: Path) -> bool:
    """Say whether ``experiment.json`` of a run is what its state was made by; True if no state is kept.

    Raises:
        InputError: one of the files cannot be read.
    """
    last = folder / "last.pt"
    return not last.is_file() or _content(last, mmap=True)["key"] == _key(read_bytes(folder / ASKED))


def _key(text: bytes) -> str:
    """Return what tells runs apart; the line break at the end of the file does not count."""
    return digest(text.rstrip())


def _content(path: Path, *, mmap: bool = False) -> dict[str, Any]:
    """Return what ``last.pt`` holds; with `mmap` tensors are read when they are used only."""
    try:
        check_regular(path)
        source = path if mmap else io.BytesIO(read_bytes(path, STREAM_MB))
        content: dict[str, Any] = torch.load(source, map_location="cpu", weights_only=True, mmap=mmap)
        content["key"], RunState(**content["state"])
    except UNREADABLE as error:
        raise InputError(
            f"{path}: cannot be read ({str(error).partition(chr(10))[0]})",
            expected="the state of a run, as training wrote it",
            fix="start again in another folder",
        ) from None
    return content


def averaged(average: dict[str, Tensor], model: torch.nn.Module, stays: float) -> None:
    """Move averaged weights a little towards those of a model."""
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                average[name].lerp_(tensor, 1 - stays)
            else:
                average[name].copy_(tensor)


def _table(curve: list[CurveRow]) -> str:
    names = list(dict.fromkeys(name for row in curve for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for row in curve:
        writer.writerow({name: f"{value:.6g}" for name, value in row.items()})
    return text.getvalue()
