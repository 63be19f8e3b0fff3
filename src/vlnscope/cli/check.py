"""`vlnscope check` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Data, Json, Root, opened


def check(
    predictions: Annotated[
        list[Path],
        typer.Argument(help="Prediction file, in any format of `ls formats`; several count as one."),
    ],
    data: Data,
    root: Root = None,
    json: Json = False,
) -> None:
    """Find what is wrong with a prediction file before an evaluator does.

    Exit code 0: no errors (perhaps warnings). 1: errors were found. 2: the files cannot be used at all.

    **Examples**

    `vlnscope check preds.json --data r2r/val_unseen --root ~/vln-data`

    `vlnscope check preds.json --data r2r/test`

    `vlnscope check preds.json --data my_episodes.json --json > findings.json`

    `vlnscope check seen_inst_0.json seen_inst_1.json seen_inst_2.json --data r2r/val_seen`
    """
    from vlnscope.episodes.doctor import check as inspect

    report = inspect(predictions if len(predictions) > 1 else predictions[0], opened(data, root), root)
    output.print_result(report, json)
    if not report.ok:
        raise typer.Exit(1)
