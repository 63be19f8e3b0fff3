"""How a run goes, on a terminal: a bar with the time left, cases per second and the success rate so far."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vlnscope.cli.shared import signals as stopping

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from vlnscope.engine.run import PreparedRun
    from vlnscope.episodes.formats.evidence import EvidenceLine
    from vlnscope.types import Episode

WITHIN = 3.0


class Tally:
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
            stopping.on_stop(f"{kept}; the same command with --resume goes on")


class Bar(Tally):
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
        self._task = self._bar.add_task("run", total=self.size, completed=done, told="")

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
        told = [f"{speed:.1f} cases/s"] if speed else []
        told += [f"SR {100 * self._near / self._scored:.1f} %"] if self._scored else []
        told += [f"{self.failed} failed"] if self.failed else []
        if self._task is not None:
            self._bar.update(self._task, completed=self.done, told="  ".join(told))


def _has_place(episode: Episode) -> bool:
    """Say whether success is to be near a place that is known."""
    return len(episode.path) > 1 and episode.object_id is None


@contextmanager
def progress_bar(folder: Path | None = None) -> Iterator[Tally]:
    """Give somebody to tell how a run goes; it is shown only on a terminal (standard error)."""
    if not sys.stderr.isatty():
        yield Tally(folder)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar, folder)
