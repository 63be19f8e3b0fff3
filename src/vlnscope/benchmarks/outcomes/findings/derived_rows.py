"""What the findings of outcomes are made of: rows per turn that was due, examples, and signs of a lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.kit.findings import Statement
from vlnscope.benchmarks.outcomes.kinds import SUCCESSES
from vlnscope.benchmarks.outcomes.score.turns import Turn
from vlnscope.types import ScoreRow

MISSED, CHANCE = "missed", "chance"
FAINT, GRAVE = 0.15, 0.8
"""Weight of a failure that does not happen, and what is added if every walk ends so."""
LACKING = 0.95
"""Weight of a statement that shows that an ability is missing."""
_SHOWN = 3


def is_failure(row: ScoreRow) -> bool:
    """Say whether a walk did not reach the goal."""
    return row.groups["outcome"] not in SUCCESSES


def ends_as(name: str) -> Callable[[ScoreRow], bool]:
    """Return what says whether a walk ended in a way."""
    return lambda row: row.groups["outcome"] == name


def left_way(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return the walks that failed because they left the way."""
    return [row for row in rows if "left-at" in row.values]


def due_rows(rows: Iterable[ScoreRow], turn: Turn) -> list[ScoreRow]:
    """Return a row for each time that a turn was due: ``missed``, and ``chance`` of missing it by any way."""
    times = []
    for row in rows:
        due, taken = (round(row.values.get(f"{name}.{turn}", 0.0)) for name in ("due", "taken"))
        for k in range(due):
            chance = 1.0 - row.values[f"chance.{turn}"] / due
            times.append(replace(row, values={MISSED: float(k >= taken), CHANCE: chance}))
    return times


def chance_of(times: Sequence[ScoreRow]) -> float:
    """Return how often somebody who takes any way misses a turn, in percent."""
    return 100.0 * sum(row.values[CHANCE] for row in times) / len(times)


def examples(rows: Iterable[ScoreRow], clearness: Callable[[ScoreRow], float]) -> tuple[str, ...]:
    """Return the three clearest cases, of different scenes if there are so many."""
    ordered = sorted(rows, key=lambda row: (-clearness(row), row.scan, row.episode_id))
    ids: dict[str, str] = {}
    seen: dict[str, int] = {}
    for row in ordered:
        if row.episode_id not in ids:
            seen[row.scan] = seen.get(row.scan, -1) + 1
            ids[row.episode_id] = f"{seen[row.scan]:09d}"
    return tuple(sorted(ids, key=lambda one: ids[one])[:_SHOWN])


def failure_weight(share: float | None) -> float:
    """Return how much a reader should care for a failure that happens so often: nearly 1 if always."""
    return FAINT + GRAVE * (share or 0.0)


def as_lack(said: Statement, topic: str, *, worst: float, best: float, weight: float = LACKING) -> Statement:
    """Let a statement speak of an ability if it shows that the ability is missing; else leave it.

    Who goes left where the way does may have been led by a door that was named, and who stops at all may stop
    anywhere: that says nothing for the ability, and must not outweigh a test that was made for it. But who
    misses nearly every left turn does not heed “left”. `weight` is that of such a lack.

    Example:
        >>> from vlnscope.benchmarks.kit.findings import Wording
        >>> often = Statement(
        ...     key="never", agent="mine", value=99.0, low=95.0, high=100.0, wording=Wording(plain="")
        ... )
        >>> as_lack(often, "stopping", worst=100.0, best=0.0).topic
        'stopping'
        >>> as_lack(often, "stopping", worst=0.0, best=100.0).topic
        ''
    """
    about = replace(said, topic=topic, worst=worst, best=best)
    return replace(about, weight=weight) if about.shows_absence else said
