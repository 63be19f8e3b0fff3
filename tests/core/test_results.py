"""What all results share: tables, files, and text for a terminal or a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, Result, TextTable, interval, notes, number
from vlnscope.core.tables import read_parquet


@dataclass(frozen=True)
class Heights(Result):
    """Heights by name."""

    heights: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        return {"n": len(self.heights), "heights": self.heights}

    def records(self) -> list[dict[str, Any]]:
        return [{"name": name, "height": height} for name, height in self.heights.items()]

    def display(self) -> Iterator[Block]:
        yield TextTable("heights <m>", ("name", "height"), [[n, number(h)] for n, h in self.heights.items()])
        yield Line("tallest", lead="b ", style="bold")
        yield from notes(["measured & rounded"])


RESULT = Heights({"a": 1.5, "b": 2.25})


def test_files_by_their_ending(tmp_path: Path) -> None:
    RESULT.save(tmp_path / "all.json")
    assert json.loads((tmp_path / "all.json").read_text()) == json.loads(RESULT.to_json()) == RESULT.to_dict()
    RESULT.save(tmp_path / "rows.jsonl")
    assert [
        json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()
    ] == RESULT.records()
    RESULT.save(tmp_path / "rows.parquet")
    assert read_parquet(tmp_path / "rows.parquet") == {"name": ["a", "b"], "height": [1.5, 2.25]}
    with pytest.raises(InputError, match="cannot be written as"):
        RESULT.save(tmp_path / "rows.csv")


def test_a_notebook_shows_what_a_terminal_shows() -> None:
    html = RESULT._repr_html_()
    assert "<caption>heights &lt;m&gt;</caption>" in html
    assert html.count("<tr>") == 3
    assert "<td>2.25</td>" in html
    assert "<p>b tallest</p><p>measured &amp; rounded</p>" in html


def test_tables_of_other_packages() -> None:
    assert list(RESULT.to_pandas()["height"]) == [1.5, 2.25]
    assert RESULT.to_arrow().num_rows == 2


def test_numbers_and_intervals() -> None:
    assert (number(None), number(1.0), number(0.04, "+.1g")) == ("–", "1.00", "+0.04")
    assert (interval(1.0, 2.0), interval(None, 2.0)) == ("1.00 … 2.00", "")
