"""Declarations: what a benchmark states, tabulates and draws, as data in a ``findings.toml`` beside its code.

The file names every statement, table and figure once, with its words; the code computes the numbers and says
which declaration they belong to. ``{value}``, ``{low}``, ``{high}``, ``{null}`` and ``{n}`` stay in the words
of statements until a report fills them in; all other names in braces are filled in when the finding is made.

    [statements.goal]                      [tables.scores]                     [figures.outcomes]
    key = "goal.SR"                        title = "Scores of {data}"          title = "How walks end"
    plain = "reaches {value} of {n}"       columns = ["agent", "SR (%)"]       kind = "bars"
    weight = 0.6                           notes = ["means over cases"]        x = "outcome"
    metric = "SR"                          source = "Table 3"                  y = "walks (%)"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Findings,
    Kind,
    Panel,
    Series,
    Statement,
    Table,
    Unit,
    Wording,
    statement,
)
from vlnscope.stats.interval import Interval

FILE = "findings.toml"
_LATER = {name: f"{{{name}}}" for name in ("value", "low", "high", "null", "n")}
_AS_THEY_ARE = ("m", "steps")
"""Units of numbers that are no shares of 1."""


class StatementSpec(Wording, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement without its numbers: its words, and the attributes of `Statement` that never change."""

    key: str
    unit: Unit | None = None
    weight: float = 0.5
    metric: str = ""
    topic: str = ""
    worst: float | None = None
    best: float | None = None

    def wording(self, **words: object) -> Wording:
        """Return the words, all filled in but the numbers."""
        texts = {name: _filled(getattr(self, name), **words) for name in Wording.__struct_fields__}
        return Wording(**texts)


class TableSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table without its rows."""

    title: str
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""


class FigureSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure without its series."""

    title: str
    kind: Kind
    x: str
    y: str
    caption: str = ""
    source: str = ""
    columns: int = 0


class Declarations(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a benchmark can find."""

    statements: dict[str, StatementSpec] = {}
    tables: dict[str, TableSpec] = {}
    figures: dict[str, FigureSpec] = {}

    def statement(
        self,
        name: str,
        agent: str,
        interval: Interval,
        words: Mapping[str, object] | None = None,
        **more: Any,
    ) -> Statement:
        """Return a declared statement with its numbers; shares of 1 become percent.

        Args:
            name: of the declaration.
            agent: of whom it is said.
            interval: the number.
            words: what is filled into the key, the metric and the words.
            **more: attributes of `Statement` that depend on the numbers, such as `null` or `episodes`.
        """
        spec, words = self.statements[name], words or {}
        fixed = {
            "weight": spec.weight,
            "metric": _filled(spec.metric, **words),
            "topic": spec.topic,
            "worst": spec.worst,
            "best": spec.best,
        }
        if spec.unit is not None:
            fixed["unit"] = spec.unit
        scale = 1.0 if spec.unit in _AS_THEY_ARE else 100.0
        key = _filled(spec.key, **words)
        return statement(key, agent, interval, spec.wording(**words), scale=scale, **(fixed | more))

    def table(self, name: str, rows: Iterable[tuple[Cell, ...]], **words: Any) -> Table:
        """Return a declared table with its rows; `words` are filled in, `columns` among them replaced."""
        spec = self.tables[name]
        return Table(
            name=_filled(name, **words),
            title=_filled(spec.title, **words),
            columns=tuple(words.get("columns", spec.columns)),
            rows=tuple(rows),
            notes=tuple(_filled(note, **words) for note in spec.notes),
            source=_filled(spec.source, **words),
        )

    def figure(
        self, name: str, panels: Mapping[str, Iterable[Series]] | Sequence[Panel], **words: Any
    ) -> Figure:
        """Return a declared figure with its panels, or with their series by the titles of the panels."""
        spec = self.figures[name]
        if isinstance(panels, Mapping):
            panels = [Panel(title=title, series=tuple(series)) for title, series in panels.items()]
        texts = {field: _filled(getattr(spec, field), **words) for field in ("title", "x", "y", "source")}
        return Figure(
            name=_filled(name, **words),
            kind=spec.kind,
            panels=tuple(panels),
            caption=_filled(spec.caption, **words),
            columns=spec.columns,
            **texts,
        )


@cache
def declarations(package: str) -> Declarations:
    """Return what the ``findings.toml`` of a package declares."""
    return msgspec.toml.decode((resources.files(package) / FILE).read_bytes(), type=Declarations)


def findings_of(
    case_set: CaseSet,
    agents: Iterable[str],
    statements: Iterable[Statement],
    tables: Iterable[Table],
    figures: Iterable[Figure],
    notes: Iterable[str] = (),
) -> Findings:
    """Return the findings on a case set; its notes come first."""
    return Findings(
        benchmark=case_set.benchmark,
        data=case_set.data,
        agents=tuple(agents),
        statements=tuple(statements),
        tables=tuple(tables),
        figures=tuple(figures),
        notes=(*case_set.notes, *notes),
    )


def _filled(text: str, **words: object) -> str:
    return text.format(**_LATER | words)
