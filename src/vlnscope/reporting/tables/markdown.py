"""Findings, tables and whole reports as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vlnscope.benchmarks.kit.findings import Cell, Findings, Table
from vlnscope.reporting.report_data import LeftOut, Report
from vlnscope.reporting.sentences import number, ranked, sentence
from vlnscope.reporting.tables.marks import Estimate, ResultsTable, decimals, folded, plain_estimate
from vlnscope.reporting.verdicts import Verdict, headline

_ARROWS = {"higher": " ↑", "lower": " ↓", "none": ""}
_NAMED = {"<": "&lt;", "&": "&amp;"}  # some readers of Markdown know no backslash before these
_IMAGES = (".svg", ".png")
_SPECIAL = re.compile(
    r"""[\\`*|~]                                 # wherever they stand
    | <(?=[A-Za-z/!?])                           # what begins a tag
    | (?<![^\W_])_ | _(?![^\W_])                 # not inside of a word
    | (?<=\])[(\[] | ^\[                         # what makes a link of brackets
    | &(?=\#?\w+;)                               # what makes a sign of letters
    | ^(?:>|(?:\#+|[+=-]+|\d+[.)])(?=\s|$))      # marks of quotes, headings, lines and lists
    | (?<=\s)\#+$                                # a heading may end so""",
    re.VERBOSE,
)


def markdown_text(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is, on one line: in headings, lists and cells.

    Example:
        >>> print(markdown_text("<b>*mine*</b> | a_b\nr2r/val_unseen [1, 2]"))
        &lt;b>\*mine\*&lt;/b> \| a_b r2r/val_unseen [1, 2]
    """
    return _SPECIAL.sub(_escaped, " ".join(text.split()))


def markdown_report(
    report: Report,
    results: Sequence[ResultsTable] = (),
    figures: Sequence[Mapping[str, str]] = (),
) -> str:
    """Return a page for a whole report.

    Args:
        report: what was found.
        results: tables of results, which stand before the findings and in place of tables of their names.
        figures: for each of the report's findings, the files of its figures by their names.
    """
    lines = [f"# {markdown_text(report.title)}"]
    for agent in report.agents:
        its = [verdict for verdict in report.verdicts if verdict.agent == agent.name]
        if its:
            lines += [f"\n## {markdown_text(agent.name)}: what it can and cannot do\n"]
            lines += [f"{markdown_text(note)}\n" for note in agent.notes]
            lines += map(_verdict, its)
    for table in results:
        lines += [f"\n## {markdown_text(table.title)}\n", markdown_results(table)]
        lines += [f"\n{markdown_text(note)}" for note in table.legend()]
    shown = {table.name for table in results}
    for at, findings in enumerate(report.findings):
        rest = tuple(table for table in findings.tables if table.name not in shown)
        part = msgspec.structs.replace(findings, tables=rest)
        lines.append(f"\n{markdown(part, figures[at] if figures else {}, level=2)}".rstrip())
    if report.left_out:
        lines.append("\n## Left out\n")
        lines += [f"- {markdown_text(_left_out(one))}" for one in report.left_out]
    return "\n".join(lines) + "\n"


def markdown(findings: Findings, figures: Mapping[str, str] | None = None, level: int = 1) -> str:
    """Return what is said of each agent, the tables, and the figures by the names of their files."""
    return "\n".join(_page(findings, figures or {}, "#" * level)) + "\n"


def markdown_table(table: Table) -> str:
    """Return one table; a number and its interval share a cell, and texts are escaped.

    Example:
        >>> print(markdown_table(Table(name="t", title="T", columns=("agent", "SR"), rows=(("a", 51.25),))))
        | agent | SR |
        |---|---:|
        | a | 51.25 |
    """
    shown = folded(table)
    places = range(len(shown.columns))
    estimate_columns = [
        [cell for row in shown.rows if isinstance(cell := row[at], Estimate)] for at in places
    ]
    digits = [decimals(estimates) for estimates in estimate_columns]
    rows = [[_cell(row[at], digits[at]) for at in places] for row in shown.rows]
    first = shown.rows[0] if shown.rows else [""] * len(shown.columns)
    columns = [markdown_text(name) for name in shown.columns]
    return _grid(columns, rows, [not isinstance(cell, str) and cell is not None for cell in first])


def markdown_results(table: ResultsTable) -> str:
    """Return a table of results, with the marks that `ResultsTable.legend` explains."""
    columns = ["agent", *(["cases of"] if table.grouped else []), "n"]
    texts = len(columns) - 1
    columns += [
        markdown_text(name) + _ARROWS[way] for name, way in zip(table.columns, table.better, strict=True)
    ]
    digits = [decimals(row.estimates[at] for row in table.rows) for at in range(len(table.columns))]
    rows = [
        [
            markdown_text(row.agent) + row.mark,
            *([markdown_text(row.group)] if table.grouped else []),
            f"{row.cases:,}",
            *(_estimate(one, digits[at]) for at, one in enumerate(row.estimates)),
        ]
        for row in table.rows
    ]
    return _grid(columns, rows, [at >= texts for at in range(len(columns))])


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


def _cell(cell: Cell | Estimate, digits: int) -> str:
    return _estimate(cell, digits) if isinstance(cell, Estimate) else markdown_text(cell_text(cell))


def _estimate(one: Estimate | None, digits: int) -> str:
    text = markdown_text(plain_estimate(one, digits))
    value, space, rest = text.partition(" ")
    return f"**{value}**{space}{rest}" if one is not None and one.best else text


def _grid(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    marks = "|" + "|".join("---:" if number else "---" for number in right) + "|"
    return "\n".join([_row(columns), marks, *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escaped(match: re.Match[str]) -> str:
    sign = match[0][-1]
    return match[0][:-1] + _NAMED.get(sign, f"\\{sign}")


def _left_out(one: LeftOut) -> str:
    return f"{one.benchmark} ({', '.join(one.agents)}): {one.reason}" + (
        f"; {one.remedy}" if one.remedy else ""
    )


def _verdict(verdict: Verdict) -> str:
    share = f"{number(100 * verdict.ability)} % of the best"
    said = markdown_text(sentence(verdict.statement))
    return f"- **{markdown_text(headline(verdict))}** ({verdict.grade}; {verdict.benchmark}: {share}): {said}"


def _page(findings: Findings, figures: Mapping[str, str], level: str) -> Iterator[str]:
    yield f"{level} {markdown_text(f'{findings.benchmark}: {findings.data}')}"
    for agent in findings.agents:
        said = [s for s in ranked(findings.statements) if s.agent == agent]
        if said:
            yield f"\n{level}# {markdown_text(agent)}\n"
            yield from (f"- {markdown_text(sentence(statement))}" for statement in said)
    for table in findings.tables:
        yield f"\n{level}# {markdown_text(table.title)}\n"
        yield markdown_table(table)
        yield from (f"\n{markdown_text(note)}" for note in table.notes)
        if table.source:
            yield f"\n*After {markdown_text(table.source)}.*"
    for figure in findings.figures:
        if figure.name in figures:
            file, title = figures[figure.name], markdown_text(figure.title)
            yield f"\n{level}# {title}\n"
            label = title.replace("]", r"\]")
            yield f"{'!' * file.endswith(_IMAGES)}[{label}]({file})"
            yield f"\n{markdown_text(figure.caption)}" if figure.caption else ""
    if findings.notes:
        yield f"\n{level}# Notes\n"
        yield from (f"- {markdown_text(note)}" for note in findings.notes)
