"""`vlnscope detect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output

if TYPE_CHECKING:
    from vlnscope.benchmarks.errors.detection.rows import DetectionScores
    from vlnscope.evaluate.audit.detect import Detected

EPILOG = """
On cases of `build errors`, where the truth is known, it prints how well errors are detected (AUC, AP, risk)
and located (ATD, hits). On any other data set it lists the instructions above the threshold.

Without `--walks`, instructions are held against the reference paths. With `--walks RUN` they are held against
what an agent saw that followed them, as in R2RIE-CE; that is another, harder question.

**Examples**

`vlnscope detect errors --detector grounding`

`vlnscope detect errors --walks runs/captions --detector alignment`

`vlnscope detect r2r/val_unseen --threshold 0.99 --out detections.parquet`
"""


def detect(
    cases: Annotated[str, typer.Argument(help="Folder of cases, or a data set such as r2r/val_unseen.")],
    detector: Annotated[str, typer.Option(help="random, alignment, grounding, or a plug-in.")] = "grounding",
    walks: Annotated[
        Path | None, typer.Option(help="Run of these cases; the reference paths if not given.")
    ] = None,
    threshold: Annotated[float, typer.Option(help="τ_a: flag instructions with a higher score.")] = 0.99,
    senses: Annotated[str | None, typer.Option(help="What may be seen, e.g. rooms,objects,captions.")] = None,
    vocabulary: Annotated[Path | None, typer.Option(help="BERT vocab.txt, for ATD in word-pieces.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first so many of each type of error.")] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write all rows: .parquet or .jsonl.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of random choices.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Look for errors in instructions, given what is seen on the way."""
    from vlnscope.evaluate.audit.detect import detect as study

    sensed = None if senses is None else tuple(part.strip() for part in senses.split(","))
    found = study(
        cases,
        detector,
        walks=walks,
        senses=sensed,
        vocabulary=vocabulary,
        root=root,
        limit=limit,
        seed=seed,
    )
    if out is not None:
        found.save(out)
    scores = found.scores()
    if json:
        output.print_json(_data(found, scores, threshold))
    else:
        _show(found, scores, threshold)


def _data(found: Detected, scores: list[DetectionScores], threshold: float) -> dict[str, Any]:
    from msgspec import to_builtins

    return {
        "data": found.data,
        "detector": found.detector,
        "walks": found.walks,
        "instructions": len(found.rows),
        "left_out": found.left_out,
        "scores": to_builtins([_flat(one) for one in scores]),
        "threshold": threshold,
        "flagged": [
            {
                "case_id": row.case_id,
                "score": row.found.score,
                "instruction": row.instruction,
                "reasons": [reason.text for reason in row.found.reasons],
            }
            for row in found.flagged(threshold)
        ],
    }


def _flat(one: DetectionScores) -> dict[str, Any]:
    names = ("type", "right", "wrong", "aspect_auc", "average_precision", "risk_area")
    whole = {name: getattr(one, name) for name in names}
    return {**whole, "auc": one.auc._asdict(), "located": one.located}


def _show(found: Detected, scores: list[DetectionScores], threshold: float) -> None:
    screen = output.console()
    read = f"{len(found.rows):,} instructions of {found.data}, {found.walks} walks, detector {found.detector}"
    if scores:
        columns = ["error", "right", "wrong", "AUC", "95 % over scenes", "of its aspect", "AP", "risk"]
        measured = list(dict.fromkeys(key for one in scores for key in one.located))
        rows = [_row(one, measured) for one in scores]
        screen.print(output.table(output.plain(read), [*columns, *measured], rows))
    else:
        screen.print(output.plain(read), soft_wrap=True)
    flagged = found.flagged(threshold)
    screen.print(f"{len(flagged):,} above {threshold}")
    for row in flagged[:10] if scores else flagged:
        reasons = "; ".join(reason.text for reason in row.found.reasons[:3])
        screen.print(output.plain(f"{row.found.score:.4f} {row.case_id}: {reasons}"), soft_wrap=True)
    if found.left_out:
        screen.print(f"[dim]{found.left_out:,} without a walk were left out[/]")


def _row(one: DetectionScores, measured: list[str]) -> list[str]:
    auc = "" if one.auc.value is None else f"{one.auc.value:.3f}"
    precision = "" if one.average_precision is None else f"{one.average_precision:.3f}"
    cells = [one.type, f"{one.right:,}", f"{one.wrong:,}", auc, output.interval(one.auc.low, one.auc.high)]
    located = [f"{one.located[key]:.2f}" if key in one.located else "" for key in measured]
    aspect = "" if one.aspect_auc is None else f"{one.aspect_auc:.3f}"
    return [*cells, aspect, precision, f"{one.risk_area:.3f}", *located]
