"""`vlnscope merge` (agents)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Partial


def merge(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders of the shards of one run, in any order; or files of predictions."),
    ],
    out: Annotated[Path, typer.Option(help="A new folder for the whole run; or the file to write.")],
    partial: Partial = False,
    json: Json = False,
) -> None:
    """Join the shards of a run, or several prediction files, into one.

    Refuses runs of another agent, other data or another version, a case that is in two runs, and cases that
    are in none. Files must be of one format and share no episode; ids of paths become those of instructions
    if the files' names say which instruction of each path they hold.

    **Examples**

    `vlnscope merge shard1 shard2 shard3 shard4 --out whole`

    `vlnscope merge runs/shard* --out runs/whole && vlnscope score runs/whole --data r2r/val_unseen`

    `vlnscope merge preds_inst_0.json preds_inst_1.json preds_inst_2.json --out preds.json`
    """
    if all(run.is_file() for run in runs):
        _merge_files(runs, out, json)
        return
    from vlnscope.engine.merge import merge as join

    record = join(runs, out=out, partial=partial).record
    total = record.cases.count
    if json:
        summary = {"out": str(out), "cases": record.size, "of": total, "failed": record.failed}
        output.print_json(summary)
    else:
        of = f"{record.agent.identity} on {record.data.name}"
        output.show(f"{out}: {record.size} of {total} cases of {of}")


def _merge_files(files: list[Path], out: Path, json: bool) -> None:
    from vlnscope.episodes.merging import merge_files

    merged = merge_files(files, out)
    if json:
        summary = {"out": str(out), "format": merged.format, "records": merged.records}
        output.print_json(summary | {"notes": list(merged.notes)})
        return
    output.show(f"{out}: {merged.records} records of {len(files)} files ({merged.format})")
    output.show_notes(merged.notes)
