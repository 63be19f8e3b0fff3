"""How work goes: bars on a terminal, and for long work plain lines in a log (standard error)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from vlnscope.cli.shared import signals

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from vlnscope.engine.run import PreparedRun
    from vlnscope.episodes.formats.evidence import EvidenceLine
    from vlnscope.types import Episode

T = TypeVar("T")
SECONDS_BETWEEN_LINES = 30.0
WITHIN = 3.0
"""Metres from the goal at which a bar counts a success."""


def progress(things: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield `things` and show on a terminal (standard error) how many of `total` have come."""
    if not sys.stderr.isatty():
        yield from things
        return
    with _terminal_bar() as bar:
        yield from bar.track(things, total=total, description=what)


def _terminal_bar(*columns: Any) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)


class PhaseBars:
    """Shows a bar for the phase that is under way."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def phase(self, what: str, total: int) -> None:
        """Show a new bar."""
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(what, total=total)

    def at(self, done: int) -> None:
        """Move the bar."""
        if self._task is not None:
            self._bar.update(self._task, completed=done)


class PhaseLog:
    """Writes a line when a phase begins and when it ends, and between them one every half minute."""

    def __init__(self, stream: IO[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._what, self._total, self._done = "", 0, 0
        self._begun = self._written = 0.0

    def phase(self, what: str, total: int) -> None:
        """End the phase before, and write that a new one begins."""
        self.end()
        self._what, self._total, self._done = what, total, 0
        self._begun = self._clock()
        self._write()

    def at(self, done: int) -> None:
        """Hear how many steps are done."""
        self._done = done
        if self._clock() - self._written >= SECONDS_BETWEEN_LINES:
            self._write()

    def end(self) -> None:
        """Write how far the phase came."""
        if self._what and self._done:
            self._write()
        self._what = ""

    def _write(self) -> None:
        self._written = self._clock()
        spent = f" ({self._written - self._begun:.0f} s)" if self._done else ""
        self._stream.write(f"{self._what}: {self._done:,} of {self._total:,}{spent}\n")
        self._stream.flush()


@contextmanager
def phases() -> Iterator[PhaseBars | PhaseLog]:
    """Give somebody to tell how work goes, who shows it as suits standard error."""
    if sys.stderr.isatty():
        with _terminal_bar() as bar:
            yield PhaseBars(bar)
        return
    lines = PhaseLog(sys.stderr)
    yield lines
    lines.end()


class RunTally:
    """Counts the cases of a run.

    Attributes:
        size: how many there are.
        done: how many are finished.
        failed: how many of those that this process finished failed.
        folder: where the run is kept, if users are to be told when it is stopped.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.size = self.done = self.failed = 0
        self.folder = folder

    def begin(self, task: PreparedRun, done: int) -> None:
        """Hear what is to be done, and how many cases were done before."""
        self.size, self.done = task.record.size, done
        self._note()

    def add(self, lines: Sequence[EvidenceLine]) -> None:
        """Hear of cases that were finished."""
        self.done += len(lines)
        self.failed += sum(line.failed is not None for line in lines)
        self._note()

    def _note(self) -> None:
        if self.folder is not None:
            kept = f"{self.done} of {self.size} cases are kept in {self.folder}"
            signals.on_stop(f"{kept}; the same command with --resume goes on")


class RunBar(RunTally):
    """Shows on a terminal what it hears."""

    def __init__(self, bar: Progress, folder: Path | None = None) -> None:
        super().__init__(folder)
        self._bar = bar
        self._task: TaskID | None = None
        self._scored = self._near = 0

    def begin(self, task: PreparedRun, done: int) -> None:
        """Show the bar."""
        super().begin(task, done)
        self._goals = {c.case_id: c.episode for c in task.cases if _has_place(c.episode)}
        self._scenes = task.scenes
        self._task = self._bar.add_task("run", total=self.size, completed=done, rates="")

    def add(self, lines: Sequence[EvidenceLine]) -> None:
        """Move the bar."""
        super().add(lines)
        for line in lines:
            if episode := self._goals.get(line.case_id):
                graph = self._scenes.scene(episode.scan).graph
                self._scored += 1
                arrived = graph.distance(line.path[-1], episode.path[-1]) < WITHIN
                self._near += arrived and line.failed is None
        speed = self._bar.tasks[0].speed
        rates = [f"{speed:.1f} cases/s"] if speed else []
        rates += [f"SR {100 * self._near / self._scored:.1f} %"] if self._scored else []
        rates += [f"{self.failed} failed"] if self.failed else []
        if self._task is not None:
            self._bar.update(self._task, completed=self.done, rates="  ".join(rates))


def _has_place(episode: Episode) -> bool:
    """Say whether success is to be near a place that is known."""
    return len(episode.path) > 1 and episode.object_id is None


@contextmanager
def progress_bar(folder: Path | None = None) -> Iterator[RunTally]:
    """Give somebody to tell how a run goes; it is shown only on a terminal (standard error)."""
    if not sys.stderr.isatty():
        yield RunTally(folder)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    rates = TextColumn("{task.fields[rates]}")
    with _terminal_bar(BarColumn(), MofNCompleteColumn(), rates, TimeRemainingColumn()) as bar:
        yield RunBar(bar, folder)
