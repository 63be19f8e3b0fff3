"""`vlnscope show` (results)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import DataOfRun, Json, Root, SceneFolder
from vlnscope.core.exceptions import InputError


def show(
    episode: Annotated[str, typer.Argument(metavar="EPISODE", help="Its id.")],
    data: DataOfRun = None,
    run: Annotated[
        Path | None, typer.Option(help="Folder of a run; the annotated walk is shown if not given.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Prediction file, in any format of `ls formats`.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder, or a file: .svg map, .png poster, .gif or .webp film; else walk-EPISODE."),
    ] = None,
    root: Root = None,
    scenes: SceneFolder = None,
    profile: Annotated[
        str | None, typer.Option(help="Whose conventions to follow; else vlnce in space, default on graphs.")
    ] = None,
    json: Json = False,
) -> None:
    """Show one walk: maps, a poster, a short film, and what became of it.

    Maps (SVG, one per storey) have the walk coloured along time, collisions, the reference path, the shortest
    path and the goal. The poster (PNG) adds the instruction and what the agent saw at telling moments; the
    film (GIF) shows its view beside the map. Scenes that have no mesh are shown as maps alone.

    **Examples**

    `vlnscope show 4000001_0 --data houses-ce/val_unseen@1`

    `vlnscope show 4000001_0 --run runs/mine --out pictures`

    `vlnscope show 4000001_0 --run runs/mine --out walk.gif`

    `vlnscope show 1 --data r2r-ce/val_unseen --predictions preds.json --scenes ~/scene_datasets/mp3d`

    `vlnscope show 2390_0 --data r2r/val_unseen --root ~/vln-data --out map.svg`

    `vlnscope show 4000001_0 --run runs/mine --json`
    """
    from vlnscope.cli.shared.options import opened
    from vlnscope.evaluate.run_data import run_folder
    from vlnscope.evaluate.show.show import show as show_walk

    if run is not None and predictions is not None:
        raise InputError("both --run and --predictions", expected="one of them", fix="leave one out")
    if run is not None and run_folder(run) is None:
        raise InputError(
            f"{run}: is not the folder of a run",
            expected="a folder that `vlnscope run --out` made",
            fix="name such a folder, or a prediction file with --predictions",
        )
    source = run or predictions
    dataset = opened(data, root) if source is None and data is not None else data
    shown = show_walk(episode, dataset, predictions=source, out=out, root=root, profile=profile)
    output.print_result(shown, json)
