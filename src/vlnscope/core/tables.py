"""Results as tables: columns by name, kept as Parquet, and handed to those who have pyarrow or pandas.

Parquet is written and read by DuckDB: less than half of what pyarrow weighs, and damaged files are errors.
"""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.core.files import write_whole

if TYPE_CHECKING:
    import pandas
    import pyarrow

Column = Sequence[Any] | NDArray[Any]
Columns = Mapping[str, Column]
"""Values by the name of their column; None, or what a masked array masks, stands for no value."""
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,  # so that the same table gives the same bytes
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class Tabular(ABC):
    """A result that can be looked at as a table."""

    @abstractmethod
    def columns(self) -> Columns:
        """Return the table as columns."""

    def to_arrow(self) -> pyarrow.Table:
        """Return the columns as an Arrow table (needs the extra ``arrow``).

        Raises:
            InputError: pyarrow is not installed.
        """
        try:
            import pyarrow
        except ModuleNotFoundError:
            raise MissingPackageError(
                "pyarrow", "arrow", "Arrow tables need", "save the table as Parquet, or take columns()"
            ) from None
        return pyarrow.table({name: _for_arrow(pyarrow, values) for name, values in self.columns().items()})

    def to_pandas(self) -> pandas.DataFrame:
        """Return the columns as a data frame (needs the extra ``pandas``).

        Raises:
            InputError: pandas is not installed.
        """
        try:
            import pandas
        except ModuleNotFoundError:
            raise MissingPackageError("pandas", "pandas", "data frames need", "take columns()") from None
        return pandas.DataFrame({name: _for_pandas(values) for name, values in self.columns().items()})


def columns_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns: all that some row has, in the order of appearance.

    Example:
        >>> columns_of([{"a": 1}, {"a": 2, "b": "x"}])
        {'a': [1, 2], 'b': [None, 'x']}
    """
    records = list(rows)
    known = dict.fromkeys(name for row in records for name in row)
    return {name: [row.get(name) for row in records] for name in known}


def write_parquet(path: str | Path, columns: Columns) -> Path:
    """Write a table, whole or not at all, and return the path."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config=_SETTINGS) as connection:
        file = Path(folder, "table.parquet")
        connection.register("made", {name: _array(values) for name, values in columns.items()})
        connection.view("made").write_parquet(str(file), compression="zstd")
        with write_whole(path) as stream:
            stream.write(file.read_bytes())
    return Path(path)


def read_parquet(path: str | Path) -> dict[str, list[Any]]:
    """Read a table.

    Raises:
        InputError: there is no such file, or it is no Parquet file.
    """
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config=_SETTINGS) as connection:
        link = Path(folder, "table.parquet")
        link.symlink_to(Path(path).resolve())  # because signs in a path could be taken for a pattern
        try:
            result = connection.execute("SELECT * FROM read_parquet(?)", [str(link)])
            rows, names = result.fetchall(), [name for name, *_ in result.description or ()]
        except (duckdb.Error, UnicodeDecodeError) as error:
            what = str(error).replace(str(link), str(path)).partition("\n")[0]
            raise InputError(
                f"{path}: cannot be read as a table ({what})",
                expected="a Parquet file",
                fix="make it again",
            ) from None
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _array(values: Column) -> NDArray[Any]:
    """Return a column as numpy holds it: numbers with a mask for those that are not there, else objects."""
    if isinstance(values, np.ndarray):
        return values
    kind = _number_kind(values)
    if kind is None:
        array = np.empty(len(values), dtype=object)
        array[:] = [list(value) if isinstance(value, tuple) else value for value in values]
        return array
    filled: NDArray[Any] = np.array([kind() if value is None else value for value in values], dtype=kind)
    return np.ma.array(filled, mask=[value is None for value in values])


def _number_kind(values: Sequence[Any]) -> type | None:
    """Return the type of numbers that values are, float where there are none; None for anything else."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return int if kinds == {int} else float
    return bool if kinds == {bool} else None


def _for_arrow(pyarrow: Any, values: Column) -> Any:
    if isinstance(values, np.ma.MaskedArray):
        return pyarrow.array(values.data, mask=np.ma.getmaskarray(values))
    return pyarrow.array(values)


def _for_pandas(values: Column) -> Any:
    return values.filled(np.nan) if isinstance(values, np.ma.MaskedArray) else values
