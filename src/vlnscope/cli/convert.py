"""`vlnscope convert` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Root, names, opened


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="File with predictions, episodes or tours; the folder of a run; or a data set."
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, or - to print it.")],
    to: Annotated[str, typer.Option(help="Format to write, as in `ls formats`.")],
    from_: Annotated[
        str | None, typer.Option("--from", help="Format to read; recognised if not given.")
    ] = None,
    drop: Annotated[str, typer.Option(help="Fields that may be lost, separated by commas.")] = "",
    root: Root = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Let OUT be IN, which it replaces.")] = False,
    json: Json = False,
) -> None:
    """Write a file of predictions, episodes or tours, or a data set, in another format.

    What the target format cannot carry is refused, unless `--drop` says that it may be lost. The target is
    written whole or not at all, and compressed if its name ends in .gz; `-` stands for the standard output.
    It must be another file than the source, unless `--in-place` says that it replaces it.

    **Examples**

    `vlnscope convert preds.json preds.jsonl --to evidence`

    `vlnscope convert submit_val_unseen.json flat.json --to r2r --drop headings,elevations`

    `vlnscope convert R2R_val_unseen.json R2R_val_unseen.json.gz --to r2r-episodes`

    `vlnscope convert preds.json - --to evidence | head -n 1`

    `vlnscope convert runs/mine submission.json --to r2r --drop stopped`

    `vlnscope convert houses/val_unseen FGR2R_houses.json --to fgr2r-episodes`
    """
    from dataclasses import asdict

    from vlnscope.core.files import STDOUT
    from vlnscope.episodes.convert import convert as convert_file
    from vlnscope.episodes.datasets.dataset import names_dataset

    is_data = from_ is None and names_dataset(source)
    report = convert_file(
        opened(source, root) if is_data else Path(source),
        target,
        to=to,
        from_=from_,
        drop=names(drop) or (),
        in_place=in_place,
    )
    if str(target) == STDOUT:
        return
    if json:
        output.print_json({key: str(v) if isinstance(v, Path) else v for key, v in asdict(report).items()})
        return
    read = f" ({report.source_format})" if report.source_format else ""
    output.show(
        f"{report.records} records: {source}{read} → {target} ({report.target_format})",
        *(f"dropped {name} of {count} records" for name, count in report.dropped.items()),
    )
