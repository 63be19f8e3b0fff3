"""What all verbs of `vlnscope build` print of a case set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vlnscope.cli import output

if TYPE_CHECKING:
    from vlnscope.benchmarks.case_set import CaseSet


def print_cases(made: CaseSet, out: Path, counts: Mapping[str, int], *, json: bool) -> None:
    """Print how many cases there are of each kind and what each filter let through."""
    if json:
        output.print_json(cases_data(made, out, counts))
        return
    screen = output.console()
    title = output.plain(f"{out}: {len(made.cases):,} cases of {made.data}")
    screen.print(
        output.table(title, ["kind", "cases"], [[name, f"{count:,}"] for name, count in counts.items()])
    )
    losses = [[loss.filter, f"{loss.before:,}", f"{loss.after:,}"] for loss in made.losses]
    screen.print(output.table("what each filter let through", ["filter", "of", "left"], losses))
    for note in made.notes:
        screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)


def cases_data(made: CaseSet, out: Path, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the same as plain data."""
    from msgspec import to_builtins

    return {
        "folder": str(out),
        "data": made.data,
        "cases": len(made.cases),
        "counts": dict(counts),
        "losses": to_builtins(made.losses),
        "options": made.options,
        "notes": list(made.notes),
    }
