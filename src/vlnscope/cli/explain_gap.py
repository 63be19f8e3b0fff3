"""`vlnscope explain-gap` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Data, Json, Metrics, OutFile, Positions, Root, names, opened, passed


def _list_published(wanted: bool) -> None:
    if wanted:
        from vlnscope.evaluate.gap.published import published

        for key, row in published().items():
            typer.echo(f"{key}  ({row.source})")
        raise typer.Exit


def explain_gap(
    a: Annotated[Path, typer.Argument(help="Prediction file, in any format of `ls formats`, or a run.")],
    data: Data,
    b: Annotated[
        Path | None, typer.Argument(help="Another; A again, under another profile, if left out.")
    ] = None,
    root: Root = None,
    profile: Annotated[str, typer.Option(help="Whose conventions A was scored by.")] = "default",
    against_profile: Annotated[
        str | None, typer.Option(help="Whose conventions B was scored by, if others.")
    ] = None,
    against_data: Annotated[
        str | None, typer.Option(help="What B was scored on, if on other data, such as another version.")
    ] = None,
    published: Annotated[str | None, typer.Option(help="B is a row of a paper: AGENT/DATASET/SPLIT.")] = None,
    claimed: Annotated[
        str | None, typer.Option(help="B is numbers somebody states: METRIC=NUMBER, separated by commas.")
    ] = None,
    metric: Metrics = None,
    positions: Positions = "connectivity",
    against_positions: Annotated[
        str | None, typer.Option(help="Where viewpoints lie in what B was scored on, if elsewhere.")
    ] = None,
    out: OutFile = None,
    list_published: Annotated[
        bool,
        typer.Option(
            "--list-published",
            callback=_list_published,
            is_eager=True,
            help="List the rows that --published knows.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Explain why two results differ: protocol, data or walks, in points that add up.

    **Examples**

    `vlnscope explain-gap mine.json --data r2r/val_unseen --profile r2r-server --against-profile hamt`

    `vlnscope explain-gap mine.json theirs.json --data r2r/val_unseen --metric SPL`

    `vlnscope explain-gap mine.json --data r2r/val_unseen --claimed SPL=56.05,SR=60.2`

    `vlnscope explain-gap mine.json --data r2r/val_unseen --published hamt/r2r/val_unseen`

    `vlnscope explain-gap mine.json theirs.json --data old.json --against-data new.json --out gap.json`
    """
    options = passed(locals(), "a", "b", "data", "metric", "out", "list_published")
    from vlnscope.core.results import check_target
    from vlnscope.evaluate.gap.explain import explain_gap as explain

    if out:
        check_target(out, sources=[str(one) for one in (a, b, data, against_data) if one])
    dataset = opened(data, root, positions=positions)
    gap = explain(a, b, data=dataset, metrics=names(metric or None), **options)
    if out:
        gap.save(out)
    output.print_result(gap, json)
