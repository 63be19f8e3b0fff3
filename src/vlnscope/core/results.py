"""One base for all results: tables for other programs, files, and text for a terminal or a notebook.

A result says what it is as plain data (`to_dict`), which rows its table has (`records`), and what people are
shown (`display`); everything else follows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_output
from vlnscope.core.json_file import json_text, write_json, write_json_lines
from vlnscope.core.tables import Columns, Tabular, columns_of, write_parquet

ROWS = (".parquet", ".jsonl", ".jsonl.gz")
"""Endings of files of rows."""
TARGETS = (*ROWS, ".json")
"""Endings of all files that a result can be written to."""


class TextTable(NamedTuple):
    """A table of texts; the first `texts` columns are aligned left, the others right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1


class Line(NamedTuple):
    """A line of text; `style` (as rich names it) holds for `lead` if there is one, else for the text."""

    text: str
    lead: str = ""
    style: str = ""


Block = TextTable | Line


def notes(texts: Iterable[str]) -> list[Line]:
    """Return what a reader should know besides, as lines."""
    return [Line(text, style="dim") for text in texts]


def lines(texts: Iterable[str]) -> list[Line]:
    """Return texts as lines."""
    return [Line(text) for text in texts]


class Result(Tabular):
    """What a verb found."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""

    @abstractmethod
    def records(self) -> Iterable[Any]:
        """Return the rows of the table as plain data."""

    @abstractmethod
    def display(self) -> Iterable[Block]:
        """Return what people are shown."""

    def columns(self) -> Columns:
        """Return the table as columns."""
        return columns_of(self.records())

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json_text(self.to_dict())

    def save(self, path: str | Path) -> Path:
        """Write everything (``.json``), or the table (``.parquet``, ``.jsonl``), as the ending says.

        Raises:
            InputError: the ending is none of `TARGETS`, or no file can be written there.
        """
        ending = check_target(Path(path))
        if ending == ".json":
            return write_json(path, self.to_dict())
        if ending == ".parquet":
            return write_parquet(path, self.columns())
        return write_json_lines(path, self.records())

    def _repr_html_(self) -> str:
        return "".join(map(_html, self.display()))


def check_target(path: Path, endings: tuple[str, ...] = TARGETS, sources: Iterable[str | Path] = ()) -> str:
    """Return the ending of a file that a result is to be written to, or refuse it.

    Args:
        path: the file.
        endings: those that its name may have.
        sources: what is read before, and must not be overwritten.

    Raises:
        InputError: the name has another ending, or no file can be written there (see `check_output`).
    """
    kind = "".join(path.suffixes[-2:]) if path.suffix == ".gz" else path.suffix
    if kind not in endings:
        raise InputError(
            f"{path}: scores cannot be written as {path.suffix or 'a file without ending'}",
            expected=f"a name that ends in {', '.join(endings)}",
            fix=f"name it {path.stem or 'scores'}.parquet",
        )
    check_output(path, *sources)
    return kind


def interval(low: float | None, high: float | None) -> str:
    """Write an interval, or nothing where there is none."""
    return "" if low is None or high is None else f"{low:.2f} … {high:.2f}"


def number(value: float | None, form: str = ".2f") -> str:
    """Write a number, or a dash where there is none."""
    return "–" if value is None else f"{value:{form}}"


def _html(block: Block) -> str:
    if isinstance(block, Line):
        return f"<p>{escape(block.lead + block.text)}</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in block.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows
    )
    return f"<table><caption>{escape(block.title)}</caption><tr>{head}</tr>{body}</table>"
