"""What environment cases show: whether agents need what instructions name, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.behavior.environment.edits import CHANGES
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import change_of, mean_of, select
from vlnscope.benchmarks.kit.findings import Cell, Statement, interval_cells, percent
from vlnscope.types import ScoreRow

_WHAT = {
    "removed": "the objects that the instruction names are taken away",
    "moved": "the objects that the instruction names are moved to another room",
    "recoloured": "the objects that the instruction names are painted",
    "relabelled": "the rooms that the instruction names are called something else",
}
_VARIANTS = ("original", "named", "other")
_SCORES = {"next step": "mass", "success": "success"}
"""What is compared: what the agent does where the words name what is changed, and where it ends."""
_say = declarations(__package__).statement


def environment_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield per kind of change what changing the named things does, beyond changing others."""
    for kind, by, joined in _by_change(rows):
        words = {"change": kind, "what": _WHAT[kind]}
        tail = "-step" if by == "next step" else "-changed"
        yield _say(f"named{tail}", agent, change_of(joined, "named", "other"), words)
        yield _say(f"other{tail}", agent, change_of(joined, "other", "original"), words)


def environment_cells(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    """Yield the next step and success in the houses as they were and in both changed copies."""
    for kind, by, joined in _by_change(rows):
        shares = (percent(mean_of(joined, name).mean) for name in _VARIANTS)
        both = change_of(joined, "named", "other")
        yield kind, by, both.n, *shares, *interval_cells(both), both.p


def paired_rows(rows: Sequence[ScoreRow], kind: str, value: str = "success") -> list[ScoreRow]:
    """Return a row per path with a value of it as it was and in both copies, for one kind of change.

    Args:
        rows: of environment cases.
        kind: of change.
        value: ``success``, or ``mass`` for the probability of the right next step.
    """
    by_pair: dict[str, dict[str, ScoreRow]] = {}
    for row in select(rows, skill="environment"):
        if row.groups.get("sub") in (kind, "none") and value in row.values:
            by_pair.setdefault(row.groups["pair"], {})[row.groups["variant"]] = row
    return [
        ScoreRow(
            episode_id=pair,
            scan=variants["original"].scan,
            path_id=variants["original"].path_id,
            values={name: row.values[value] for name, row in variants.items()},
        )
        for pair, variants in by_pair.items()
        if variants.keys() >= set(_VARIANTS)
    ]


def _by_change(rows: Sequence[ScoreRow]) -> Iterator[tuple[str, str, list[ScoreRow]]]:
    for kind in CHANGES:
        for by, value in _SCORES.items():
            if joined := paired_rows(rows, kind, value):
                yield kind, by, joined
