"""`vlnscope audit` (data)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import DATA_HELP, Json, Root, Seed, Senses, Threshold, names, opened


def audit(
    data: Annotated[str, typer.Argument(help=f"{DATA_HELP}.")],
    detector: Annotated[
        str, typer.Option(help="Who reads the instructions; `none` for rules alone.")
    ] = "grounding",
    threshold: Threshold = 0.99,
    senses: Senses = None,
    against: Annotated[
        list[str] | None, typer.Option(help="Split that must share nothing with it; may be repeated.")
    ] = None,
    top: Annotated[int, typer.Option(help="How many of the most suspicious episodes to show.")] = 25,
    limit: Annotated[int | None, typer.Option(help="Read only the first N instructions.")] = None,
    root: Root = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for audit.json and audit.html with maps of the paths.")
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find suspicious episodes of a data set, with reasons and pictures.

    Rules find references that are not shortest, goals that cannot be reached, ids that stand for two things,
    texts that are cut off or used twice, rooms that are never passed, and scenes, paths or texts that another
    split has too. A detector reads every instruction and holds it against its reference.

    Exit code 0: no errors (perhaps warnings). 1: errors were found.

    **Examples**

    `vlnscope audit r2r/val_unseen --root ~/vln-data --out audit`

    `vlnscope audit houses/val_unseen@3 --top 5`

    `vlnscope audit my_episodes.json --detector none --against r2r/train --json`
    """
    from vlnscope.evaluate.audit.audit import audit as audit_data
    from vlnscope.evaluate.audit.page import save_page

    result = audit_data(
        opened(data, root),
        detector=None if detector == "none" else detector,
        senses=names(senses),
        against=against,
        root=root,
        limit=limit,
        seed=seed,
    )
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        result.save(out / "audit.json")
        save_page(result, out / "audit.html", top)
    if json:
        output.print_json(result.to_dict())
    else:
        output.show(*result.display(top, threshold), *([str(out / "audit.html")] if out else []))
    if not result.ok:
        raise typer.Exit(1)
