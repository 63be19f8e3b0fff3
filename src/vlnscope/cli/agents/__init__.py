"""`vlnscope agents` (learning)."""

from __future__ import annotations

from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json
from vlnscope.cli.shared.verbs import subverb

app = typer.Typer(no_args_is_help=True)


@app.callback()
def agents() -> None:
    """Look into checkpoints of agents."""


@subverb(app, "inspect")
def inspect(
    file: Annotated[
        str, typer.Argument(help="Checkpoint, ours or public; several files of one model as A+B.")
    ],
    json: Json = False,
) -> None:
    """Say which model a checkpoint holds, and what running it takes.

    Files of vlnscope are recognised by what they say, public ones by their weights: those of HAMT, DUET,
    ScaleVLN, BEVBert, VLN↻BERT, EnvDrop, CLIP-ViL, Speaker-Follower and the first R2R agent; in continuous
    environments CMA and what remembers tours like it, MAP-CMA, Seq2Seq, and RedNet. Nothing in a file is
    executed. Weights that are missing or not used are named, and how the model is told directions.

    **Examples**

    `vlnscope agents inspect best_val_unseen`

    `vlnscope agents inspect follower_enc_iter_20000+follower_dec_iter_20000 --json`
    """
    from vlnscope.agents.learned.inspection import inspect_checkpoint

    result = inspect_checkpoint(file)
    if json:
        output.print_json(result.to_dict())
        return
    output.show(*result.display())
