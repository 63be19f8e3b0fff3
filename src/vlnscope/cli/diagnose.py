"""`vlnscope diagnose` (results)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import (
    Data,
    Json,
    Partial,
    Resume,
    Root,
    SceneFolder,
    Seed,
    assignments,
    passed,
)
from vlnscope.cli.shared.progress import phases


def diagnose(
    agents: Annotated[list[str], typer.Argument(help="Agents and prediction files, side by side.")],
    out: Annotated[Path, typer.Option(help="Folder for evidence, scores, findings and the report.")],
    data: Data = "houses/val_unseen",
    quick: Annotated[bool, typer.Option("--quick", help="Ask less: two minutes instead of ten.")] = False,
    root: Root = None,
    scenes: SceneFolder = None,
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
    partial: Partial = False,
    seed: Seed = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes; one per processor if not given.")
    ] = None,
    resume: Resume = False,
    json: Json = False,
) -> None:
    """Say what agents can and cannot do: all benchmarks, one report.

    An agent is a name of `vlnscope ls agents` with its options, MODULE:OBJECT, the address of an agent that
    is served over HTTP, or a prediction file; NAME=AGENT says what it is called in the report. Ctrl-C, a
    crash or a power cut loses at most the cases under way: the same command with --resume goes on. With more
    agents it adds them to a diagnosis that is there; name all that the report is to show.

    **Examples**

    `vlnscope diagnose follower noisy random --quick --out diagnosis`

    `vlnscope diagnose my_package.agent:MyAgent --out diagnosis --workers 4`

    `vlnscope diagnose http://127.0.0.1:8000 follower --quick --out diagnosis`

    `vlnscope diagnose predictions.json --data r2r/val_unseen --root ~/vln-data --out diagnosis`

    `vlnscope diagnose a=right.json --data r2r/val_unseen --cases errors=DIR --answers errors=wrong.json --out
    d`
    """
    options = passed(locals(), "quick", "only", "cases", "answers", "workers")
    signals.watch_over()
    signals.on_stop(f"what is done is kept in {out}; the same command with --resume goes on")
    from vlnscope.evaluate.diagnose.diagnose import diagnose as diagnose_agents

    folders = assignments("--cases", cases or (), "errors=DIR")
    files = assignments("--answers", answers or (), "errors=FILE")
    with phases() as progress:
        diagnosis = diagnose_agents(
            **options,
            size="quick" if quick else "full",
            parts=only,
            cases={name: Path(folder) for name, folder in folders},
            answers={name: [Path(file) for file in text.split(",")] for name, text in files},
            workers=workers or os.cpu_count() or 1,
            progress=progress,
        )
    output.print_result(diagnosis, json)
