"""What is said of stopping: whether an agent does, where on the way, and how far from its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.kit.findings import Statement, Unit, Wording, statement
from vlnscope.benchmarks.outcomes.findings.derived_rows import share_of, size_of, telling
from vlnscope.benchmarks.outcomes.findings.lack import as_lack
from vlnscope.benchmarks.outcomes.findings.statements import failure_weight
from vlnscope.benchmarks.outcomes.score.stopping import Stop
from vlnscope.types import ScoreRow

TOPIC = "stopping"
_SO = "(of {n} walks that had not lost the way; somebody who stops anywhere on it: {null})"
_THERE = Wording(
    above=f"stops at the end of the way: {{value}} {_SO}",
    below=f"hardly stops at the end of the way: {{value}} {_SO}",
    unclear=f"stops at the end of the way no more than by chance: {{value}} {_SO}",
)
_KEYS: dict[Stop, str] = {"short": "stops-early", "past": "stops-late"}
_WHERE: tuple[tuple[Stop, str, str], ...] = (
    (
        "short",
        "stops too early: on the way but before its end in {value} of the {n} walks that had not lost it",
        "always stops too early: before the end of the way in all {n} walks that had not lost it",
    ),
    (
        "past",
        "goes past the goal in {value} of the {n} walks that had not lost the way before it",
        "always goes past the goal: in all {n} walks that had not lost the way before it",
    ),
)
ENOUGH = 6
"""So many walks must stop elsewhere before it is said how far."""


def stop_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say whether and where an agent stops; what is not known is not mentioned."""
    known = [row for row in rows if "stopped" in row.values]
    if known:
        yield _never(agent, known)
    told = [row for row in rows if "stop" in row.groups]
    if not told:
        return
    yield _there(agent, told)
    for where, words, always in _WHERE:
        yield from _elsewhere(agent, where, told, words, always)
    short = [row for row in told if row.groups["stop"] == "short"]
    past = [row for row in told if "metres-past" in row.values]
    before = "where it stops before the end of the way, {value} of it are left on average"
    after = "where it has been at the goal and goes away, it ends {value} from it on average"
    yield from _extent("short.steps", agent, short, "steps-short", "steps", before)
    yield from _extent("short.metres", agent, short, "metres-short", "m", before)
    yield from _extent("past.metres", agent, past, "metres-past", "m", after)


def _never(agent: str, known: Sequence[ScoreRow]) -> Statement:
    missing = [row for row in known if row.values["stopped"] == 0.0]
    found = share_of(known, lambda row: row.values["stopped"] == 0.0)
    if len(missing) == len(known):
        words = "never stops: all of its {n} walks ran out of steps"
    elif missing:
        words = "does not stop in {value} of its {n} walks: they ran out of steps"
    else:
        words = "stops by itself in all of its {n} walks: {value} ran out of steps"
    made = statement(
        "never-stops",
        agent,
        found,
        Wording(plain=words),
        weight=failure_weight(found.low),
        episodes=telling(missing, lambda row: row.values.get("OSR", 0.0)),
    )
    return as_lack(made, TOPIC, worst=100.0, best=0.0)


def _there(agent: str, told: Sequence[ScoreRow]) -> Statement:
    anywhere = 100.0 * sum(1.0 / row.values["places"] for row in told) / len(told)
    wrong = [row for row in told if row.groups["stop"] != "there"]
    made = statement(
        "stops-there",
        agent,
        share_of(told, lambda row: row.groups["stop"] == "there"),
        _THERE,
        null=anywhere,
        weight=0.7,
        topic=TOPIC,
        worst=anywhere,
        best=100.0,
        episodes=telling(wrong, _amiss),
    )
    # a statement that says where it stops instead tells more
    return as_lack(made, TOPIC, worst=anywhere, best=100.0, weight=0.9)


def _elsewhere(
    agent: str, where: Stop, told: Sequence[ScoreRow], words: str, always: str
) -> Iterator[Statement]:
    mine = [row for row in told if row.groups["stop"] == where]
    if not mine:
        return
    found = share_of(told, lambda row: row.groups["stop"] == where)
    made = statement(
        _KEYS[where],
        agent,
        found,
        Wording(plain=always if len(mine) == len(told) else words),
        weight=failure_weight(found.low),
        episodes=telling(mine, _amiss),
    )
    yield as_lack(made, TOPIC, worst=100.0, best=0.0)


def _extent(
    key: str,
    agent: str,
    rows: Sequence[ScoreRow],
    metric: str,
    unit: Unit,
    words: str,
) -> Iterator[Statement]:
    if len(rows) >= ENOUGH:
        found = size_of(rows, metric)
        shown = telling(rows, lambda row: row.values.get(metric, 0.0))
        yield statement(
            key, agent, found, Wording(plain=words), scale=1.0, unit=unit, weight=0.25, episodes=shown
        )


def _amiss(row: ScoreRow) -> float:
    """Return how clearly a walk stopped in the wrong place: by metres."""
    return max(row.values.get("metres-short", 0.0), row.values.get("metres-past", 0.0))
