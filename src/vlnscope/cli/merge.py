"""`vlnscope merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output

EPILOG = """
Refuses runs of another agent, other data or another version, a case that is in two runs, and cases that are
in none.

**Examples**

`vlnscope merge shard1 shard2 shard3 shard4 --out whole`

`vlnscope merge runs/shard* --out runs/whole && vlnscope score runs/whole --data r2r/val_unseen`
"""


def merge(
    runs: Annotated[list[Path], typer.Argument(help="Folders of the shards of one run, in any order.")],
    out: Annotated[Path, typer.Option(help="A new folder for the whole run.")],
    partial: Annotated[bool, typer.Option("--partial", help="Join what there is, if incomplete.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Join the shards of a run into one."""
    from vlnscope.engine.store.merge import merge as join

    whole = join(runs, out=out, partial=partial)
    record = whole.record
    if json:
        told = {"out": str(out), "cases": record.size, "of": record.cases.count, "failed": record.failed}
        output.print_json(told)
        return
    text = (
        f"{out}: {record.size} of {record.cases.count} cases of {record.agent.identity} on {record.data.name}"
    )
    output.console().print(output.plain(text), soft_wrap=True)
