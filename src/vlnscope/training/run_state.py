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
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from vlnscope.exceptions import InputError
from vlnscope.files import digest, read_bytes, write_text, write_whole
from vlnscope.json_file import json_text
from vlnscope.training.experiment import Experiment

VERSION = 1
_MARK = "vlnscope training"
Row = dict[str, float]


@dataclass
class RunState:
    """Where a run stands.

    Attributes:
        update: how many updates are done.
        best: the best value of the metric by which weights are chosen; below 0 if there is none yet.
        best_update: after how many updates that was.
        seconds: spent on them.
        curve: rows of the curves.
    """

    update: int = 0
    best: float = -1.0
    best_update: int = 0
    seconds: float = 0.0
    curve: list[Row] = field(default_factory=list)


class RunFolder:
    """The files of a run.

    Args:
        path: the folder.
        experiment: what is run in it.
        data: a digest of the data that is learned from.
    """

    def __init__(self, path: Path, experiment: Experiment, data: str) -> None:
        self.path = path
        self._asked = json_text({"experiment": experiment, "data": data})
        self._key = digest(self._asked.encode())

    @property
    def best(self) -> Path:
        """Where the best weights are kept."""
        return self.path / "best.pt"

    @property
    def last(self) -> Path:
        """Where the state of the run is kept."""
        return self.path / "last.pt"

    def begin(self, resume: bool) -> None:
        """Start a run, or make sure that it can go on.

        Raises:
            InputError: there is a run already, or another one.
        """
        if self.last.is_file() and not resume:
            raise InputError(
                f"{self.path}: holds a run already",
                expected="an empty folder, or --resume",
                fix="add --resume to go on with it, or name another folder",
            )
        write_text(self.path / "experiment.json", self._asked)

    def save(self, state: RunState, parts: dict[str, Any]) -> None:
        """Keep the state, whole or not at all, then the curves."""
        told = {name: getattr(state, name) for name in ("update", "best", "best_update", "seconds", "curve")}
        buffer = io.BytesIO()
        torch.save({_MARK: VERSION, "key": self._key, "state": told, **parts}, buffer)
        with write_whole(self.last) as stream:
            stream.write(buffer.getbuffer())
        write_text(self.path / "curves.csv", _table(state.curve))

    def load(self) -> tuple[RunState, dict[str, Any]] | None:
        """Return the state that was kept; None if there is none.

        Raises:
            InputError: the file is damaged, or of another experiment.
        """
        if not self.last.is_file():
            return None
        try:
            content = torch.load(io.BytesIO(read_bytes(self.last)), map_location="cpu", weights_only=True)
            key, state = content["key"], RunState(**content["state"])
        except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{self.last}: cannot be read ({str(error).partition(chr(10))[0]})",
                expected="the state of a run, as training wrote it",
                fix="start again in another folder",
            ) from None
        if key != self._key:
            raise InputError(
                f"{self.path}: holds a run of another experiment, or on other data",
                expected="the experiment and the data that it was begun with",
                fix="name another folder, or the experiment in experiment.json of that one",
            )
        return state, content


def averaged(average: dict[str, Tensor], model: torch.nn.Module, stays: float) -> None:
    """Move averaged weights a little towards those of a model."""
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                average[name].lerp_(tensor, 1 - stays)
            else:
                average[name].copy_(tensor)


def _table(curve: list[Row]) -> str:
    names = list(dict.fromkeys(name for row in curve for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for row in curve:
        writer.writerow({name: f"{value:.6g}" for name, value in row.items()})
    return text.getvalue()
