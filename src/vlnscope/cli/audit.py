"""`vlnscope audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.data import opened

if TYPE_CHECKING:
    from vlnscope.evaluate.audit.audit import Audit

EPILOG = """
Rules find references that are not shortest, goals that cannot be reached, ids that stand for two things,
texts that are cut off or used twice, rooms that are never passed, and scenes, paths or texts that another
split has too. A detector reads every instruction and holds it against its reference.

Exit code 0: no errors (perhaps warnings). 1: errors were found.

**Examples**

`vlnscope audit r2r/val_unseen --root ~/vln-data --out audit`

`vlnscope audit houses/val_unseen@3 --top 5`

`vlnscope audit my_episodes.json --detector none --against r2r/train --json`
"""
SHOWN = 5


def audit(
    data: Annotated[str, typer.Argument(help="Data set such as r2r/val_unseen, or an episode file.")],
    detector: Annotated[
        str, typer.Option(help="Who reads the instructions; `none` for rules alone.")
    ] = "grounding",
    threshold: Annotated[float, typer.Option(help="τ_a: flag instructions with a higher score.")] = 0.99,
    senses: Annotated[
        str | None, typer.Option(help="What the detector may see, e.g. rooms,objects,captions.")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="Split that must share nothing with it; may be repeated.")
    ] = None,
    top: Annotated[int, typer.Option(help="How many of the most suspicious episodes to show.")] = 25,
    limit: Annotated[int | None, typer.Option(help="Read the first so many instructions only.")] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for audit.json and audit.html with maps of the paths.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of random choices.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with everything.")] = False,
) -> None:
    """Find suspicious episodes of a data set, with reasons and pictures."""
    from vlnscope.evaluate.audit.audit import audit as study
    from vlnscope.evaluate.audit.page import save_page

    found = study(
        opened(data, root),
        detector=None if detector == "none" else detector,
        senses=None if senses is None else tuple(part.strip() for part in senses.split(",")),
        against=against,
        root=root,
        limit=limit,
        seed=seed,
    )
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        found.save(out / "audit.json")
        save_page(found, out / "audit.html", top)
    if json:
        output.print_json(found.to_dict())
    else:
        _show(found, top, threshold, out)
    if not found.ok:
        raise typer.Exit(1)


def _show(found: Audit, top: int, threshold: float, out: Path | None) -> None:
    screen = output.console()
    for code, count in found.counts.items():
        group = [finding for finding in found.findings if finding.code == code]
        screen.print(f"[bold]{group[0].weight}[/] [bold]{output.plain(code)}[/] × {count}")
        for finding in group[:SHOWN]:
            screen.print(output.plain(f"    {finding.episode_id or ''} {finding.what}"), soft_wrap=True)
    if found.detector:
        flagged = len(found.flagged(threshold))
        screen.print(
            f"{flagged:,} of {found.episodes:,} instructions above {threshold}; the most suspicious:"
        )
    for one in found.suspicions[:top]:
        why = "; ".join([*(finding.code for finding in one.findings), *one.reasons[:3]])
        screen.print(output.plain(f"{one.score:.4f} {one.episode.episode_id}: {why}"), soft_wrap=True)
    if out is not None:
        screen.print(output.plain(f"{out / 'audit.html'}"))
