"""Processes that test together compile kernels in turn, so that each finds what the others left on disk."""

from __future__ import annotations

import fcntl
import os
import threading

from numba.core import event


class Turns(event.Listener):
    """Lets one process at a time through numba's own lock, within which it looks on disk and compiles."""

    def __init__(self) -> None:
        self._thread = threading.RLock()
        self._depth = 0
        self._file = os.open(__file__, os.O_RDONLY)  # any file that all of them see

    def on_start(self, event: event.Event) -> None:
        self._thread.acquire()
        self._depth += 1
        if self._depth == 1:
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def on_end(self, event: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._thread.release()


def take_turns() -> None:
    event.register("numba:compiler_lock", Turns())
