"""How commands end before they are done: stopped by a signal, or by an agent that ends its process.

`on_stop` notes what users are told then. A stop by Ctrl-C or SIGTERM is an exception that unwinds the
command, so that nothing is left half written. Nothing unwinds when an agent calls ``os._exit``, and its exit
code may well be 0: `watch_over` therefore moves a command that runs agents into a process of its own, and the
first process says what became of it.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import time
from types import FrameType

INTERRUPTED = 130
_SIZE = 2048
_PR_SET_PDEATHSIG = 1
_AGAIN = 0.5


class Terminated(KeyboardInterrupt):
    """SIGTERM came: the command ends as after Ctrl-C."""


class _State:
    """What both processes know; the note is written beside the one that counts, and then counts itself."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 2 + 2 * _SIZE)
        self._worker = os.getpid()
        self.can_watch = False
        self.terminated_at: float | None = None

    @property
    def note(self) -> str:
        start = 2 + self._shared[0] * _SIZE
        return self._shared[start : start + _SIZE].rstrip(b"\0").decode(errors="replace")

    @note.setter
    def note(self, text: str) -> None:
        other = 1 - self._shared[0]
        start = 2 + other * _SIZE
        self._shared[start : start + _SIZE] = text.encode(errors="replace")[:_SIZE].ljust(_SIZE, b"\0")
        self._shared[0] = other

    @property
    def is_done(self) -> bool:
        return bool(self._shared[1])

    def begin(self) -> None:
        """Let this process be the one that does the work."""
        self._worker = os.getpid()
        self._shared[1] = 0
        self.note = "nothing is left half written; the same command starts again"

    def end(self) -> None:
        """Note that the command came to its end, if this is not a process that an agent forked off."""
        if os.getpid() == self._worker:
            self._shared[1] = 1


_state = _State()


def on_stop(text: str) -> None:
    """Note what users are told if the command ends before it is done: what is kept, and how to go on."""
    _state.note = text


def begin() -> None:
    """Take signals from now on: SIGTERM ends the command as Ctrl-C does."""
    _state.begin()
    _state.can_watch = sys.platform == "linux"
    signal.signal(signal.SIGTERM, _terminate)


def end() -> None:
    """Note that the command came to its end, whatever it is."""
    _state.end()


def stopped() -> int:
    """Say on standard error what a signal stopped, and return the exit code."""
    sys.stderr.write(f"stopped: {_state.note}\n")
    return INTERRUPTED if _state.terminated_at is None else 128 + signal.SIGTERM


def _terminate(number: int, frame: FrameType | None) -> None:
    del number, frame
    before, _state.terminated_at = _state.terminated_at, time.monotonic()
    if before is None or _state.terminated_at - before > _AGAIN:  # a group may be sent it more than once
        raise Terminated


def watch_over() -> None:
    """Go on in a process of its own, over which this one watches; it takes a few milliseconds.

    Only the command line does so, and only where a process can ask to end with its parent.
    """
    if not _state.can_watch:
        return
    _state.can_watch = False
    parent = os.getpid()
    child = os.fork()
    if child:
        os._exit(_watch(child))
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    _state.begin()


def _watch(child: int) -> int:
    """Pass signals on, wait for the end and return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: os.kill(child, number))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if not _state.is_done:
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        sys.stderr.write(
            f"the process that ran the agent {how} before it was done: {_state.note}\n"
            "an agent must not end its process; with `run --executor processes` only the case fails in which "
            "it does\n"
        )
        sys.stderr.flush()
    return 128 - code if code < 0 else code or int(not _state.is_done)
