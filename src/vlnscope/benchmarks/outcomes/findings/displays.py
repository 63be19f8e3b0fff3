"""Tables and figures of outcomes: how walks end, the scores, and the turns that were missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import mean_of, share_of
from vlnscope.benchmarks.kit.findings import Cell, Figure, Series, Table, interval_cells, interval_series
from vlnscope.benchmarks.outcomes.findings.derived_rows import (
    MISSED,
    chance_of,
    due_rows,
    ends_as,
    is_failure,
    left_way,
)
from vlnscope.benchmarks.outcomes.kinds import OUTCOMES, SUCCESSES
from vlnscope.benchmarks.outcomes.score.cases import NEEDED
from vlnscope.benchmarks.outcomes.score.turns import TURNS
from vlnscope.metrics.metric import get_metric
from vlnscope.stats.interval import SIZE
from vlnscope.types import MAX_STEPS, ScoreRow

_declared = declarations(__package__)


def tables(agents: Mapping[str, Sequence[ScoreRow]]) -> Iterator[Table]:
    """Yield how walks end, the scores, the turns that were missed, and what was done instead."""
    makers = {
        "outcomes": _outcomes,
        "scores": _scores,
        "missed-turns": _missed_turns,
        "wrong-turns": _wrong_turns,
    }
    for name, cells in makers.items():
        table_rows = ((agent, *row) for agent, rows in agents.items() for row in cells(rows))
        yield _declared.table(name, table_rows)


def _outcomes(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    counts = Counter(row.groups["outcome"] for row in rows)
    failures = [row for row in rows if is_failure(row)]
    for name, phrase in OUTCOMES.items():
        fails = failures and name not in SUCCESSES
        among = interval_cells(share_of(failures, ends_as(name)) if fails else None)
        yield name, phrase, counts[name], *interval_cells(share_of(rows, ends_as(name))), *among


def _scores(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    for name in NEEDED:
        metric = get_metric(name)
        mean = mean_of(rows, name, within=(metric.low, metric.high))
        cells = interval_cells(mean, 100.0 if metric.unit == "%" else 1.0)
        yield name, metric.unit, *cells, mean.n, mean.undefined


def _missed_turns(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    for turn in TURNS:
        times = due_rows(rows, turn)
        if times:
            yield turn, len(times), *interval_cells(mean_of(times, MISSED)), chance_of(times)


def _wrong_turns(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    wrong = left_way(rows)
    counts = Counter((row.groups.get("due", ""), row.groups.get("instead", "")) for row in wrong)
    for (due, instead), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield due or "unknown", instead or "unknown", count


def figures(agents: Mapping[str, Sequence[ScoreRow]]) -> Iterator[Figure]:
    """Yield how walks end, when they leave the way, and how they come nearer to the goal."""
    used = [name for name in OUTCOMES if any(any(map(ends_as(name), rows)) for rows in agents.values())]
    phrases = [OUTCOMES[name] for name in used]
    bars = (
        interval_series(agent, used, [share_of(rows, ends_as(name)) for name in used], phrases)
        for agent, rows in agents.items()
    )
    yield _declared.figure("outcomes", {"": bars})
    wrong = {agent: left_way(rows) for agent, rows in agents.items()}
    histograms = (
        Series(name=agent, y=tuple(row.values["left-at"] for row in rows))
        for agent, rows in wrong.items()
        if rows
    )
    yield _declared.figure("wrong-turn-steps", {"": histograms})
    lines = (_approach(agent, rows) for agent, rows in agents.items())
    yield _declared.figure("distance-to-goal", {"": lines})


def _approach(agent: str, rows: Sequence[ScoreRow]) -> Series:
    steps = range(MAX_STEPS + 1)
    means = [mean_of(rows, f"to-goal.{k}", within=SIZE) for k in steps]
    return interval_series(agent, steps, means, scale=1.0)
