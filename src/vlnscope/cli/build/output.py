"""What all verbs of `vlnscope build` print of a case set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vlnscope.cli.shared import output
from vlnscope.core.results import TextTable, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet


def print_cases(
    made: CaseSet,
    out: Path,
    counts: Mapping[str, int],
    *,
    json: bool,
    published: Mapping[str, int | None] | None = None,
    files: Sequence[Path] = (),
) -> None:
    """Print how many cases there are of each kind and what each filter let through.

    Args:
        made: the cases.
        out: where they were written.
        counts: how many there are of each kind.
        json: print one JSON object instead.
        published: how many a paper has of each kind.
        files: what else was written.
    """
    if json:
        output.print_json(cases_data(made, out, counts) | {"files": [str(path) for path in files]})
        return
    columns = ["kind", "cases"] if published is None else ["kind", "pairs", "published"]
    kinds = [[name, f"{count:,}"] for name, count in counts.items()]
    if published is not None:
        kinds = [[*row, "" if (n := published.get(row[0])) is None else f"{n:,}"] for row in kinds]
    output.show(
        TextTable(f"{out}: {len(made.cases):,} cases of {made.data}", columns, kinds),
        losses_table("what each filter let through", made, ("filter", "of", "left")),
        *notes((*made.notes, *map(str, files))),
    )


def losses_table(title: str, case_set: CaseSet, columns: Sequence[str]) -> TextTable:
    """Return what each filter let through."""
    rows = [[loss.filter, f"{loss.before:,}", f"{loss.after:,}"] for loss in case_set.losses]
    return TextTable(title, columns, rows)


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
