"""Tables of outcomes: how walks end, the scores, and the turns that were missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Cell, Table, percent
from vlnscope.benchmarks.outcomes.findings.derived_rows import (
    CHANCE,
    MISSED,
    due_rows,
    ends_as,
    is_failure,
    share_of,
)
from vlnscope.benchmarks.outcomes.findings.wrong_turns import left_way
from vlnscope.benchmarks.outcomes.score.cases import NEEDED
from vlnscope.benchmarks.outcomes.score.outcomes import OUTCOMES, SUCCESSES
from vlnscope.benchmarks.outcomes.score.turns import TURNS
from vlnscope.metrics.metric import get_metric
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]


def outcome_table(scored: Scored) -> Table:
    """Return how many walks of each agent end in which way, of all and of those that fail."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        counts = Counter(row.groups["outcome"] for row in its)
        failures = [row for row in its if is_failure(row)]
        for name, phrase in OUTCOMES.items():
            among: tuple[Cell, ...] = (None, None, None)
            if failures and name not in SUCCESSES:
                among = _percents(share_of(failures, ends_as(name)))
            rows.append((agent, name, phrase, counts[name], *_percents(share_of(its, ends_as(name))), *among))
    return Table(
        name="outcomes",
        title="How walks end",
        columns=(
            "agent",
            "outcome",
            "what it does",
            "walks",
            "of all (%)",
            "low",
            "high",
            "of failures (%)",
            "low of failures",
            "high of failures",
        ),
        rows=tuple(rows),
        notes=("each walk is of exactly one kind, the first that holds",),
    )


def score_table(scored: Scored) -> Table:
    """Return the means of the metrics."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for name in NEEDED:
            metric = get_metric(name)
            found = mean_of(its, name, within=(metric.low, metric.high))
            cells = (found.mean, found.low, found.high)
            if metric.unit == "%":
                cells = _percents(found)
            rows.append((agent, name, metric.unit, *cells, found.n, found.undefined))
    return Table(
        name="scores",
        title="Scores",
        columns=("agent", "metric", "unit", "mean", "low", "high", "walks", "undefined"),
        rows=tuple(rows),
    )


def missed_table(scored: Scored) -> Table:
    """Return how often each turn was due and how often it was missed."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        for turn in TURNS:
            times = due_rows(its, turn)
            if times:
                chance = 100.0 * sum(row.values[CHANCE] for row in times) / len(times)
                missed = _percents(mean_of(times, MISSED))
                rows.append((agent, turn, len(times), *missed, chance))
    return Table(
        name="missed-turns",
        title="Turns that were due, and missed",
        columns=("agent", "due", "times", "missed (%)", "low", "high", "any way (%)"),
        rows=tuple(rows),
        notes=(
            "counted when a walk first comes to a place of the way and moves on; any way: what somebody "
            "misses who takes any of the ways from there",
        ),
    )


def wrong_turn_table(scored: Scored) -> Table:
    """Return what was due where walks left the way for good, and what they did instead."""
    rows: list[tuple[Cell, ...]] = []
    for agent, its in scored.items():
        wrong = left_way(its)
        counts = Counter((row.groups.get("due", ""), row.groups.get("instead", "")) for row in wrong)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        rows += [(agent, due or "unknown", instead or "unknown", count) for (due, instead), count in ordered]
    return Table(
        name="wrong-turns",
        title="Where walks leave the way for good",
        columns=("agent", "due", "did", "walks"),
        rows=tuple(rows),
        notes=("the same word twice: there were several such ways, or one was a little to the side",),
    )


def _percents(found: Interval) -> tuple[float | None, float | None, float | None]:
    return percent(found.mean), percent(found.low), percent(found.high)
