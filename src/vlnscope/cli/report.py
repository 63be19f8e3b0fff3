"""`vlnscope report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli import output

if TYPE_CHECKING:
    from vlnscope.benchmarks.findings import Findings

EPILOG = """
Runs of the same cases are put side by side; --out also writes the rows as Parquet and draws the figures.

**Examples**

`vlnscope report runs/follower runs/random`

`vlnscope report runs/follower --out report --figures html`

`vlnscope report runs/follower --json`
"""


def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs of a benchmark's cases.")],
    out: Annotated[Path | None, typer.Option(help="Folder for findings, tables and figures.")] = None,
    figures: Annotated[str, typer.Option(help="How to draw: svg, png, pdf, or html.")] = "svg",
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    profile: Annotated[str, typer.Option(help="Whose conventions to follow.")] = "default",
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples for the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resampling.")] = 0,
    sentences: Annotated[int, typer.Option(min=0, help="Print so many sentences of each agent.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what runs of a benchmark show: sentences with intervals, tables, figures."""
    from vlnscope.cli.progress import progress
    from vlnscope.studies.benchmarking import find_runs, score_run

    scored = [score_run(run, root=root, profile=profile) for run in progress(runs, len(runs), "runs")]
    found = find_runs(scored, replicates=resamples, seed=seed)
    if out:
        from vlnscope.reporting.report_folder import write_report

        write_report(found, out, figures)
        for number, run in enumerate(scored, 1):
            run.save(out / f"{run.asked.benchmark}-{number}-{_plain_name(run.record.agent.name)}.parquet")
    if json:
        from msgspec import to_builtins

        output.print_json({"findings": to_builtins(found), "out": str(out) if out else None})
        return
    for findings in found:
        _print(findings, sentences)
    if out:
        output.console().print(f"[dim]written to {output.plain(str(out))}[/]")


def _plain_name(name: str) -> str:
    """Return a name of letters, digits and dashes, for a file."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name)


def _print(findings: Findings, sentences: int) -> None:
    from vlnscope.reporting.markdown import cell_text
    from vlnscope.reporting.sentences import ranked, sentence

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
