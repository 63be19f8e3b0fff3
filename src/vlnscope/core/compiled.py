"""Compiled kernels: `compiled` turns a loop over arrays into machine code, cached on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO, TypeVar, cast

import numba
from numba.core import event
from numba.extending import register_jitable

from vlnscope.core.waiting import show_line

F = TypeVar("F", bound=Callable[..., object])


class CompileNotice(event.Listener):  # type: ignore[misc]
    """Says on a terminal which kernel is being compiled, and for how long that has been going on.

    The first picture after an installation waits some seconds for this; later ones find the kernels on disk.
    The line goes away when the kernel is done. Nothing is written where nobody looks (no terminal).

    Args:
        stream: where to write; standard error as it is at that time if None.
    """

    def __init__(self, stream: IO[str] | None = None) -> None:
        self._stream = stream
        self._depth = 0
        self._spent = 0.0
        self._begun = 0.0

    def on_start(self, event: event.Event) -> None:
        """Hear that numba begins with a kernel, or with a part of one."""
        self._depth += 1
        if self._depth == 1:
            self._begun = time.monotonic()
            name = event.data["dispatcher"].py_func.__name__.strip("_").replace("_", " ")
            spent = f", {self._spent:.0f} s so far" if self._spent >= 1.0 else ""
            show_line(f"compiling for this computer, once{spent}: {name}", self._stream)

    def on_end(self, event: event.Event) -> None:
        """Hear that it is done."""
        self._depth -= 1
        if self._depth == 0:
            self._spent += time.monotonic() - self._begun
            show_line("", self._stream)


event.register("numba:compile", CompileNotice())


def compiled(function: F) -> F:
    """Compile `function` with numba (no Python objects, no GIL) and keep the result on disk.

    `CompileNotice` tells who waits for it. The result is used as long as no module in the function's folder
    changes, since a kernel has `part`s of its neighbours in it. Where neither the package's folder nor the
    user's cache can be written, it is compiled anew each time.
    """
    try:
        kernel = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))
    kernel._cache._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
    return cast(F, kernel)


@cache
def _stamp(folder: Path) -> tuple[tuple[str, float, int], ...]:
    """What tells the modules of a folder from those of another day."""
    states = ((path.name, path.stat()) for path in sorted(folder.glob("*.py")))
    return tuple((name, state.st_mtime, state.st_size) for name, state in states)


def part(function: F) -> F:
    """Let kernels call `function` as machine code; Python calls it as it is.

    For parts of a kernel that read and write arrays but make none: references to arrays are not counted,
    which in short functions takes longer than what they do. Dividing by zero gives infinity or NaN.
    """
    return _part(function, forceinline=False)


def inlined(function: F) -> F:
    """Make `function` a `part` of kernels that is copied into each of its callers."""
    return _part(function, forceinline=True)


def _part(function: F, *, forceinline: bool) -> F:
    register = register_jitable(
        _nrt=False,
        error_model="numpy",
        forceinline=forceinline,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
        nogil=True,
    )
    return cast(F, register(function))
