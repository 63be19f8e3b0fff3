"""Numbers with intervals and marks: what tables for papers are made of, before they are Markdown or LaTeX.

One star per level that a corrected p-value passes, against a named baseline; bold only where an agent is
shown to be better than every other. Who is told the reference is marked, and is never bold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.kit.findings import Cell, Table

LEVELS = (0.001, 0.01, 0.05)
"""Each that a p-value does not exceed gets it a star."""
_ENDS = (("low", "high"), ("from", "to"))


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A number in the unit of its column.

    Attributes:
        value: the number; None if it is undefined.
        low: lower end of its interval.
        high: upper end.
        p: corrected p-value of the comparison with the baseline; None where there is none.
        best: it is shown to be better than that of every other agent.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    best: bool = False


class ResultRow(msgspec.Struct, frozen=True, kw_only=True):
    """One agent, in one group of the cases."""

    agent: str
    group: str = ""
    cases: int
    estimates: tuple[Estimate | None, ...]
    privileged: bool = False
    explored: bool = False

    @property
    def mark(self) -> str:
        """What stands behind the name of an agent that knew more than others."""
        return ("†" if self.privileged else "") + ("‡" if self.explored else "")

    @property
    def name(self) -> str:
        """The agent, marked if it knew more than others."""
        return self.agent + self.mark


class ResultsTable(msgspec.Struct, frozen=True, kw_only=True):
    """Agents × metrics.

    Attributes:
        name: for files and labels: letters, digits and dashes.
        title: one line.
        metrics: the name of each estimate.
        columns: a heading for each, with its unit.
        better: which way is better, per column: ``higher``, ``lower`` or ``none``.
        rows: those of a group stand together.
        baseline: the agent that p-values compare with; empty if none was named.
        tests: how many comparisons of a metric the p-values are corrected for, Holm's way.
        intervals: what intervals are and hold for.
        notes: what else a reader must know.
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    columns: tuple[str, ...]
    better: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    baseline: str = ""
    tests: int = 0
    intervals: str = ""
    notes: tuple[str, ...] = ()

    @property
    def grouped(self) -> bool:
        """Whether the rows are of several groups."""
        return len({row.group for row in self.rows}) > 1

    def legend(self, *, bold: bool = True) -> list[str]:
        """Say what the marks of this table mean, as far as it uses them; `bold` if bold can be shown."""
        every = [one for row in self.rows for one in row.estimates if one is not None]
        said = [f"In brackets: {self.intervals}."] if self.intervals else []
        family = f"corrected after Holm for the {counted(self.tests, 'comparison')} of each metric"
        if self.baseline:
            levels = ", ".join(f"{'*' * (3 - k)} p ≤ {level:g}" for k, level in enumerate(LEVELS))
            said.append(f"Against {self.baseline}: {levels}; sign flips, {family}.")
        if bold and any(one.best for one in every):
            said.append(f"Bold: better than every other agent at p ≤ 0.05, {family}.")
        elif bold and self.tests and set(self.better) != {"none"}:
            said.append("No value is bold: none is shown to be better than those of all other agents.")
        if any(row.privileged for row in self.rows):
            said.append("†: told the reference; not compared for bold.")
        if any(row.explored for row in self.rows):
            said.append("‡: pre-exploration: saw the building before it walked; not compared for bold.")
        return [*said, *(f"{note[0].upper()}{note[1:]}." for note in self.notes)]

    def to_table(self) -> Table:
        """Return it as plain numbers: value, ends of the interval and p of each metric."""
        rows = []
        for row in self.rows:
            cells: list[Cell] = [row.agent, *([row.group] if self.grouped else []), row.cases]
            for one in row.estimates:
                estimate = one or Estimate(value=None)
                cells += [
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    *([estimate.p] if self.baseline else []),
                ]
            rows.append(tuple(cells))
        columns = ["agent", *(["group"] if self.grouped else []), "cases"]
        for name in self.columns:
            columns += [name, f"{name} low", f"{name} high", *([f"{name} p"] if self.baseline else [])]
        notes = ("p: against the baseline, corrected after Holm",) if self.baseline else ()
        return Table(
            name=self.name,
            title=self.title,
            columns=tuple(columns),
            rows=tuple(rows),
            notes=(*filter(None, [self.intervals]), *notes, *self.notes),
        )


class Folded(NamedTuple):
    """A table in which a number and the ends of its interval are one cell."""

    columns: list[str]
    rows: list[list[Cell | Estimate]]


def counted(count: int, noun: str) -> str:
    """Write how many there are of something.

    Example:
        >>> counted(1, "scene"), counted(1200, "episode")
        ('1 scene', '1,200 episodes')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def stars(p: float | None) -> str:
    """Return the marks of a corrected p-value.

    Example:
        >>> [stars(p) for p in (0.0005, 0.01, 0.05, 0.0501, None)]
        ['***', '**', '*', '', '']
    """
    return "" if p is None else "*" * sum(p <= level for level in LEVELS)


def plain_estimate(one: Estimate | None, digits: int) -> str:
    """Write a number with its interval and stars, for a terminal.

    Example:
        >>> plain_estimate(Estimate(value=60.15, low=52.9, high=63.4, p=0.003), 1)
        '60.1 [52.9, 63.4]**'
    """
    if one is None or one.value is None:
        return "–"
    text = f"{one.value:.{digits}f}"
    if one.low is not None and one.high is not None:
        text += f" [{one.low:.{digits}f}, {one.high:.{digits}f}]"
    return text + stars(one.p)


def folded(table: Table) -> Folded:
    """Put the columns ``low`` and ``high`` (or ``from`` and ``to``) behind a number into its cell.

    Example:
        >>> folded(Table(name="t", title="T", columns=("a", "SR", "low", "high"), rows=(("x", 5, 4, 6),)))
        Folded(columns=['a', 'SR'], rows=[['x', Estimate(value=5, low=4, high=6, p=None, best=False)]])
    """
    names = table.columns
    starts = [at for at in range(len(names) - 2) if _is_interval(names, at) and _are_numbers(table, at)]
    inside = {at + step for at in starts for step in (1, 2)}
    kept = [at for at in range(len(names)) if at not in inside]
    rows = [[_estimate(row, at) if at in starts else row[at] for at in kept] for row in table.rows]
    return Folded([names[at] for at in kept], rows)


def decimals(estimates: Iterable[Estimate | None]) -> int:
    """Return how many decimals the numbers of a column are written with: two if all are below ten."""
    return 1 if any(abs(one.value) >= 10 for one in estimates if one and one.value is not None) else 2


def _is_interval(names: tuple[str, ...], at: int) -> bool:
    behind = (names[at + 1], names[at + 2])
    return any(behind in (ends, tuple(f"{names[at]} {end}" for end in ends)) for ends in _ENDS)


def _are_numbers(table: Table, at: int) -> bool:
    return all(not isinstance(cell, str) for row in table.rows for cell in row[at : at + 3])


def _estimate(row: tuple[Cell, ...], at: int) -> Estimate:
    value, low, high = (None if isinstance(cell, str) else cell for cell in row[at : at + 3])
    return Estimate(value=value, low=low, high=high)
