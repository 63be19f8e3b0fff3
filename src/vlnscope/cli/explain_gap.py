"""`vlnscope explain-gap`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.data import opened

if TYPE_CHECKING:
    from vlnscope.evaluate.gap.result import Gap, Part

MOST_MOVES = 4

EPILOG = """
**Examples**

`vlnscope explain-gap mine.json --data r2r/val_unseen --profile r2r-server --against-profile hamt`

`vlnscope explain-gap mine.json theirs.json --data r2r/val_unseen --metric SPL`

`vlnscope explain-gap mine.json --data r2r/val_unseen --claimed SPL=56.05,SR=60.2`

`vlnscope explain-gap mine.json --data r2r/val_unseen --published hamt/r2r/val_unseen`

`vlnscope explain-gap mine.json theirs.json --data old.json --against-data new.json --out gap.json`
"""


def _list_published(wanted: bool) -> None:
    if wanted:
        from vlnscope.evaluate.gap.published import published

        for key, row in published().items():
            typer.echo(f"{key}  ({row.source})")
        raise typer.Exit


def explain_gap(
    a: Annotated[Path, typer.Argument(help="Prediction file, in any format of `ls formats`, or a run.")],
    data: Annotated[str, typer.Option(help="Data set such as r2r/val_unseen, or an episode file.")],
    b: Annotated[
        Path | None, typer.Argument(help="Another; A again, under another profile, if left out.")
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    profile: Annotated[str, typer.Option(help="Whose conventions A was scored by.")] = "default",
    against_profile: Annotated[
        str | None, typer.Option(help="Whose conventions B was scored by, if others.")
    ] = None,
    against_data: Annotated[
        str | None, typer.Option(help="What B was scored on, if on other data, such as another version.")
    ] = None,
    published: Annotated[str | None, typer.Option(help="B is a row of a paper: AGENT/DATASET/SPLIT.")] = None,
    claimed: Annotated[
        str | None, typer.Option(help="B is numbers somebody states: METRIC=NUMBER, with commas between.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Metrics by name, with commas between; SR, SPL, nDTW if not given.")
    ] = None,
    positions: Annotated[
        str, typer.Option(help="Where viewpoints lie: as in `connectivity` files, or as in `.house` files.")
    ] = "connectivity",
    against_positions: Annotated[
        str | None, typer.Option(help="Where viewpoints lie in what B was scored on, if elsewhere.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the parts (.json, .jsonl, .parquet).")] = None,
    list_published: Annotated[
        bool,
        typer.Option(
            "--list-published",
            callback=_list_published,
            is_eager=True,
            help="List the rows that --published knows.",
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Explain why two results differ: protocol, data or walks, in points that add up."""
    del list_published
    from vlnscope.evaluate.gap.explain import explain_gap as explain
    from vlnscope.evaluate.result_file import check_target

    if out:
        check_target(out, sources=[str(one) for one in (a, b, data, against_data) if one])
    gap = explain(
        a,
        b,
        data=opened(data, root, positions=positions),
        profile=profile,
        against_profile=against_profile,
        against_data=against_data,
        against_positions=against_positions,
        published=published,
        claimed=claimed,
        metrics=[name.strip() for name in metric.split(",") if name.strip()] if metric else None,
        root=root,
        positions=positions,
    )
    if out:
        gap.save(out)
    if json:
        output.print_json(gap.to_dict())
    else:
        _show(gap)


def _show(gap: Gap) -> None:
    screen = output.console()
    screen.print(f"[bold]A[/] {output.plain(gap.a)}   [bold]B[/] {output.plain(gap.b)}\n")
    for sentence in gap.sentences():
        screen.print(output.plain(sentence), soft_wrap=True)
    rows = [row for one in gap.metrics for row in _rows(one.metric, one.points, one.parts)]
    screen.print()
    screen.print(
        output.table(
            gap.dataset, ["metric", "part", "A", "B", "points", "95 % interval", "alone"], rows, texts=4
        )
    )
    if any(one.flips for one in gap.metrics):
        names = [one.metric for one in gap.metrics]
        columns = ["success", "cause", "changed", "episodes", *names, "at move", "such as"]
        screen.print()
        screen.print(
            output.table("episodes that flip, and the points they carry", columns, _flips(gap), texts=3)
        )
    for note in gap.notes:
        screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)


def _rows(metric: str, points: float | None, parts: tuple[Part, ...]) -> list[list[str]]:
    whole = [metric, "gap", "", "", "–" if points is None else f"{points:+.4f}", "", ""]
    return [whole, *([metric, *_cells(part)] for part in parts)]


def _cells(part: Part) -> list[str]:
    before, after = part.setting or ("", "")
    alone = "" if part.alone is None else part.alone.words("")
    ends = output.interval(part.low, part.high)
    return [f"  {part.name}", str(before), str(after), f"{part.points:+.4f}", ends, alone]


def _flips(gap: Gap) -> list[list[str]]:
    rows: dict[tuple[str, str, str], list[str]] = {}
    for place, one in enumerate(gap.metrics):
        for cluster in (c for c in one.clusters if c.flips):
            key = (cluster.change, cluster.cause, cluster.step)
            often = sorted(Counter(cluster.moves).most_common(MOST_MOVES))
            moves = ", ".join(f"{move}: {count}" for move, count in often)
            empty = [
                *key,
                str(len(cluster.episodes)),
                *[""] * len(gap.metrics),
                moves,
                _some(cluster.episodes),
            ]
            rows.setdefault(key, empty)[4 + place] = f"{cluster.points:+.2f}" if one.parts else "–"
    return list(rows.values())


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:3])
