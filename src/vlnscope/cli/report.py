"""`vlnscope report` (results)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Partial, Profile, Root, names
from vlnscope.cli.shared.progress import progress
from vlnscope.core.results import Block, Line, TextTable, lines, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.findings import Findings
    from vlnscope.reporting.tables.marks import ResultsTable


class ReportFormat(StrEnum):
    """What a report is written as."""

    md = "md"
    latex = "latex"
    html = "html"


class FigureFormat(StrEnum):
    """How figures are drawn."""

    svg = "svg"
    pdf = "pdf"
    png = "png"


def report(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Folders of runs, prediction files, or NAME= one of these; or one folder of a diagnosis."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for the report.")] = None,
    only: Annotated[
        ReportFormat | None,
        typer.Option("--format", help="Write only Markdown, LaTeX or the page; all three if not given."),
    ] = None,
    figures: Annotated[
        FigureFormat | None,
        typer.Option(help="How to draw; SVG if not given and matplotlib is there. LaTeX takes pdf and png."),
    ] = None,
    baseline: Annotated[
        str, typer.Option(help="Agent that stars of significance in the tables of results compare with.")
    ] = "",
    metric: Annotated[
        str | None, typer.Option(help="Metrics of the tables of results, separated by commas.")
    ] = None,
    data: Annotated[str | None, typer.Option(help="Data set of prediction files.")] = None,
    root: Root = None,
    profile: Profile = "default",
    partial: Partial = False,
    sentences: Annotated[int, typer.Option(min=0, help="Print so many sentences of each agent.")] = 8,
    json: Json = False,
) -> None:
    """Say what runs show: sentences with intervals, tables and figures ready for a paper.

    Runs of the same cases or data are put side by side. --out writes a folder for a paper: README.md,
    report.html, report.tex, tables as Markdown and LaTeX, figures, references.bib, card.md (what it takes to
    make the same again), findings.json and the rows as Parquet.

    **Examples**

    `vlnscope report runs/follower runs/random`

    `vlnscope report runs/mine runs/theirs --baseline theirs --out report --figures pdf`

    `vlnscope report mine=preds.json theirs=other.json --data r2r/val_unseen --baseline theirs --out report`

    `vlnscope report diagnosis --baseline random --out paper --format latex --figures pdf`

    `vlnscope report runs/follower --json`
    """
    from vlnscope.evaluate.report.report import ReportOptions, gather
    from vlnscope.reporting.report_folder import FORMATS, NOT_DRAWN, check_writing, kind_drawn

    metrics = names(metric)
    options = ReportOptions(profile, None if metrics is None else tuple(metrics), baseline, partial)
    formats = (only.value,) if only else FORMATS
    if out:
        check_writing(out, figures=figures, formats=formats)
    gathered = gather(
        runs, data=data, root=root, options=options, watch=lambda runs: progress(runs, len(runs), "runs")
    )
    if out:
        gathered.write(out, figures=figures, formats=formats)
    if json:
        from msgspec import to_builtins

        findings, results = to_builtins((gathered.report.findings, gathered.results))
        output.print_json({"findings": findings, "results": results, "out": str(out) if out else None})
        return
    for table in gathered.results:
        output.show(*results_blocks(table))
    shown = {table.name for table in gathered.results}
    for findings in gathered.report.findings:
        output.show(*_findings(findings, sentences, shown))
    if out:
        output.show_notes([f"written to {out}", *([NOT_DRAWN] if kind_drawn(figures) is None else [])])


def results_blocks(table: ResultsTable) -> Iterator[Block]:
    """Yield a table of results, and what its marks mean."""
    from vlnscope.reporting.tables.marks import decimals, plain_estimate

    columns = ["agent", *(["cases of"] if table.grouped else []), "n", *table.columns]
    digits = [decimals(row.estimates[at] for row in table.rows) for at in range(len(table.columns))]
    rows = [
        [
            row.name,
            *([row.group] if table.grouped else []),
            f"{row.cases:,}",
            *(plain_estimate(one, digits[at]) for at, one in enumerate(row.estimates)),
        ]
        for row in table.rows
    ]
    yield TextTable(table.title, columns, rows, texts=2 if table.grouped else 1)
    yield from notes(table.legend(bold=False))
    yield Line("")


def _findings(findings: Findings, sentences: int, shown: set[str]) -> Iterator[Block]:
    from vlnscope.reporting.sentences import ranked, sentence
    from vlnscope.reporting.tables.markdown import cell_text

    yield Line(f"{findings.benchmark}: {findings.data}", style="bold")
    for agent in findings.agents:
        statements = [statement for statement in ranked(findings.statements) if statement.agent == agent]
        if statements:
            yield Line(f"\n{agent}", style="bold")
        yield from lines(f"  {sentence(statement)}" for statement in statements[:sentences])
        if len(statements) > sentences:
            rest = len(statements) - sentences
            yield from notes([f"  … and {rest} more, in what --out or --json writes"])
    for table in findings.tables:
        if table.name not in shown:
            yield Line("")
            rows = [[cell_text(cell) for cell in row] for row in table.rows]
            yield TextTable(table.title, table.columns, rows)
            yield from notes(table.notes)
    yield from notes(findings.notes)
