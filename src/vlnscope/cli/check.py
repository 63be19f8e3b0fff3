"""`vlnscope check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.data import opened

if TYPE_CHECKING:
    from vlnscope.episodes.doctor import CheckReport, FindingGroup, SubmissionFinding

EPILOG = """
Exit code 0: no errors (perhaps warnings). 1: errors were found. 2: the files cannot be used at all.

**Examples**

`vlnscope check preds.json --data r2r/val_unseen --root ~/vln-data`

`vlnscope check preds.json --data r2r/test`

`vlnscope check preds.json --data my_episodes.json --json > findings.json`
"""
IDS_SHOWN = 5
EXAMPLES_SHOWN = 3
_STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold blue"}


def check(
    predictions: Annotated[Path, typer.Argument(help="Prediction file, in any format of `ls formats`.")],
    data: Annotated[str, typer.Option(help="Data set such as r2r/val_unseen, or an episode file.")],
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with every finding.")] = False,
) -> None:
    """Find what is wrong with a prediction file before an evaluator does."""
    from vlnscope.episodes.doctor import check as inspect

    report = inspect(predictions, opened(data, root), root)
    if json:
        output.print_json(report.to_dict())
    else:
        _show(report)
    if not report.ok:
        raise typer.Exit(1)


def _show(report: CheckReport) -> None:
    screen = output.console()
    for group in report.groups():
        for line in _lines(group):
            screen.print(line, soft_wrap=True)
    errors, warnings = report.count("error"), report.count("warning")
    read = f"{report.predicted} predictions for the {report.episodes} episodes of {report.dataset}"
    verdict = f"{errors} errors, {warnings} warnings" if errors or warnings else "fine"
    screen.print(output.plain(f"{read}: {verdict}"), soft_wrap=True)


def _lines(group: FindingGroup) -> list[str]:
    ids = [finding.episode_id for finding in group.findings if finding.episode_id is not None]
    some = ", ".join(ids[:IDS_SHOWN]) + (", …" if len(ids) > IDS_SHOWN else "")
    style = _STYLES[group.severity]
    lines = [f"[{style}]{group.severity}[/] [bold]{group.code}[/] × {len(group.findings)}"]
    if ids:
        lines[0] += f": {output.plain(some)}"
    by_text: dict[str, SubmissionFinding] = {}
    for finding in group.findings:
        by_text.setdefault(finding.what, finding)
    examples = list(by_text.values())
    for finding in examples[:EXAMPLES_SHOWN]:
        who = f"{finding.episode_id} " if finding.episode_id is not None and len(examples) > 1 else ""
        lines.append(f"    {output.plain(who + finding.what)}")
    fixes = list(dict.fromkeys(finding.fix for finding in examples))
    lines += [f"    [dim]fix: {output.plain(fix)}[/]" for fix in fixes[:EXAMPLES_SHOWN]]
    return lines
