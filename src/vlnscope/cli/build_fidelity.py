"""`vlnscope build fidelity`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli import output
from vlnscope.cli.build_options import Data, Json, Out, Positions, Root, Seed
from vlnscope.cli.progress import progress
from vlnscope.exceptions import InputError

if TYPE_CHECKING:
    from vlnscope.benchmarks.fidelity.build_result import Joined

EPILOG = """
R4R joins pairs of paths, R6R three and R8R four in a row. R4R comes out byte for byte as today's official
script makes it. Of R6R and R8R 10,000 paths with 9 instructions each are kept, drawn at random;
`--max-paths 0 --max-instructions 0` keeps all.

**Examples**

`vlnscope build fidelity --variant r4r --data r2r/val_unseen --out r4r`

`vlnscope build fidelity --data r2r/train --data r2r/val_seen --data r2r/val_unseen --out r4r`

`vlnscope build fidelity --variant r8r --max-paths 2000 --seed 7 --data r2r/train --out r8r`

`vlnscope build fidelity --positions house --operator '<' --data r2r/val_unseen --out r4r-2019`
"""


def fidelity(
    data: Data,
    out: Out,
    variant: Annotated[str, typer.Option(help="r4r, r6r or r8r.")] = "r4r",
    root: Root = None,
    positions: Positions = "connectivity",
    operator: Annotated[
        str, typer.Option(help="Join paths that are `<=` (today's script) or `<` (the paper) so near.")
    ] = "<=",
    near: Annotated[
        float, typer.Option(help="Metres from the end of a path to the start of the next.")
    ] = 3.0,
    separator: Annotated[str, typer.Option(help="Text between two instructions; officially none.")] = "",
    max_paths: Annotated[int | None, typer.Option(help="Keep so many joined paths; 0 for all.")] = None,
    max_instructions: Annotated[
        int | None, typer.Option(help="Keep so many instructions of each; 0 for all.")
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Join paths to longer ones that are not the shortest to their goal: R4R, R6R, R8R."""
    from vlnscope.benchmarks.fidelity.build import build_fidelity
    from vlnscope.episodes.datasets import open_dataset

    options: dict[str, Any] = {"operator": operator, "near": near, "separator": separator, "seed": seed}
    options |= {"max_paths": max_paths, "max_instructions": max_instructions}
    written: list[tuple[Joined, Path]] = []
    for name in progress(data, len(data), "data sets"):
        joined = build_fidelity(open_dataset(name, root, positions=positions), variant, **options)
        path = out / joined.file_name
        if any(path == other for _, other in written):
            raise InputError(
                f"{path}: would be written twice, the second time from {name}",
                expected="data sets of different splits",
                fix="build them into different folders",
            )
        written.append((joined, joined.save(path)))
    if json:
        output.print_json({"files": [_joined_data(joined, path) for joined, path in written]})
        return
    columns = ["file", "paths", "instructions", "mean metres", "shortest", "viewpoints", "shortest"]
    rows = [_joined_row(joined, path) for joined, path in written]
    screen = output.console()
    screen.print(output.table(f"{variant.upper()}: {', '.join(data)}", columns, rows))
    for joined, path in written:
        for note in joined.notes:
            screen.print(f"[dim]{output.plain(f'{path.name}: {note}')}[/]", soft_wrap=True)


def _joined_data(joined: Joined, path: Path) -> dict[str, Any]:
    from msgspec import to_builtins

    about = {"file": str(path), "variant": joined.variant, "data": joined.source.name}
    return {**about, **to_builtins(joined.summary()), "notes": list(joined.notes)}


def _joined_row(joined: Joined, path: Path) -> list[str]:
    found = joined.summary()
    means = (found.avg_distance, found.avg_shortest, found.avg_path_nodes, found.avg_shortest_nodes)
    cells = ["" if mean is None else f"{mean:.2f}" for mean in means]
    return [str(path), f"{found.paths:,}", f"{found.instructions:,}", *cells]
