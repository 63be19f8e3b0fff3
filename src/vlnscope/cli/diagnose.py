"""`vlnscope diagnose`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared import signals as stopping
from vlnscope.cli.shared.phases import phases
from vlnscope.core.exceptions import InputError

if TYPE_CHECKING:
    from vlnscope.evaluate.diagnose.diagnose import Diagnosis
    from vlnscope.reporting.report_data import Report

EPILOG = """
An agent is a name of `vlnscope ls agents` with its options, MODULE:OBJECT, the address of an agent that is
served over HTTP, or a prediction file; NAME=AGENT says what it is called in the report. Ctrl-C, a crash or a
power cut loses at most the cases under way: the same command with --resume goes on. With more agents it adds
them to a diagnosis that is there; name all that the report is to show.

**Examples**

`vlnscope diagnose follower noisy random --quick --out diagnosis`

`vlnscope diagnose my_package.agent:MyAgent --out diagnosis --workers 4`

`vlnscope diagnose http://127.0.0.1:8000 follower --quick --out diagnosis`

`vlnscope diagnose predictions.json --data r2r/val_unseen --root ~/vln-data --out diagnosis`

`vlnscope diagnose a=right.json --data r2r/val_unseen --cases errors=DIR --answers errors=wrong.json --out d`
"""


def diagnose(
    agents: Annotated[list[str], typer.Argument(help="Agents and prediction files, side by side.")],
    out: Annotated[Path, typer.Option(help="Folder for evidence, scores, findings and the report.")],
    data: Annotated[
        str, typer.Option(help="Data set such as r2r/val_unseen, or an episode file.")
    ] = "houses/val_unseen",
    quick: Annotated[bool, typer.Option("--quick", help="Ask less: two minutes instead of ten.")] = False,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Ask only this benchmark; may be given several times.")
    ] = None,
    cases: Annotated[
        list[str] | None, typer.Option(help="BENCHMARK=DIR: ask these cases of `vlnscope build`.")
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option(help="BENCHMARK=FILE[,FILE…]: what the agent of a prediction file answered there."),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Take prediction files as far as they go, if incomplete.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of all choices.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many processes; one for each processor if not given.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the diagnosis in --out.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what agents can and cannot do: all benchmarks, one report."""
    stopping.watch_over()
    stopping.on_stop(f"what is done is kept in {out}; the same command with --resume goes on")
    from vlnscope.evaluate.diagnose.diagnose import diagnose as diagnose_agents

    given = {name: [Path(part) for part in text.split(",")] for name, text in _pairs(answers, "--answers")}
    with phases() as watcher:
        found = diagnose_agents(
            agents,
            data,
            out=out,
            size="quick" if quick else "full",
            root=root,
            parts=only,
            answers=given,
            cases={name: Path(text) for name, text in _pairs(cases, "--cases")},
            partial=partial,
            seed=seed,
            workers=workers or os.cpu_count() or 1,
            resume=resume,
            watcher=watcher,
        )
    if json:
        from msgspec import to_builtins

        output.print_json({"out": str(out), "page": str(found.page), "report": to_builtins(found.report)})
    else:
        _print(found)


def _pairs(given: list[str] | None, option: str) -> Iterator[tuple[str, str]]:
    for text in given or ():
        name, equals, rest = text.partition("=")
        if not equals or not rest:
            raise InputError(
                f"{option} {text} names no benchmark",
                expected=f"{option} BENCHMARK=PATH",
                fix=f"write for example {option} errors={text}",
            )
        yield name, rest


def _print(found: Diagnosis) -> None:
    screen = output.console()
    for agent in found.report.agents:
        told = " (privileged: it is told the reference)" if agent.privileged else ""
        screen.print(f"\n[bold]{output.plain(agent.name)}[/]{told}")
        if agent.failed:
            screen.print(
                f"  [bold red]failed[/] in {agent.failed:,} of {agent.cases:,} cases, which count as wrong"
            )
        for note in agent.notes:
            screen.print(f"  [bold]{output.plain(note)}[/]", soft_wrap=True)
        lines = list(_lines(found.report, agent.name))
        for line in lines or ["no ability could be judged"]:
            screen.print(f"  {line}", soft_wrap=True)
    for left in found.report.left_out:
        text = f"left out: {left.benchmark} of {', '.join(left.agents)}: {left.reason}"
        screen.print(f"[dim]{output.plain(text)}[/]", soft_wrap=True)
    screen.print(f"\nThe report: {output.plain(str(found.page.resolve()))}", soft_wrap=True)


def _lines(report: Report, agent: str) -> Iterator[str]:
    from vlnscope.reporting.sentences import sentence
    from vlnscope.reporting.verdicts import headline

    for verdict in report.verdicts:
        if verdict.agent == agent:
            said = output.plain(sentence(verdict.statement))
            yield f"[bold]{verdict.grade:>7}  {output.plain(headline(verdict))}[/]: {said}"
