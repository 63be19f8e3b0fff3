"""What all commands print with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from vlnscope.core.exceptions import VlnscopeError
from vlnscope.core.json_file import json_text

PIPE_WIDTH = 200


def console() -> Console:
    """Return a console for standard output; lines are not cut to a width where there is no terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def print_json(thing: Any) -> None:
    """Print plain data as one JSON object."""
    sys.stdout.write(json_text(thing))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> Table:
    """Make a table whose first `texts` columns are aligned left and the others right."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None)
    for i, name in enumerate(columns):
        made.add_column(name, justify="left" if i < texts else "right")
    for row in rows:
        made.add_row(*map(plain, row))
    return made


def interval(low: float | None, high: float | None) -> str:
    """Write an interval, or nothing where there is none."""
    return "" if low is None or high is None else f"{low:.2f} … {high:.2f}"


def plain(text: str) -> str:
    """Keep rich from reading markup in a text that is not ours."""
    return escape(text)


def print_error(error: VlnscopeError) -> None:
    """Print the three parts of an error to standard error."""
    err = Console(stderr=True, highlight=False, soft_wrap=True)
    for label, text in (("error", error.what), ("expected", error.expected), ("fix", error.fix)):
        err.print(f"[bold]{label:>9}[/] {plain(text)}")
