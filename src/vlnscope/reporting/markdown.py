"""Findings as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.findings import Cell, Findings, Table
from vlnscope.reporting.sentences import ranked, sentence


def markdown(findings: Findings, figures: dict[str, str] | None = None) -> str:
    """Return a page: what is said of each agent, the tables, and the figures by the names of their files."""
    return "\n".join(_page(findings, figures or {})) + "\n"


def markdown_table(table: Table) -> str:
    """Return one table; cells that hold a bar are escaped.

    Example:
        >>> print(markdown_table(Table(name="t", title="T", columns=("agent", "SR"), rows=(("a", 51.25),))))
        | agent | SR |
        |---|---:|
        | a | 51.25 |
    """
    first = table.rows[0] if table.rows else ("",) * len(table.columns)
    marks = ["---:" if isinstance(cell, int | float) else "---" for cell in first]
    lines = [_row(table.columns), "|" + "|".join(marks) + "|"]
    return "\n".join([*lines, *(_row([cell_text(cell) for cell in row]) for row in table.rows)])


def cell_text(cell: Cell) -> str:
    """Write a cell: numbers with two decimals, small ones with a digit that counts, nothing for nothing.

    Example:
        >>> [cell_text(cell) for cell in (1234, 0.5, 0.00012, 0.0, None, "a")]
        ['1,234', '0.50', '0.0001', '0.00', '', 'a']
    """
    if cell is None:
        return ""
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, str):
        return cell
    return f"{cell:.2f}" if abs(cell) >= 0.01 or cell == 0 else f"{cell:.1g}"


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _page(findings: Findings, figures: dict[str, str]) -> Iterator[str]:
    yield f"# {findings.benchmark}: {findings.data}"
    for agent in findings.agents:
        said = [s for s in ranked(findings.statements) if s.agent == agent]
        if said:
            yield f"\n## {agent}\n"
            yield from (f"- {sentence(statement)}" for statement in said)
    for table in findings.tables:
        yield f"\n## {table.title}\n"
        yield markdown_table(table)
        yield from (f"\n{note}" for note in table.notes)
        if table.source:
            yield f"\n*After {table.source}.*"
    for figure in findings.figures:
        if figure.name in figures:
            yield f"\n## {figure.title}\n"
            yield f"![{figure.title}]({figures[figure.name]})"
            yield f"\n{figure.caption}" if figure.caption else ""
    if findings.notes:
        yield "\n## Notes\n"
        yield from (f"- {note}" for note in findings.notes)
