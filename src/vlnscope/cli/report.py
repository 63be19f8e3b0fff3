"""`vlnscope report`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.findings import Findings
    from vlnscope.reporting.tables.marks import ResultsTable

EPILOG = """
Runs of the same cases or data are put side by side. --out writes a folder for a paper: README.md,
report.html, report.tex, tables as Markdown and LaTeX, figures, references.bib, card.md (what it takes to make
the same again), findings.json and the rows as Parquet.

**Examples**

`vlnscope report runs/follower runs/random`

`vlnscope report runs/mine runs/theirs --baseline theirs --out report --figures pdf`

`vlnscope report mine=preds.json theirs=other.json --data r2r/val_unseen --baseline theirs --out report`

`vlnscope report diagnosis --baseline random --out paper --format latex --figures pdf`

`vlnscope report runs/follower --json`
"""


class Format(StrEnum):
    """What a report is written as."""

    md = "md"
    latex = "latex"
    html = "html"


class Drawn(StrEnum):
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
        Format | None,
        typer.Option("--format", help="Write only Markdown, LaTeX or the page; all three if not given."),
    ] = None,
    figures: Annotated[
        Drawn | None,
        typer.Option(help="How to draw; SVG if not given and matplotlib is there. LaTeX takes pdf and png."),
    ] = None,
    baseline: Annotated[
        str, typer.Option(help="Agent that stars of significance in the tables of results compare with.")
    ] = "",
    metric: Annotated[
        str | None, typer.Option(help="Metrics of the tables of results, with commas between.")
    ] = None,
    data: Annotated[str | None, typer.Option(help="Data set of prediction files.")] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    profile: Annotated[str, typer.Option(help="Whose conventions to follow.")] = "default",
    partial: Annotated[
        bool, typer.Option("--partial", help="Score what there is, if prediction files are incomplete.")
    ] = False,
    sentences: Annotated[int, typer.Option(min=0, help="Print so many sentences of each agent.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what runs show: sentences with intervals, tables and figures ready for a paper."""
    from vlnscope.cli.shared.progress import progress
    from vlnscope.evaluate.report.report import Options, gather
    from vlnscope.reporting.report_folder import FORMATS, NOT_DRAWN, check_writing, kind_drawn

    names = None if metric is None else tuple(name.strip() for name in metric.split(",") if name.strip())
    options = Options(profile, names, baseline, partial)
    formats = (only.value,) if only else FORMATS
    if out:
        check_writing(out, figures=figures, formats=formats)
    gathered = gather(
        runs, data=data, root=root, options=options, watch=lambda held: progress(held, len(held), "runs")
    )
    if out:
        gathered.write(out, figures=figures, formats=formats)
    if json:
        from msgspec import to_builtins

        findings, results = to_builtins((gathered.report.findings, gathered.results))
        output.print_json({"findings": findings, "results": results, "out": str(out) if out else None})
        return
    for table in gathered.results:
        print_results(table)
    shown = {table.name for table in gathered.results}
    for found in gathered.report.findings:
        _print(found, sentences, shown)
    if out:
        output.console().print(f"[dim]written to {output.plain(str(out))}[/]")
        if kind_drawn(figures) is None:
            output.console().print(f"[dim]{output.plain(NOT_DRAWN)}[/]")


def print_results(table: ResultsTable) -> None:
    """Print a table of results."""
    from vlnscope.reporting.tables.marks import decimals, plain_estimate

    screen = output.console()
    columns = ["agent", *(["cases of"] if table.grouped else []), "n", *table.columns]
    digits = [decimals(row.estimates[at] for row in table.rows) for at in range(len(table.columns))]
    rows = [
        [
            row.agent + ("†" if row.privileged else ""),
            *([row.group] if table.grouped else []),
            f"{row.cases:,}",
            *(plain_estimate(one, digits[at]) for at, one in enumerate(row.estimates)),
        ]
        for row in table.rows
    ]
    screen.print(output.table(table.title, columns, rows, texts=2 if table.grouped else 1))
    for note in table.legend(bold=False):
        screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)
    screen.print()


def _print(findings: Findings, sentences: int, shown: set[str]) -> None:
    from vlnscope.reporting.sentences import ranked, sentence
    from vlnscope.reporting.tables.markdown import cell_text

    screen = output.console()
    screen.print(f"[bold]{output.plain(f'{findings.benchmark}: {findings.data}')}[/]")
    for agent in findings.agents:
        said = [statement for statement in ranked(findings.statements) if statement.agent == agent]
        if said:
            screen.print(f"\n[bold]{output.plain(agent)}[/]")
        for statement in said[:sentences]:
            screen.print(f"  {output.plain(sentence(statement))}", soft_wrap=True)
        if len(said) > sentences:
            screen.print(f"  [dim]… and {len(said) - sentences} more, in what --out or --json writes[/]")
    for table in findings.tables:
        if table.name in shown:
            continue
        screen.print()
        screen.print(
            output.table(
                table.title, table.columns, [[cell_text(cell) for cell in row] for row in table.rows]
            )
        )
        for note in table.notes:
            screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)
    for note in findings.notes:
        screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)
