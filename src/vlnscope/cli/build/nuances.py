"""`vlnscope build nuances`: writes NavNuances' files too, and lets people review the items."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from vlnscope.cli.build._command import BuildRequest, print_cases
from vlnscope.cli.shared import output


def nuances(
    request: BuildRequest,
    *,
    review: Annotated[
        Path | None, typer.Option(help="Write a page on which people can look at the items.")
    ] = None,
    review_most: Annotated[int, typer.Option(min=0, help="How many views the page shows; 0 for all.")] = 60,
    verdicts: Annotated[
        Path | None,
        typer.Option(help="Leave out what people rejected: JSON lines or CSV with case_id, verdict."),
    ] = None,
    **options: Any,
) -> None:
    """Build atomic instructions: turns, stairs, counting, landmarks and rooms.

    The folder gets the cases, which `run` takes, and one file per category in the format of NavNuances
    (R2R_DC.json and so on), which its evaluators read. Counting rooms needs a plan, which only houses have.

    **Examples**

    `vlnscope build nuances --data houses/nuances --out nuances`

    `vlnscope build nuances --data r2r/val_unseen --root DATA --categories DC,RR --out nuances-mp3d`

    `vlnscope build nuances --data houses/nuances --review look.html --out nuances`

    `vlnscope build nuances --data houses/nuances --verdicts verdicts.jsonl --out nuances`
    """
    from vlnscope.benchmarks.nuances.build.files import save_files
    from vlnscope.benchmarks.nuances.review.verdict_files import read_verdicts, reviewed

    dataset = request.dataset()
    said = read_verdicts(verdicts) if verdicts else []
    case_set = request.benchmark.build_cases(dataset, **options)
    case_set = reviewed(case_set, said) if verdicts else case_set
    case_set.save(request.out)
    files = save_files(case_set, request.out)
    shown = 0
    if review:
        from vlnscope.benchmarks.nuances.review.page import write_review

        assert dataset.scenes is not None  # something was built in them
        seed = options["seed"]
        shown = write_review(case_set, dataset.scenes, review, most=review_most, seed=seed)
    print_cases(case_set, request, files=files)
    if review and not request.json:
        output.show(f"{shown} items to look at in {review}")
