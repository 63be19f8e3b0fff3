"""What is said of an agent's scores and of how its walks end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Statement, Wording, statement
from vlnscope.benchmarks.outcomes.findings.derived_rows import ends_as, is_failure, share_of, telling
from vlnscope.benchmarks.outcomes.score.outcomes import OUTCOMES, SUCCESSES
from vlnscope.stats.interval import SHARE, SIZE
from vlnscope.types import ScoreRow

SCORES = {
    "SR": ("reaches the goal in {value} of {n} walks", "%", 0.6),
    "SPL": ("reaches goals at an SPL of {value}: success, less where the walk is a detour", "%", 0.35),
    "nDTW": ("keeps to the described way at an nDTW of {value}", "%", 0.35),
    "NE": ("ends {value} from the goal on average", "m", 0.35),
    "OSR": ("comes near the goal, at the end or before it, in {value} of {n} walks", "%", 0.25),
    "CLS": ("covers the described way at a CLS of {value}", "%", 0.25),
}
MAJORITY = 50.0
ENOUGH = 10
"""So many walks must have failed before it is said what failures are like."""
FAINT, GRAVE = 0.15, 0.8
"""Weight of a failure that does not happen, and what is added if every walk ends so."""


def score_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say how well an agent does by the metrics that everybody reports."""
    for metric, (words, unit, weight) in SCORES.items():
        found = mean_of(rows, metric, within=SHARE if unit == "%" else SIZE)
        if metric == "SR" and found.high is not None:
            weight = max(weight, failure_weight(1.0 - found.high))
        yield statement(
            metric,
            agent,
            found,
            Wording(plain=words),
            scale=100.0 if unit == "%" else 1.0,
            unit=unit,
            weight=weight,
            metric=metric,
        )


def outcome_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say how often an agent's walks end in each way: of all walks, and of those that fail."""
    failures = [row for row in rows if is_failure(row)]
    for name, phrase in OUTCOMES.items():
        mine = [row for row in rows if row.groups["outcome"] == name]
        if not mine:
            continue
        found = share_of(rows, ends_as(name))
        shown = telling(mine, clearness(name))
        many = "all of its {n} walks" if len(mine) == len(rows) else "{value} of its {n} walks"
        weight = 0.3 if name in SUCCESSES else failure_weight(found.low)
        words = Wording(plain=f"{phrase} in {many}")
        yield statement(f"outcome.{name}", agent, found, words, weight=weight, episodes=shown)
        if is_failure(mine[0]) and len(failures) >= ENOUGH:
            among = share_of(failures, ends_as(name))
            words = Wording(plain=f"where it fails, it {phrase} in {{value}} of {{n}} walks")
            yield statement(f"failures.{name}", agent, among, words, weight=0.2, episodes=shown)
    if len(failures) >= ENOUGH:
        yield _main_failure(agent, failures)


def failure_weight(share: float | None) -> float:
    """Return how much a reader should care for a failure that happens so often: nearly 1 if always."""
    return FAINT + GRAVE * (share or 0.0)


def clearness(name: str) -> Callable[[ScoreRow], float]:
    """Return what makes a walk a clear example of how it ended."""
    weights: dict[str, Callable[[ScoreRow], float]] = {
        "reached": lambda row: row.values.get("nDTW", 0.0),
        "other-path": lambda row: -row.values.get("CLS", 0.0),
        "overshot": lambda row: row.values.get("steps-past", 0.0),
        "wandered": lambda row: row.values.get("again", 0.0),
        "stopped-early": lambda row: row.values.get("metres-short", 0.0),
        "wrong-turn": lambda row: -row.values.get("left-at", 0.0),
    }
    return weights.get(name, lambda row: row.values.get("NE", 0.0))


def _main_failure(agent: str, failures: Sequence[ScoreRow]) -> Statement:
    counts = {name: sum(row.groups["outcome"] == name for row in failures) for name in OUTCOMES}
    name = max(OUTCOMES, key=lambda kind: counts[kind])
    found = share_of(failures, ends_as(name))
    phrase = OUTCOMES[name]
    others = (
        f"no kind is clearly most of its {{n}} failures; the most frequent is that it {phrase}: {{value}}"
    )
    words = Wording(
        above=f"where it fails, it mostly {phrase}: {{value}} of {{n}} failures", below=others, unclear=others
    )
    mine = [row for row in failures if row.groups["outcome"] == name]
    return statement(
        "main-failure",
        agent,
        found,
        words,
        null=MAJORITY,
        weight=0.55,
        episodes=telling(mine, clearness(name)),
    )
