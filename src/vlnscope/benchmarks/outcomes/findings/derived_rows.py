"""Rows made of rows: yes or no, one per turn that was due, and those that show something best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.outcomes.score.outcomes import SUCCESSES
from vlnscope.benchmarks.outcomes.score.turns import Turn
from vlnscope.stats.interval import SIZE, Interval
from vlnscope.types import ScoreRow

SHARE, MISSED, CHANCE = "share", "missed", "chance"
_SHOWN = 3


def is_failure(row: ScoreRow) -> bool:
    """Say whether a walk did not reach the goal."""
    return row.groups["outcome"] not in SUCCESSES


def ends_as(name: str) -> Callable[[ScoreRow], bool]:
    """Return what says whether a walk ended in a way."""
    return lambda row: row.groups["outcome"] == name


def share_of(rows: Sequence[ScoreRow], holds: Callable[[ScoreRow], bool]) -> Interval:
    """Return the share of rows of which something holds."""
    flagged = [replace(row, values={SHARE: float(holds(row))}) for row in rows]
    return mean_of(flagged, SHARE)


def size_of(rows: Sequence[ScoreRow], metric: str) -> Interval:
    """Return the mean of a number that is never negative."""
    return mean_of(rows, metric, within=SIZE)


def due_rows(rows: Iterable[ScoreRow], turn: Turn) -> list[ScoreRow]:
    """Return a row for each time that a turn was due: ``missed``, and ``chance`` of missing it by any way."""
    found = []
    for row in rows:
        due, taken = (round(row.values.get(f"{name}.{turn}", 0.0)) for name in ("due", "taken"))
        for k in range(due):
            chance = 1.0 - row.values[f"chance.{turn}"] / due
            found.append(replace(row, values={MISSED: float(k >= taken), CHANCE: chance}))
    return found


def telling(rows: Iterable[ScoreRow], weight: Callable[[ScoreRow], float]) -> tuple[str, ...]:
    """Return the three cases with the largest weights, of different scenes if there are so many."""
    ordered = sorted(rows, key=lambda row: (-weight(row), row.scan, row.episode_id))
    ids: dict[str, str] = {}
    seen: dict[str, int] = {}
    for row in ordered:
        if row.episode_id not in ids:
            seen[row.scan] = seen.get(row.scan, -1) + 1
            ids[row.episode_id] = f"{seen[row.scan]:09d}"
    return tuple(sorted(ids, key=lambda one: ids[one])[:_SHOWN])
