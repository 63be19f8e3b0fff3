"""How results are kept: everything as JSON, or rows as Parquet or JSON lines, by the ending of the name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_output
from vlnscope.core.json_file import write_json, write_json_lines
from vlnscope.core.tables import Columns, write_parquet

ROWS = (".parquet", ".jsonl", ".jsonl.gz")
"""Endings of files of rows."""
TARGETS = (*ROWS, ".json")
"""Endings of all files that a result can be written to."""


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


def save_result(
    path: str | Path,
    everything: Callable[[], dict[str, Any]],
    columns: Callable[[], Columns],
    rows: Callable[[], Iterable[dict[str, Any]]],
) -> None:
    """Write a result as its ending asks: all (``.json``), its table (``.parquet``), or rows (``.jsonl``).

    Raises:
        InputError: the ending is none of `TARGETS`.
    """
    path = Path(path)
    kind = check_target(path)
    if kind == ".json":
        write_json(path, everything())
    elif kind == ".parquet":
        write_parquet(path, columns())
    else:
        write_json_lines(path, rows())
