"""Curves for the tools of others, beside ``curves.csv``: TensorBoard, Weights & Biases, or a plug-in's.

What a training says of itself is in ``curves.csv``. Trackers only copy it: each time a run begins or goes on,
they are opened anew and given all rows that there are, so that a run that was killed leaves no row twice in
them and lacks none. Kinds of trackers are registered under the kind ``tracker``; the built-in ones lie in
`vlnscope.training.trackers`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from vlnscope.core import registry
from vlnscope.core.exceptions import MissingPackageError
from vlnscope.training.watching import ACCURACY, LIKELIHOOD, METRICS, CurveRow

LEARNING = "learning"
VALIDATION = "validation"


class TrackedRun(NamedTuple):
    """What trackers are told of a run.

    Attributes:
        folder: of the run.
        title: of the experiment.
        settings: of the experiment, as plain values.
        id: tells it apart from all other runs, and stays the same when it goes on.
    """

    folder: Path
    title: str
    settings: dict[str, Any]
    id: str


class Tracker(Protocol):
    """Keeps the rows of one run somewhere."""

    def add(self, row: CurveRow) -> None:
        """Take a row."""

    def end(self) -> None:
        """Hear that no row will come any more."""


@dataclass(frozen=True, kw_only=True)
class TrackerSpec:
    """A kind of tracker.

    Attributes:
        name: what users call it.
        summary: one line.
        module: what must be importable for it; nothing if empty.
        package: that brings the module.
        extra: the extra of vlnscope that brings the package.
        open: begins to track a run; whatever it kept of the same run before must be gone then.
    """

    name: str
    summary: str
    module: str = ""
    package: str = ""
    extra: str = ""
    open: Callable[[TrackedRun], Tracker]

    def check(self) -> None:
        """Make sure that it can be opened.

        Raises:
            MissingPackageError: its package is not installed.
        """
        if self.module:
            try:
                importlib.import_module(self.module)
            except ImportError:
                raise MissingPackageError(self.package, self.extra, f"--track {self.name} needs") from None


registry.require("tracker", TrackerSpec)


def register_tracker(spec: TrackerSpec) -> TrackerSpec:
    """Make a kind of tracker known under its name."""
    return registry.register("tracker", spec.name, spec)


def check_trackers(names: Sequence[str]) -> list[TrackerSpec]:
    """Return the kinds of trackers that are named, each once, all ready to be opened.

    Raises:
        UnknownNameError: there is no such kind.
        MissingPackageError: one needs a package that is not installed.
    """
    specs: list[TrackerSpec] = [registry.get("tracker", name) for name in dict.fromkeys(names)]
    for spec in specs:
        spec.check()
    return specs


class Trackers:
    """The trackers of one run.

    Args:
        names: of their kinds.
        run: what they are told of it.
        rows: all rows that there are.
    """

    def __init__(self, names: Sequence[str], run: TrackedRun, rows: Sequence[CurveRow]) -> None:
        self._open = [spec.open(run) for spec in check_trackers(names)]
        for row in rows:
            self.add(row)

    def add(self, row: CurveRow) -> None:
        """Let all take a row."""
        for tracker in self._open:
            tracker.add(row)

    def close(self) -> None:
        """Let all hear that no row will come any more."""
        for tracker in self._open:
            tracker.end()


def grouped(row: CurveRow) -> dict[str, float]:
    """Return the numbers of a row by group and name; the update is left out, since it is their place.

    Example:
        >>> grouped({"update": 20, "loss": 1.5, "SR": 0.4})
        {'learning/loss': 1.5, 'validation/SR': 0.4}
    """
    groups = {name: VALIDATION if name in (*METRICS, LIKELIHOOD, ACCURACY) else LEARNING for name in row}
    return {f"{groups[name]}/{name}": value for name, value in row.items() if name != "update"}
