"""`vlnscope run` (agents)."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import (
    DATA_HELP,
    Agent,
    Json,
    Resume,
    Root,
    SceneFolder,
    Seed,
    Split,
    Tours,
    passed,
)
from vlnscope.cli.shared.progress import progress_bar
from vlnscope.core.exceptions import VlnscopeError
from vlnscope.core.results import Block, Line, notes

if TYPE_CHECKING:
    from vlnscope.engine.run import Run
    from vlnscope.evaluate.score.result import Score

REASONS_SHOWN = 5


def run(
    agent: Agent,
    out: Annotated[Path, typer.Option(help="Folder for the run.")],
    data: Annotated[str | None, typer.Option(help=f"{DATA_HELP}; --cases may name it.")] = None,
    root: Root = None,
    scenes: SceneFolder = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Folder of `vlnscope build`, name of a benchmark, or case file; else all episodes."
        ),
    ] = None,
    tours: Tours = None,
    split: Split = None,
    oracle: Annotated[
        str | None,
        typer.Option(
            help="How oracles lead through tours: the `whole` way, to `starts` alone, or as `ivln` does."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N cases, or tours.")] = None,
    max_steps: Annotated[
        int | None,
        typer.Option(
            min=1, help="Actions of an agent in an episode; as the cases say, else 15, in space 500."
        ),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Draw actions instead of the likeliest.")] = False,
    log: Annotated[
        str | None, typer.Option(help="Which decisions to keep: scored, all or none; else as the cases say.")
    ] = None,
    seed: Seed = 0,
    device: Annotated[
        str | None, typer.Option(help="Where a trained model computes: cpu, cuda, mps or auto.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes or Ray workers.")] = 1,
    executor: Annotated[
        str | None, typer.Option(help="serial, processes or ray; chosen by --workers if not given.")
    ] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster; `auto` finds one.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds that a case may take.")] = None,
    shard: Annotated[str | None, typer.Option(help="Run only part i of n, as i/n.")] = None,
    resume: Resume = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="With --resume: run failed cases again.")
    ] = False,
    json: Json = False,
) -> None:
    """Run an agent on a data set, and keep what it does.

    An agent is a name of `vlnscope ls agents` with its options, MODULE:OBJECT, or the address of an agent
    that is served over HTTP. Ctrl-C, a crash or a power cut loses at most the cases under way: the same
    command with --resume goes on.

    **Examples**

    `vlnscope run random --data r2r/val_unseen --root ~/vln-data --out runs/random`

    `vlnscope run noisy:p=0.3 --data houses/val_unseen --out runs/noisy --workers 4`

    `vlnscope run my_package.agent:MyAgent --data r2r/val_unseen --out runs/mine --timeout 60 --resume`

    `vlnscope run http://127.0.0.1:8000 --data r2r/val_unseen --out runs/served`

    `vlnscope run random --data r2r/val_unseen --tours tours_iVLN.json --split val_unseen --out runs/tours`

    `vlnscope run shortest --data houses-ce/val_unseen --out runs/shortest-ce`

    `vlnscope run my_agent:Agent --data r2r-ce/val_unseen --scenes ~/scene_datasets/mp3d --out runs/ce`

    `vlnscope run follower --cases cases/fidelity --out runs/follower`

    `vlnscope run follower --cases behavior --data houses/val_unseen@2 --out runs/follower`

    `vlnscope run my_agent:Agent --data r2r/train --out shard1 --shard 1/4`

    `vlnscope run my_agent:Agent --data r2r/train --out runs/ray --executor ray --address auto --workers 32`
    """
    options = passed(locals(), "device")
    signals.watch_over()
    from vlnscope.agents.spec import on_device
    from vlnscope.engine.run import run as run_agent

    if device is not None:
        options["agent"] = on_device(agent, device)

    with progress_bar(out) as progress, redirect_stdout(sys.stderr):
        done = run_agent(**options, progress=progress)
    failures = Counter(line.failed for line in done.lines().values() if line.failed is not None)
    score, why_not = _score(done, data, root, tours, split)
    if json:
        record = done.record.agent
        output.print_json(
            {
                "out": str(done.folder),
                "agent": record.identity,
                "privileged": record.privileged,
                "explored": record.explored,
                "cases": len(done.lines()),
                "failed": sum(failures.values()),
                "failures": dict(failures.most_common()),
                "score": score.to_dict() if score else None,
            }
        )
    else:
        output.show(*_blocks(done, score, failures, why_not))
    if failures:
        raise typer.Exit(1)


def _score(
    done: Run, data: str | None, root: Path | None, tours: Path | None, split: str | None
) -> tuple[Score | None, str]:
    """Score a run of whole episodes, or say why that cannot be done."""
    from vlnscope.episodes.reading import read_tours
    from vlnscope.evaluate.benchmarking import is_benchmark_run
    from vlnscope.evaluate.score.score import score

    evidence = done.lines()
    if is_benchmark_run(done.folder):
        return None, f"`vlnscope report {done.folder}` says what it shows"
    if data is None or any(name != line.episode_id for name, line in evidence.items()):
        return None, "the cases are not episodes of the data set"
    try:
        every = read_tours(tours, split=split) if tours else None
        walked = every and [tour for tour in every if all(name in evidence for name in tour.episode_ids)]
        return score(done.evidence, data, root=root, tours=walked, partial=True), ""
    except VlnscopeError as error:
        return None, error.what


def _blocks(done: Run, score: Score | None, failures: Counter[str], why_not: str) -> Iterator[Block]:
    from vlnscope.agents.protocol import knows_more

    yield from score.display() if score else notes([f"not scored: {why_not}"])
    for reason, count in failures.most_common(REASONS_SHOWN):
        yield Line(f" × {count}: {reason}", "failed", "bold red")
    if lost := done.record.unreachable:
        listed = ", ".join(lost[:REASONS_SHOWN]) + (", …" if len(lost) > REASONS_SHOWN else "")
        yield Line(f"{len(lost)} episodes have no path from start to goal (run.json lists them): {listed}")
    agent = done.record.agent
    oracle = knows_more(agent.needs)
    yield Line(f"{done.record.size}{_of_all(done)} cases of {agent.identity}{oracle} in {done.folder}")
    yield from notes(agent.notes)


def _of_all(done: Run) -> str:
    """Say of how many a run of a part of a benchmark's cases is; scores say it of episodes."""
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.evaluate.benchmarking import is_benchmark_run

    if not is_benchmark_run(done.folder):
        return ""
    every = len(CaseSet.load(done.folder).cases)
    return f" of {every:,}" if done.record.size < every else ""
