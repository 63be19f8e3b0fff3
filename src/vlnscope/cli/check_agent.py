"""`vlnscope check-agent` (agents)."""

from __future__ import annotations

from typing import Annotated

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import Agent, Json, Root, Seed


def check_agent(
    agent: Agent,
    data: Annotated[
        str | None, typer.Option(help="Data set to try it on; a house that vlnscope builds if not given.")
    ] = None,
    root: Root = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that an agent keeps the rules that every benchmark relies on.

    Exit code 1 if the agent breaks a rule; made for continuous integration.

    **Examples**

    `vlnscope check-agent noisy:p=0.3`

    `vlnscope check-agent my_package.my_module:MyAgent`

    `vlnscope check-agent http://127.0.0.1:8000 --json`

    `vlnscope check-agent captions --data r2r/val_unseen --root ~/vln-data`
    """
    signals.watch_over()
    signals.on_stop("the agent was not checked to the end")
    from vlnscope.evaluate.conformance.check_agent import check_agent as check

    report = check(agent, data=data, root=root, seed=seed)
    output.print_result(report, json)
    if report.wrong:
        raise typer.Exit(1)
