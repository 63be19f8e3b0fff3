"""`vlnscope check-agent`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared import signals as stopping

if TYPE_CHECKING:
    from vlnscope.evaluate.conformance.check_agent import AgentReport

EPILOG = """
Exit code 1 if the agent breaks a rule; made for continuous integration.

**Examples**

`vlnscope check-agent noisy:p=0.3`

`vlnscope check-agent my_package.my_module:MyAgent`

`vlnscope check-agent http://127.0.0.1:8000 --json`

`vlnscope check-agent captions --data r2r/val_unseen --root ~/vln-data`
"""
SIGNS = {"pass": "✓", "fail": "✗", "not applicable": "–"}


def check_agent(
    agent: Annotated[
        str, typer.Argument(help="NAME[:OPTION=VALUE,…] of `ls agents`, MODULE:OBJECT, or http://HOST:PORT.")
    ],
    data: Annotated[
        str | None, typer.Option(help="Data set to try it on; a house that vlnscope builds if not given.")
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the agent.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check that an agent keeps the rules that every benchmark relies on."""
    stopping.watch_over()
    stopping.on_stop("the agent was not checked to the end")
    from vlnscope.evaluate.conformance.check_agent import check_agent as check

    report = check(agent, data=data, root=root, seed=seed)
    if json:
        output.print_json(report.to_dict())
    else:
        _show(report)
    if report.wrong:
        raise typer.Exit(1)


def _show(report: AgentReport) -> None:
    rows = [
        [finding.check, f"{SIGNS[finding.status]} {finding.status}", finding.text or finding.says]
        for finding in report.findings
    ]
    verdict = f"breaks {', '.join(report.wrong)}" if report.wrong else "keeps all rules"
    oracle = " (an oracle: it knows the reference)" if report.privileged else ""
    title = output.plain(f"{report.agent} {verdict}{oracle}")
    output.console().print(output.table(title, ["rule", "verdict", "why"], rows, texts=3))
