"""`vlnscope merge` (agents)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Partial


def merge(
    runs: Annotated[list[Path], typer.Argument(help="Folders of the shards of one run, in any order.")],
    out: Annotated[Path, typer.Option(help="A new folder for the whole run.")],
    partial: Partial = False,
    json: Json = False,
) -> None:
    """Join the shards of a run into one.

    Refuses runs of another agent, other data or another version, a case that is in two runs, and cases that
    are in none.

    **Examples**

    `vlnscope merge shard1 shard2 shard3 shard4 --out whole`

    `vlnscope merge runs/shard* --out runs/whole && vlnscope score runs/whole --data r2r/val_unseen`
    """
    from vlnscope.engine.merge import merge as join

    record = join(runs, out=out, partial=partial).record
    total = record.cases.count
    if json:
        summary = {"out": str(out), "cases": record.size, "of": total, "failed": record.failed}
        output.print_json(summary)
    else:
        of = f"{record.agent.identity} on {record.data.name}"
        output.show(f"{out}: {record.size} of {total} cases of {of}")
