"""`vlnscope run`."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared import signals as stopping
from vlnscope.core.exceptions import VlnscopeError

if TYPE_CHECKING:
    from vlnscope.engine.run import Run
    from vlnscope.types import Logged, OracleRule

EPILOG = """
An agent is a name of `vlnscope ls agents` with its options, MODULE:OBJECT, or the address of an agent that is
served over HTTP. Ctrl-C, a crash or a power cut loses at most the cases under way: the same command with
--resume goes on.

**Examples**

`vlnscope run random --data r2r/val_unseen --root ~/vln-data --out runs/random`

`vlnscope run noisy:p=0.3 --data houses/val_unseen --out runs/noisy --workers 4`

`vlnscope run my_package.agent:MyAgent --data r2r/val_unseen --out runs/mine --timeout 60 --resume`

`vlnscope run http://127.0.0.1:8000 --data r2r/val_unseen --out runs/served`

`vlnscope run random --data r2r/val_unseen --tours tours_iVLN.json --split val_unseen --out runs/tours`

`vlnscope run follower --cases cases/fidelity --out runs/follower`

`vlnscope run follower --cases behavior --data houses/val_unseen@2 --out runs/follower`

`vlnscope run my_agent:Agent --data r2r/train --out shard1 --shard 1/4`

`vlnscope run my_agent:Agent --data r2r/train --out runs/ray --executor ray --address auto --workers 32`
"""
REASONS_SHOWN = 5


def run(
    agent: Annotated[str, typer.Argument(help="NAME[:OPTION=VALUE,…], MODULE:OBJECT or http://HOST:PORT.")],
    out: Annotated[Path, typer.Option(help="Folder for the run.")],
    data: Annotated[
        str | None,
        typer.Option(help="Data set such as r2r/val_unseen, or an episode file; --cases may name it."),
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Folder of `vlnscope build`, name of a benchmark, or case file; else all episodes."
        ),
    ] = None,
    tours: Annotated[Path | None, typer.Option(help="Tour file: memory lasts through each tour.")] = None,
    split: Annotated[str | None, typer.Option(help="Split of a tour file that holds several.")] = None,
    oracle: Annotated[
        str | None,
        typer.Option(help="How oracles lead through tours: the `whole` way, or as in the code of `ivln`."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N cases, or tours.")] = None,
    max_steps: Annotated[
        int | None,
        typer.Option(min=1, help="Steps that an agent may take in an episode; 15, or as the cases say."),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Draw actions instead of the likeliest.")] = False,
    log: Annotated[
        str | None, typer.Option(help="Which decisions to keep: scored, all or none; else as the cases say.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the agent and of drawing.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="How many processes or Ray workers.")] = 1,
    executor: Annotated[
        str | None, typer.Option(help="serial, processes or ray; chosen by --workers if not given.")
    ] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster; `auto` finds one.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds that a case may take.")] = None,
    shard: Annotated[str | None, typer.Option(help="Run only part i of n, as i/n.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="With --resume: run failed cases again.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run an agent on a data set, and keep what it does."""
    stopping.watch_over()
    from vlnscope.cli.shared.run_progress import progress_bar
    from vlnscope.engine.run import run as run_agent

    with progress_bar(out) as watcher, redirect_stdout(sys.stderr):
        found = run_agent(
            agent,
            data,
            out=out,
            root=root,
            cases=cases,
            tours=tours,
            split=split,
            limit=limit,
            max_steps=max_steps,
            sample=sample,
            seed=seed,
            workers=workers,
            executor=executor,
            address=address,
            timeout=timeout,
            shard=shard,
            resume=resume,
            retry_failed=retry_failed,
            progress=watcher,
            log=cast("Logged | None", log),
            oracle=cast("OracleRule | None", oracle),
        )
    _show(found, data, root, tours, split, json)


def _show(
    found: Run, data: str | None, root: Path | None, tours: Path | None, split: str | None, json: bool
) -> None:
    from vlnscope.evaluate.benchmarking import is_benchmark_run

    lines = found.lines()
    failures = Counter(line.failed for line in lines.values() if line.failed is not None)
    scored: Any = None
    why_not = "the cases are not episodes of the data set"
    if is_benchmark_run(found.folder):
        why_not = f"`vlnscope report {found.folder}` says what it shows"
    elif data is not None and all(name == line.episode_id for name, line in lines.items()):
        try:
            scored = _score(found, data, root, tours, split)
        except VlnscopeError as error:
            why_not = error.what
    if json:
        output.print_json(
            {
                "out": str(found.folder),
                "agent": found.record.agent.identity,
                "privileged": found.record.agent.privileged,
                "cases": len(lines),
                "failed": sum(failures.values()),
                "failures": dict(failures.most_common()),
                "score": scored.to_dict() if scored else None,
            }
        )
    else:
        _print(found, scored, failures, why_not)
    if failures:
        raise typer.Exit(1)


def _score(found: Run, data: str, root: Path | None, tours: Path | None, split: str | None) -> Any:
    from vlnscope.episodes.reading import read_tours
    from vlnscope.evaluate.score.score import score

    walked = None
    if tours:
        done = found.lines()
        walked = [t for t in read_tours(tours, split=split) if all(name in done for name in t.episode_ids)]
    return score(found.evidence, data, root=root, tours=walked, partial=True)


def _print(found: Run, scored: Any, failures: Counter[str], why_not: str) -> None:
    from vlnscope.cli.score import score_notes, score_table

    screen = output.console()
    record = found.record
    if scored:
        screen.print(score_table(scored))
        for note in score_notes(scored):
            screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)
    else:
        screen.print(f"[dim]{output.plain(f'not scored: {why_not}')}[/]", soft_wrap=True)
    for reason, count in failures.most_common(REASONS_SHOWN):
        screen.print(f"[bold red]failed[/] × {count}: {output.plain(reason)}", soft_wrap=True)
    oracle = " (privileged: it is told the reference)" if record.agent.privileged else ""
    text = f"{record.size} cases of {record.agent.identity}{oracle} in {found.folder}"
    screen.print(output.plain(text), soft_wrap=True)
