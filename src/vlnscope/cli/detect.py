"""`vlnscope detect` (data)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, OutFile, Root, Seed, Senses, Threshold, names, passed


def detect(
    cases: Annotated[str, typer.Argument(help="Folder of cases, or a data set such as r2r/val_unseen.")],
    detector: Annotated[str, typer.Option(help="random, alignment, grounding, or a plug-in.")] = "grounding",
    walks: Annotated[
        Path | None, typer.Option(help="Run of these cases; the reference paths if not given.")
    ] = None,
    threshold: Threshold = 0.99,
    senses: Senses = None,
    vocabulary: Annotated[Path | None, typer.Option(help="BERT vocab.txt, for ATD in word-pieces.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N of each type of error.")] = None,
    root: Root = None,
    out: OutFile = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Look for errors in instructions, given what is seen on the way.

    On cases of `build errors`, where the truth is known, it prints how well errors are detected (AUC, AP,
    risk) and located (ATD, hits). On any other data set it lists the instructions above the threshold.

    Without `--walks`, instructions are held against the reference paths. With `--walks RUN` they are held
    against what an agent saw that followed them, as in R2RIE-CE; that is another, harder question.

    **Examples**

    `vlnscope detect errors --detector grounding`

    `vlnscope detect errors --walks runs/captions --detector alignment`

    `vlnscope detect r2r/val_unseen --threshold 0.99 --out detections.parquet`
    """
    options = passed(locals(), "threshold", "senses", "out")
    from vlnscope.core.results import check_target
    from vlnscope.evaluate.audit.detect import detect as detect_errors

    if out is not None:
        check_target(out, sources=[cases])
    result = detect_errors(**options, senses=names(senses))
    if out is not None:
        result.save(out)
    if json:
        output.print_json(result.to_dict(threshold))
    else:
        output.show(*result.display(threshold))
