"""A line on the terminal while one has to wait, gone when the wait is over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_CLEAR = "\r\x1b[K"


@contextmanager
def waiting_line(text: str, stream: IO[str] | None = None) -> Iterator[None]:
    """Show a line while something takes its time.

    Nothing is written where nobody looks (no terminal).

    Args:
        text: what is being done.
        stream: where to write; standard error as it is at that time if None.

    Example:
        >>> with waiting_line("baking the light of the house, once"):
        ...     pass
    """
    show_line(text, stream)
    try:
        yield
    finally:
        show_line("", stream)


def show_line(text: str, stream: IO[str] | None = None) -> None:
    """Replace the line that is shown on a terminal; an empty text takes it away."""
    screen: Any = stream or sys.stderr
    if screen is not None and screen.isatty():
        screen.write(_CLEAR + text)
        screen.flush()
