"""`vlnscope speak` (learning)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Data, Json, Root, Seed, opened
from vlnscope.cli.shared.progress import progress
from vlnscope.core.devices import AUTO, HELP


def speak(
    file: Annotated[str, typer.Argument(help="Checkpoint of a speaker; of a public one, ENCODER+DECODER.")],
    data: Data,
    out: Annotated[Path, typer.Option(help="File of episodes to write, in R2R's format.")],
    root: Root = None,
    texts: Annotated[int, typer.Option(min=1, help="Instructions for each path.")] = 1,
    sample: Annotated[
        bool, typer.Option("--sample", help="Draw words instead of taking the likeliest.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N paths.")] = None,
    features: Annotated[str, typer.Option(help="Image features; those of the training if not given.")] = "",
    words: Annotated[str, typer.Option(help="File of the words of a public speaker.")] = "",
    device: Annotated[str, typer.Option(help=HELP)] = AUTO,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Let a speaker write instructions for the paths of a data set.

    A speaker (`train r2r-captions-speaker`, `train houses-speaker`) reads a walk as an agent would see it and
    tells it in words; the instructions that the data set has are not read. The file can be run on, scored
    against, and trained on (`data.more`), like any file of episodes.

    **Examples**

    `vlnscope speak runs/speaker/best.pt --data r2r/val_unseen --out told.json`

    `vlnscope speak runs/speaker/best.pt --data r2r/train --texts 3 --sample --out more.json`
    """
    from vlnscope.cli.train import need_torch

    need_torch()
    from vlnscope.core.data_root import data_root
    from vlnscope.core.files import check_output
    from vlnscope.episodes.convert import convert
    from vlnscope.evaluate.language.speaking import Writing, count_paths, told_dataset, written

    check_output(out)
    dataset = opened(data, root)
    writing = Writing(texts, sample, seed, features, words, device)
    episodes = written(file, dataset, data_root(root), writing, limit)
    total = count_paths(dataset, limit) * texts
    made = list(progress(episodes, total, "instructions"))
    report = convert(told_dataset(dataset, made), out, to="r2r-episodes", drop=("extra",))
    if json:
        output.print_json({"out": str(out), "episodes": report.records, "speaker": file})
        return
    output.show(f"{report.records} instructions for {total // texts} paths of {dataset.name} in {out}")
