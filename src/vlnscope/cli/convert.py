"""`vlnscope convert` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Partial, Root, SceneFolder, names, opened

if TYPE_CHECKING:
    from vlnscope.episodes.convert import ConversionReport


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="File with predictions, episodes or tours; the folder of a run; a data set; official files.",
        ),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="File to write, or - to print it; or a new folder.")
    ],
    to: Annotated[str, typer.Option(help="As in `ls formats`; of a run, as in `ls run-formats`; or run.")],
    from_: Annotated[
        str | None, typer.Option("--from", help="Format to read; recognised if not given.")
    ] = None,
    drop: Annotated[str, typer.Option(help="Fields that may be lost, separated by commas.")] = "",
    root: Root = None,
    scenes: SceneFolder = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Let OUT be IN, which it replaces.")] = False,
    cases: Annotated[
        Path | None, typer.Option(help="With --to run: folder of the cases that IN answers.")
    ] = None,
    data: Annotated[str | None, typer.Option(help="With --to run: data set that IN was made on.")] = None,
    agent: Annotated[str | None, typer.Option(help="With --to run: what to call who made IN.")] = None,
    partial: Partial = False,
    json: Json = False,
) -> None:
    """Write files or a data set in another format, a run as official tools read it, or their files as a run.

    What the target format cannot carry is refused, unless `--drop` says that it may be lost; of a run, what
    only vlnscope's files hold is left out, and said. The target is written whole or not at all, and
    compressed if its name ends in .gz; `-` stands for the standard output. It must be another file than the
    source, unless `--in-place` says that it replaces it.

    **Examples**

    `vlnscope convert preds.json preds.jsonl --to evidence`

    `vlnscope convert submit_val_unseen.json flat.json --to r2r --drop headings,elevations`

    `vlnscope convert R2R_val_unseen.json R2R_val_unseen.json.gz --to r2r-episodes`

    `vlnscope convert preds.json - --to evidence | head -n 1`

    `vlnscope convert houses/val_unseen FGR2R_houses.json --to fgr2r-episodes`

    `vlnscope convert runs/mine submission.json --to r2r`

    `vlnscope convert runs/nuances for-navnuances --to navnuances`

    `vlnscope convert runs/tours log.json --to ivln-log:memory=reset`

    `vlnscope convert for-navnuances runs/theirs --to run --cases nuances`

    `vlnscope convert preds.json runs/theirs --to run --data r2r/val_unseen --agent theirs`
    """
    from dataclasses import asdict

    from vlnscope.core.files import STDOUT
    from vlnscope.episodes.datasets.dataset import names_dataset
    from vlnscope.evaluate.exchange.convert import convert as convert_any

    is_data = from_ is None and names_dataset(source)
    report = convert_any(
        opened(source, root) if is_data else Path(source),
        target,
        to=to,
        from_=from_,
        drop=names(drop) or (),
        root=root,
        in_place=in_place,
        cases=cases,
        data=opened(data, root) if data else None,
        agent=agent,
        partial=partial,
    )
    if str(target) == STDOUT:
        return
    if json:
        output.print_json({key: str(v) if isinstance(v, Path) else v for key, v in asdict(report).items()})
        return
    _show(report)


def _show(report: ConversionReport) -> None:
    read = f" ({report.source_format})" if report.source_format not in ("", "run") else ""
    lost = [f"dropped {name} of {count} records" for name, count in report.dropped.items()]
    if report.source_format == "run" and report.dropped:
        listed = ", ".join(f"{name} ({count:,})" for name, count in report.dropped.items())
        lost = [f"left out, for {report.target_format} files have no place for it: {listed}"]
    output.show(
        f"{report.records} records: {report.source}{read} → {report.target} ({report.target_format})",
        *lost,
    )
    if report.files:
        output.show(f"files: {', '.join(report.files)}")
    output.show_notes(report.notes)
    if report.target_format == "run":
        output.show_notes([f"`vlnscope report {report.target}` says what it shows"])
