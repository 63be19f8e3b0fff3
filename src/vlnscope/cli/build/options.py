"""Options that all verbs of `vlnscope build` have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    list[str], typer.Option(help="Data set such as r2r/val_unseen, or an episode file; may be repeated.")
]
Out = Annotated[Path, typer.Option(help="Folder to write to; made if it is not there.")]
Root = Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")]
Positions = Annotated[
    str, typer.Option(help="Where viewpoints lie: as in `connectivity` files, or as in `.house` files.")
]
Seed = Annotated[int, typer.Option(help="Seed of all random choices.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
