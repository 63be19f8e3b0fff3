"""`vlnscope compare` (results)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import (
    INTERVAL_HELP,
    DataOfRun,
    Intervals,
    Json,
    Metrics,
    OutFile,
    Partial,
    Positions,
    Profile,
    Resamples,
    Root,
    SceneFolder,
    Seed,
    assignments,
    bootstrap,
    names,
)


class Correction(StrEnum):
    """Corrections of p-values."""

    holm = "holm"
    benjamini_hochberg = "benjamini-hochberg"
    none = "none"


def compare(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Prediction files, or folders of runs: FILE, NAME=FILE, or NAME=FILE,FILE,…"
            " for several runs of one agent."
        ),
    ],
    data: DataOfRun = None,
    root: Root = None,
    scenes: SceneFolder = None,
    profile: Profile = "default",
    metric: Metrics = None,
    by: Annotated[
        str | None,
        typer.Option(help="Benchmarks: groups to compare within, separated by commas, such as skill,sub."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(help="Benchmarks: only cases of this group, such as skill=direction (repeatable)."),
    ] = None,
    against: Annotated[str | None, typer.Option(help="Compare all others with this agent only.")] = None,
    correction: Annotated[
        Correction, typer.Option(help="How to correct p-values for all tests of a metric.")
    ] = Correction.holm,
    interval: Annotated[
        Intervals, typer.Option(help=f"{INTERVAL_HELP} Bootstraps test by sign flips.")
    ] = Intervals.cluster_t,
    positions: Positions = "connectivity",
    partial: Partial = False,
    out: OutFile = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare agents over the same episodes: is one really better than another?

    **Examples**

    `vlnscope compare mine.json theirs.json --data r2r/val_unseen`

    `vlnscope compare mine.json theirs.json other.json --data r2r/val_unseen --against theirs --metric SPL`

    `vlnscope compare mine=seed0.json,seed1.json,seed2.json theirs.json --data r2r/val_unseen --json`

    `vlnscope compare runs/mine runs/theirs`  (runs know their data)

    `vlnscope compare runs/mine runs/theirs --by skill --where variant=intervention`  (runs of a benchmark)
    """
    from vlnscope.core.results import check_target
    from vlnscope.evaluate.compare.compare import compare as compare_agents

    if out:
        files = [file for agent in agents for file in (agent.partition("=")[2] or agent).split(",")]
        check_target(out, sources=files)
    table = compare_agents(
        *agents,
        data=data,
        profile=profile,
        metrics=names(metric),
        by=names(by),
        where=dict(assignments("--where", where, "skill=direction")) if where else None,
        against=against,
        correction=correction.value,
        bootstrap=bootstrap(interval, resamples, seed),
        root=root,
        positions=positions,
        partial=partial,
    )
    if out:
        table.save(out)
    output.print_result(table, json)
