"""`vlnscope paper` (results)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import DATA_HELP, Json, Profile, Root
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, TextTable, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.findings import Findings

DRAWN = (".svg", ".pdf", ".png")
"""Endings of figures."""
SAVED = ".json"


def paper(
    name: Annotated[str, typer.Argument(metavar="EXHIBIT", help="A figure or table of `ls exhibits`.")],
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN]", help="Folders of runs, where it is made of runs.")
    ] = None,
    data: Annotated[str | None, typer.Option(help=f"{DATA_HELP}, where it is made of data.")] = None,
    root: Root = None,
    scene: Annotated[str, typer.Option(help="Show only this scene.")] = "",
    most: Annotated[
        int | None, typer.Option(min=1, help="Show or measure so many: `ls exhibits NAME` says of what.")
    ] = None,
    direction: Annotated[str, typer.Option(help="Direction that is asked in behavior-figure-4.")] = "left",
    profile: Profile = "default",
    out: Annotated[
        Path | None,
        typer.Option(help="File: .svg, .pdf or .png, or its data as .json; EXHIBIT.png if not given."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a figure or a table of the papers again, from a data set or from runs.

    Those that say what agents do are in the report of a run (`vlnscope report RUN --out DIR`). Here are the
    others: what is about data, tours and walks on maps, and the rows of agents that need no run.

    **Examples**

    `vlnscope paper behavior-figure-2 --data r2r/train --root ~/vln-data --out figure-2.pdf`

    `vlnscope paper behavior-figure-4 --data houses/val_unseen@3 --direction right`

    `vlnscope paper tours-figure-1 --data houses/val_unseen@3 --most 12 --out tours.svg`

    `vlnscope paper tours-figure-3 runs/follower --out figure-3.pdf`

    `vlnscope paper tours-figure-6 runs/follower runs/random --out figure-6.pdf`

    `vlnscope paper fidelity-random --data r2r/val_seen --root ~/vln-data`
    """
    from msgspec import to_builtins

    from vlnscope.evaluate.exhibit import make_exhibit

    _check(out)
    made = make_exhibit(
        name,
        runs=tuple(runs or ()),
        data=data,
        root=root,
        scene=scene,
        most=most,
        direction=direction,
        profile=profile,
    )
    written = _write(made, name, out)
    if json:
        output.print_json({"exhibit": to_builtins(made), "written": [str(path) for path in written]})
    else:
        output.show(*_blocks(made, written))


def _check(out: Path | None) -> None:
    """Refuse an ending, before any work is done, that nothing can be written as."""
    from vlnscope.core.files import check_output

    if out is None:
        return
    if out.suffix not in (*DRAWN, SAVED):
        raise InputError(
            f"{out}: cannot be written as {out.suffix or 'a file without an ending'}",
            expected=f"a name that ends with one of {', '.join((*DRAWN, SAVED))}",
            fix="name another file with --out",
        )
    check_output(out)


def _write(made: Findings, name: str, out: Path | None) -> list[Path]:
    """Draw the figure, or write the data; a table alone is only printed, unless a file is named."""
    from vlnscope.reporting.report_folder import draw

    if out is not None and (out.suffix == SAVED or not made.figures):
        return [made.save(out.with_suffix(SAVED))]
    target = out or Path(f"{name}.png")
    paths = [
        target if k == 0 else target.with_stem(f"{target.stem}-{k + 1}") for k in range(len(made.figures))
    ]
    for figure, path in zip(made.figures, paths, strict=True):
        draw(figure, path)
    return paths


def _blocks(made: Findings, written: list[Path]) -> Iterator[Block]:
    from vlnscope.reporting.tables.markdown import cell_text

    for table in made.tables:
        rows = [[cell_text(cell) for cell in row] for row in table.rows]
        yield TextTable(table.title, table.columns, rows, texts=2)
        yield from notes((*table.notes, f"after {table.source}"))
    for figure in made.figures:
        yield Line(figure.title, style="bold")
        yield Line(figure.caption)
        yield from notes([f"after {figure.source}"])
    yield from notes(f"written to {path}" for path in written)
