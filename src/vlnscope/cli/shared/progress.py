"""Progress bars, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def progress(things: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield `things` and show on a terminal (standard error) how many of `total` have come."""
    if not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(things, what, total=total, console=Console(stderr=True), transient=True)
