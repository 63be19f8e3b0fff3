"""What environment cases show: whether agents need what instructions name, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.behavior.environment.edits import CHANGES
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Statement, Table, Wording, statement
from vlnscope.types import ScoreRow

_WHAT = {
    "removed": "the objects that the instruction names are taken away",
    "moved": "the objects that the instruction names are moved to another room",
    "recoloured": "the objects that the instruction names are painted",
    "relabelled": "the rooms that the instruction names are called something else",
}


def environment_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield per kind of change what changing the named things does, beyond changing others."""
    for kind in CHANGES:
        joined = paired_rows(rows, kind)
        if not joined:
            continue
        yield statement(
            f"environment.{kind}.named",
            agent,
            change_of(joined, "named", "other"),
            Wording(
                above=f"does better where {_WHAT[kind]} than where others are, by {{value}}",
                below=f"relies on what is named: where {_WHAT[kind]}, it arrives less often than where"
                " others are, by {value}",
                unclear=f"cannot be shown to rely on what is named: where {_WHAT[kind]} instead of others,"
                " its success changes by {value}",
            ),
            weight=0.7,
        )
        yield statement(
            f"environment.{kind}.other",
            agent,
            change_of(joined, "other", "original"),
            Wording(
                above=f"does better after things that nobody names have changed ({kind}), by {{value}}",
                below=f"is disturbed by changes of things that nobody names ({kind}): it loses {{value}}",
                unclear=f"shows no disturbance by changes of things that nobody names ({kind}): {{value}}",
            ),
            weight=0.4,
        )


def environment_table(scored: Mapping[str, Sequence[ScoreRow]]) -> Table:
    """Return success in the houses as they were and in both changed copies."""
    table: list[tuple[Cell, ...]] = []
    for agent, rows in scored.items():
        for kind in CHANGES:
            joined = paired_rows(rows, kind)
            if joined:
                shares = [mean_of(joined, name).mean for name in ("original", "named", "other")]
                both = change_of(joined, "named", "other")
                points = [both.mean, both.low, both.high]
                cells = [None if number is None else 100.0 * number for number in (*shares, *points)]
                table.append((agent, kind, both.n, *cells, both.p))
    return Table(
        name="behavior-environment",
        title="Success when the house changes and the instruction does not, in %",
        columns=(
            *("agent", "change", "paths", "as it was", "named things", "other things"),
            *("named − other", "low", "high", "p"),
        ),
        rows=tuple(table),
        notes=("as many other things are changed as named ones, in another copy of the house",),
    )


def paired_rows(rows: Sequence[ScoreRow], kind: str) -> list[ScoreRow]:
    """Return a row per path with its success as it was and in both copies, for one kind of change."""
    found: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        groups = row.groups
        if groups.get("skill") == "environment" and groups.get("sub") in (kind, "none"):
            found.setdefault(groups["pair"], {})[groups["variant"]] = row
    return [
        ScoreRow(
            episode_id=pair,
            scan=its["original"].scan,
            path_id=its["original"].path_id,
            values={variant: row.values["success"] for variant, row in its.items()},
        )
        for pair, its in found.items()
        if its.keys() >= {"original", "named", "other"}
    ]
