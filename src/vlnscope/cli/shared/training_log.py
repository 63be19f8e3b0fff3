"""How a training goes, on standard error: lines, of which on a terminal the passing ones are written over."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from threading import Event, RLock, Thread
from typing import Self

from vlnscope.training.watching import ACCURACY, LIKELIHOOD, CurveRow, TrainingWatch, UpdateNews

SECONDS_BETWEEN_LINES = 5.0
SECONDS_ON_A_TERMINAL = 0.3
SHOWN = ("SR", "SPL", "CLS", "nDTW")
_writing = RLock()


class TrainingLog(TrainingWatch):
    """Writes what begins at once, and how far it is every few seconds.

    While it is entered, it does so also where nobody tells it anything, say, while a library is loaded.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._what, self._total, self._done, self._told = "", 0, 0, 0
        self._begun = self._written = 0.0
        self._first: tuple[float, int] | None = None
        self._latest, self._passing = "", False
        self._beating: tuple[Event, Thread] | None = None

    def __enter__(self) -> Self:
        """Begin to tell how time passes."""
        over = Event()
        thread = Thread(target=self._beat, args=(over,), daemon=True)
        self._beating = over, thread
        thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """Tell no more."""
        if self._beating is not None:
            over, thread = self._beating
            over.set()
            thread.join()
            self._beating = None

    def _beat(self, over: Event) -> None:
        while not over.wait(SECONDS_ON_A_TERMINAL):
            with _writing:
                if self._is_time() and (self._what or self._latest):
                    self._pass(self._how_far())

    def phase(self, what: str, total: int = 0) -> None:
        """Write what begins; of what it ends, how far it came."""
        self._end()
        with _writing:
            self._what, self._total, self._done, self._told = what, total, 0, 0
            self._begun = self._clock()
            self._pass(f"{what}: {total:,}" if total else what)

    def at(self, done: int) -> None:
        """Write how far it is, if it is time."""
        with _writing:
            self._done = done
            if self._is_time():
                self._pass(self._how_far())

    def updated(self, news: UpdateNews) -> None:
        """Write of the first update at once, of others if it is time."""
        self._end()
        with _writing:
            self._begun = now = self._clock()
            self._latest = f"update {news.update:,} of {news.updates:,}  loss {news.loss:.3f}"
            if self._first is None:
                self._first = now, news.update
                self._pass(self._latest)
                return
            seconds = (now - self._first[0]) / max(news.update - self._first[1], 1)
            left = f"{_span((news.updates - news.update) * seconds)} left"
            self._latest += f"  {news.episodes / max(seconds, 1e-9):.1f} episodes/s  {left}"
            if self._is_time():
                self._pass(self._latest)

    def row(self, row: CurveRow) -> None:
        """Write a row of the curves."""
        self._end()
        shown = [f"update {row['update']:.0f}", f"loss {row['loss']:.3f}"]
        if "episodes_per_second" in row:
            shown += [f"{row['episodes_per_second']:.1f} episodes/s"]
        shown += [f"{name} {row[name]:.3f}" for name in (LIKELIHOOD, ACCURACY) if name in row]
        shown += [f"{name} {100 * row[name]:.1f}" for name in SHOWN if name in row]
        self.line("  ".join(shown))

    def line(self, text: str) -> None:
        """Write a line that stays."""
        with _writing:
            self._written, self._told = self._clock(), self._done
            sys.stderr.write(("\r\x1b[K" if self._passing else "") + text + "\n")
            sys.stderr.flush()
            self._passing = False

    def _end(self) -> None:
        """Write how far the phase before came."""
        with _writing:
            if self._what and self._done and (self._passing or self._done > self._told):
                self.line(self._how_far())
            self._what, self._done = "", 0

    def _how_far(self) -> str:
        seconds = self._clock() - self._begun
        passed = f"({seconds:.0f} s)"
        if not self._what:
            return f"{self._latest}  {passed}" if seconds >= SECONDS_BETWEEN_LINES else self._latest
        of_all = f" of {self._total:,}" if self._total else ""
        return f"{self._what}: {self._done:,}{of_all} {passed}" if of_all else f"{self._what} {passed}"

    def _is_time(self) -> bool:
        wait = SECONDS_ON_A_TERMINAL if sys.stderr.isatty() else SECONDS_BETWEEN_LINES
        return self._clock() - self._written >= wait

    def _pass(self, text: str) -> None:
        """Write a line that the next one may take the place of."""
        if not sys.stderr.isatty():
            self.line(text)
            return
        self._written, self._passing = self._clock(), True
        sys.stderr.write("\r" + text[: shutil.get_terminal_size().columns - 1] + "\x1b[K")
        sys.stderr.flush()


def _span(seconds: float) -> str:
    """Return a time as people say it.

    Example:
        >>> _span(42), _span(600), _span(9000)
        ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
