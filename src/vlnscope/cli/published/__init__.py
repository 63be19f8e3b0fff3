"""`vlnscope published` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Root
from vlnscope.cli.shared.progress import phases


def published(
    out: Annotated[Path, typer.Option(help="Folder for the page and all that it rests on.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files of agents, or NAME=FILE; all of DATA/agent_predictions if none is named."),
    ] = None,
    root: Root = None,
    json: Json = False,
) -> None:
    """Score, compare and diagnose files of published agents side by side: one page.

    Each file is taken as it is found: its format is recognised, and the split whose ids and starts agree with
    it. All is said that its content allows: scores with intervals, comparisons on the episodes that two files
    share, how walks end, whether they keep to the path, which words of instructions go with failure. What a
    file does not allow is said in a sentence: a test submission has no targets, metrics without walks cannot
    be measured again, a walk in continuous space needs a mesh.

    **Examples**

    `vlnscope published --root ~/vln-data --out published`

    `vlnscope published mine=preds.json theirs.json.gz --root ~/vln-data --out published`
    """
    from vlnscope.evaluate.published.published import published as published_agents

    with phases() as progress:
        result = published_agents(*(files or ()), out=out, root=root, progress=progress)
    output.print_result(result, json)
