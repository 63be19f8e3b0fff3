"""Tables as a page shows them: cells with the number that they are sorted by."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.findings import Cell, Figure, Findings, Series, Table
from vlnscope.reporting.sentences import number
from vlnscope.reporting.sources.definitions import metrics_in, table_texts
from vlnscope.reporting.tables.markdown import cell_text

FILTERED = 8
"""Tables with more rows than this can be filtered."""


class ShownCell(NamedTuple):
    """A cell; `key` is what numbers are sorted by, empty for text."""

    text: str
    key: str


class ShownTable(NamedTuple):
    """A table ready for a page.

    `numeric` says which columns hold numbers, `defined` which metrics it is about.
    """

    anchor: str
    table: Table
    numeric: tuple[bool, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    filtered: bool
    defined: list[str]


def shown_table(table: Table, anchor: str, own: Collection[str] = ()) -> ShownTable:
    """Make a table ready for a page; `own` are names that are no metrics here."""
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows)
    numeric = tuple(
        any(isinstance(row[k], int | float) for row in table.rows)
        and not any(isinstance(row[k], str) and row[k] for row in table.rows)
        for k in range(len(table.columns))
    )
    return ShownTable(anchor, table, numeric, rows, len(rows) > FILTERED, metrics_in(table_texts(table), own))


def reference_tables(findings: Findings) -> list[Table]:
    """Return what sets agents beside references: chance, oracles, people, published agents.

    That is the first figure in which agents and references are told of the same things, as a table with a row
    each, and the first table with rows of agents and of others.
    """
    drawn = (_beside(figure, findings.agents) for figure in findings.figures)
    tables = (table for table in findings.tables if _has_others(table, findings.agents))
    candidates = (next((table for table in drawn if table is not None), None), next(tables, None))
    return [table for table in candidates if table is not None]


def _beside(figure: Figure, agents: Sequence[str]) -> Table | None:
    series = [one for panel in figure.panels for one in panel.series]
    measured = [one for one in series if one.name in agents]
    if len(figure.panels) != 1 or not measured or not all(isinstance(cell, str) for cell in measured[0].x):
        return None
    others = [one for one in series if one.role == "reference" and one.x == measured[0].x]
    return _side_by_side(figure, [*measured, *others]) if others else None


def _has_others(table: Table, agents: Sequence[str]) -> bool:
    if table.columns[0] != "agent":
        return False
    known = [row[0] in agents for row in table.rows]
    return any(known) and not all(known)


def _side_by_side(figure: Figure, rows: list[Series]) -> Table:
    return Table(
        name=f"{figure.name}-references",
        title=f"{figure.title} ({figure.y})",
        columns=("agent or reference", *(str(cell) for cell in rows[0].x)),
        rows=tuple((one.name, *one.y) for one in rows),
        notes=(figure.caption,) if figure.caption else (),
        source=figure.source,
    )


def _cell(cell: Cell) -> ShownCell:
    if isinstance(cell, str) or cell is None:
        return ShownCell(cell or "", "")
    return ShownCell(cell_text(cell) if isinstance(cell, int) else _decimal(cell), repr(cell))


def _decimal(value: float) -> str:
    return number(value) if abs(value) >= 0.1 or value == 0 else cell_text(value)
