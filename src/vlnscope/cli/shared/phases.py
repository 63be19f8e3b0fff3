"""How work in several phases goes: a bar on a terminal, plain lines in a log (standard error)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS_BETWEEN_LINES = 30.0


class Bars:
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


class Lines:
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
def phases() -> Iterator[Bars | Lines]:
    """Give somebody to tell how work goes, who shows it as suits standard error."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            yield Bars(bar)
        return
    lines = Lines(sys.stderr)
    yield lines
    lines.end()
