"""Tables: what is written as Parquet comes back, others can read it, and damage is an error."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.core.tables import Columns, Tabular, columns_of, read_parquet, write_parquet

COLUMNS: dict[str, list[Any]] = {
    "text": [None, "é", "a,b"],
    "number": [0.1, None, 2],
    "count": [3, None, 4],
    "flag": [True, None, False],
    "nothing": [None, None, None],
    'odd "name", 1': ["x", "y", "z"],
    "texts": [["a", "b"], [], None],
    "numbers": [[0.5], None, []],
}


class Made(Tabular):
    def columns(self) -> Columns:
        return COLUMNS | {"masked": np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])}


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a[1]*?=b.parquet", Made().columns())
    assert read_parquet(path) == COLUMNS | {"masked": [1.0, None, 3.0]}
    again = write_parquet(tmp_path / "again.parquet", Made().columns())
    assert again.read_bytes() == path.read_bytes()


def test_others_read_it_and_it_reads_theirs(tmp_path: Path) -> None:
    ours = pq.read_table(write_parquet(tmp_path / "ours.parquet", COLUMNS))
    assert ours.to_pydict() == COLUMNS
    kinds = {name: ours.schema.field(name).type for name in ("text", "number", "count", "flag")}
    assert kinds == {"text": pa.string(), "number": pa.float64(), "count": pa.int64(), "flag": pa.bool_()}
    pq.write_table(pa.table(COLUMNS), tmp_path / "theirs.parquet", compression="zstd")
    assert read_parquet(tmp_path / "theirs.parquet") == COLUMNS


def test_a_table_for_those_who_have_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Made().to_arrow().to_pydict()["masked"] == [1.0, None, 3.0]
    frame = Made().to_pandas()
    assert frame["masked"].isna().tolist() == [False, True, False]
    assert frame["text"].tolist()[1:] == ["é", "a,b"]
    for name, make in (("pyarrow", Made().to_arrow), ("pandas", Made().to_pandas)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(InputError, match=f"{name} is not installed"):
            make()


def test_damage_is_an_error_or_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    whole = write_parquet(path, COLUMNS).read_bytes()
    for number, at in enumerate(np.linspace(0, len(whole), 24, dtype=int)):
        rest = b"" if number % 4 == 0 else whole[at + 3 :]
        path.write_bytes(whole[:at] + bytes([number, 255 - number, 7]) + rest)
        with suppress(InputError):
            assert set(read_parquet(path))


def test_no_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "other.parquet").write_text("PAR1 but otherwise nothing PAR1")
    for name in ("nowhere.parquet", "other.parquet"):
        with pytest.raises(InputError, match=rf"^{tmp_path}/{name}: cannot be read as a table \(.*\)\n"):
            read_parquet(tmp_path / name)


def test_rows_become_columns() -> None:
    assert columns_of([]) == {}
    assert columns_of([{"a": 1, "b": 2}, {"c": 3}]) == {"a": [1, None], "b": [2, None], "c": [None, 3]}
