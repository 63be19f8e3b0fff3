"""What all verbs print with: JSON, or blocks of text."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from vlnscope.core.exceptions import VlnscopeError
from vlnscope.core.json_file import json_text
from vlnscope.core.results import Block, Line, Result, TextTable

PIPE_WIDTH = 200


def print_json(thing: Any) -> None:
    """Print plain data as one JSON object."""
    sys.stdout.write(json_text(thing))


def print_result(result: Result, json: bool) -> None:
    """Print a result: as JSON if that is wanted, else as people read it."""
    if json:
        print_json(result.to_dict())
    else:
        show(*result.display())


def show(*blocks: Block | str | object) -> None:
    """Print blocks one after the other; a text is a line, and rich prints whatever else it knows."""
    # lines are not cut to a width where there is no terminal
    screen = Console(highlight=False, emoji=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
    for block in blocks:
        if isinstance(block, TextTable):
            screen.print(_table(block))
        elif isinstance(block, Line):
            screen.print(_marked(block), soft_wrap=True)
        else:
            screen.print(escape(block) if isinstance(block, str) else block, soft_wrap=True)


def show_notes(notes: Iterable[str]) -> None:
    """Print what a reader should know besides."""
    show(*(Line(note, style="dim") for note in notes))


def _table(block: TextTable) -> Table:
    table = Table(
        title=escape(block.title), title_justify="left", title_style="bold", header_style="bold", box=None
    )
    for i, name in enumerate(block.columns):
        table.add_column(name, justify="left" if i < block.texts else "right")
    for row in block.rows:
        table.add_row(*map(escape, row))
    return table


def _marked(line: Line) -> str:
    lead, text = escape(line.lead), escape(line.text)
    if not line.style:
        return lead + text
    return f"[{line.style}]{lead}[/]{text}" if lead else f"[{line.style}]{text}[/]"


def print_error(error: VlnscopeError) -> None:
    """Print the three parts of an error to standard error."""
    err = Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)
    for label, text in (("error", error.what), ("expected", error.expected), ("fix", error.fix)):
        err.print(f"[bold]{label:>9}[/] {escape(text)}")
