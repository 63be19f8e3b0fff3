"""`vlnscope build nuances`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.build.output import print_cases
from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Out, Root, Seed

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet

EPILOG = """
The folder gets the cases, which `run` takes, and one file per category in the format of NavNuances
(R2R_DC.json and so on), which its evaluators read. Counting rooms needs a plan, which only houses have.

**Examples**

`vlnscope build nuances --data houses/nuances --out nuances`

`vlnscope build nuances --data r2r/val_unseen --root DATA --categories DC,RR --out nuances-mp3d`

`vlnscope build nuances --data houses/nuances --review look.html --out nuances`

`vlnscope build nuances --data houses/nuances --verdicts verdicts.jsonl --out nuances`
"""


def nuances(
    data: Annotated[
        str, typer.Option(help="Data set in whose scenes items are built, such as houses/nuances.")
    ],
    out: Out,
    root: Root = None,
    categories: Annotated[
        str, typer.Option(help="Which of DC, VM, NU, LR, RR, with commas.")
    ] = "DC,VM,NU,LR,RR",
    most: Annotated[
        str, typer.Option(help="How much of a scene is taken, by category, such as DC=5,LR=20; see the docs.")
    ] = "",
    paraphrase: Annotated[bool, typer.Option(help="Draw from several wordings.")] = True,
    review: Annotated[
        Path | None, typer.Option(help="Write a page on which people can look at the items.")
    ] = None,
    review_most: Annotated[int, typer.Option(min=0, help="How many views the page shows; 0 for all.")] = 60,
    verdicts: Annotated[
        Path | None,
        typer.Option(help="Leave out what people rejected: JSON lines or CSV with case_id, verdict."),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Build atomic instructions: turns, stairs, counting, landmarks and rooms."""
    from vlnscope.benchmarks.nuances.build.cases import build_cases
    from vlnscope.benchmarks.nuances.build.files import save_files
    from vlnscope.benchmarks.nuances.limits import read_limits
    from vlnscope.benchmarks.nuances.review.verdict_files import read_verdicts, reviewed
    from vlnscope.episodes.datasets.dataset import open_dataset

    opened = open_dataset(data, root)
    said = read_verdicts(verdicts) if verdicts else []
    made = build_cases(
        opened,
        seed=seed,
        categories=[part.strip() for part in categories.split(",")],
        most=read_limits(most),
        paraphrase=paraphrase,
    )
    made = reviewed(made, said) if verdicts else made
    made.save(out)
    files = save_files(made, out)
    shown = 0
    if review:
        from vlnscope.benchmarks.nuances.review.page import write_review

        assert opened.scenes is not None  # something was built in them
        shown = write_review(made, opened.scenes, review, most=review_most, seed=seed)
    print_cases(made, out, _counts(made), json=json, files=files)
    if review and not json:
        output.show(f"{shown} items to look at in {review}")


def _counts(made: CaseSet) -> Counter[str]:
    return Counter(f"{case.groups['category']} {case.groups['subset']}" for case in made.cases)
