"""`vlnscope build outcomes`."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from vlnscope.cli.build.output import print_cases
from vlnscope.cli.shared.options import Data, Json, Out, Root, Seed

EPILOG = """
The episodes are asked as they are. Runs of them keep every decision, so that a report can show what else
was probable at any step. `vlnscope report` then says how walks end (reached, stopped early, overshot, wrong
turn …), when they go wrong, and which turns are missed.

**Examples**

`vlnscope build outcomes --data houses/val_unseen@6 --most 60 --out outcomes`

`vlnscope build outcomes --data r2r/val_unseen --out outcomes`

`vlnscope build outcomes --data reverie/val_unseen --max-steps 20 --most 500 --seed 3 --out outcomes`
"""


def outcomes(
    data: Data,
    out: Out,
    root: Root = None,
    most: Annotated[
        int | None, typer.Option(min=1, help="Ask so many episodes, spread over scenes; all if not given.")
    ] = None,
    max_steps: Annotated[
        int | None,
        typer.Option(min=1, help="Steps of an agent; twice those of the longest path, 15 at least."),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Ask the episodes of a data set as they are, to see how walks end and where they go wrong."""
    from vlnscope.benchmarks.outcomes.build import build_cases
    from vlnscope.episodes.datasets.dataset import open_dataset

    made = build_cases(open_dataset(data, root), most=most, max_steps=max_steps, seed=seed)
    made.save(out)
    counts = Counter(f"{len(case.episode.path) - 1} steps" for case in made.cases)
    ordered = sorted(counts.items(), key=lambda item: int(item[0].split()[0]))
    print_cases(made, out, dict(ordered), json=json)
