"""What scores of plain episodes show: a statement per agent and metric, and differences from a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.kit.estimates import difference_of, mean_of, partners
from vlnscope.benchmarks.kit.findings import (
    Figure,
    Findings,
    Panel,
    Series,
    Statement,
    Unit,
    Wording,
    literal,
    statement,
)
from vlnscope.evaluate.report.sources import SCORES, ReportSource
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.tables.marks import ResultsTable, counted
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

_DIFFERENCES: dict[str, Unit] = {"%": "points", "m": "m", "": ""}


def score_findings(sources: Sequence[ReportSource], results: ResultsTable | None) -> Findings:
    """Say what the scores of agents on one data set show.

    Args:
        sources: rows of all agents.
        results: their table, whose metrics are told and whose corrected tests decide what is said; None
            says nothing.
        how: how intervals are made.
    """
    notes = tuple(f"{source.name}: {note}" for source in sources for note in source.notes)
    data, agents = sources[0].card.data, tuple(source.name for source in sources)
    if results is None:
        return Findings(benchmark=SCORES, data=data, agents=agents, notes=notes)
    base = next((source for source in sources if source.name == results.baseline), None)
    said: list[Statement] = []
    for source in sources:
        said += _means(source, results.metrics)
        if base is not None and source is not base:
            said += _differences(source, base, results)
    return Findings(
        benchmark=SCORES,
        data=data,
        agents=agents,
        statements=tuple(said),
        figures=tuple(_figures(results)),
        notes=(*notes, results.intervals),
    )


def _means(source: ReportSource, metrics: Sequence[str]) -> Iterator[Statement]:
    for name in metrics:
        metric = get_metric(name)
        mean = mean_of(source.rows, name, within=(metric.low, metric.high))
        if mean.mean is None:
            continue  # the notes say why
        words = Wording(plain=f"{literal(f'{metric.title} ({name})')}: {{value}}")
        yield statement(
            f"mean.{name}",
            source.name,
            mean,
            words,
            scale=metric.scale,
            unit=metric.unit,
            metric=name,
        )


def _differences(source: ReportSource, base: ReportSource, results: ResultsTable) -> Iterator[Statement]:
    row = next(row for row in results.rows if row.agent == source.name)
    for name, estimate in zip(results.metrics, row.estimates, strict=True):
        if estimate is None or estimate.p is None or not partners(source.rows, base.rows, _episode)[0]:
            continue
        metric = get_metric(name)
        difference = difference_of(
            source.rows, base.rows, name, pair=_episode, within=(metric.low, metric.high)
        )
        yield statement(
            f"against.{name}",
            source.name,
            difference,
            _against(name, base.name, _caveat(difference, estimate.p, results.tests)),
            scale=metric.scale,
            unit=_DIFFERENCES[metric.unit],
            metric=name,
        )


def _against(metric: str, base: str, caveat: str) -> Wording:
    shown, other = literal(metric), literal(base)
    return Wording(
        above=f"has a higher {shown} than {other}: {{value}}{caveat}",
        below=f"has a lower {shown} than {other}: {{value}}{caveat}",
        unclear=f"is not shown to differ from {other} in {shown}: {{value}}",
    )


def _caveat(difference: PairedDifference, corrected: float, tests: int) -> str:
    """Say of a difference that is clear by itself that the correction for many tests takes it back."""
    if not difference.excludes(0.0) or corrected <= 1 - difference.level:
        return ""
    return (
        f"; clear for this pair alone, but not after Holm's correction for {counted(tests, 'test')}"
        f" (p = {corrected:.2g})"
    )


def _figures(results: ResultsTable) -> Iterator[Figure]:
    shares = [at for at, name in enumerate(results.metrics) if get_metric(name).unit == "%"]
    if not shares:
        return
    series = []
    for row in results.rows:
        estimates = [one for at in shares if (one := row.estimates[at]) is not None]
        series.append(
            Series(
                name=row.agent,
                x=tuple(results.metrics[at] for at in shares),
                y=tuple(one.value for one in estimates),
                low=tuple(one.low for one in estimates),
                high=tuple(one.high for one in estimates),
            )
        )
    yield Figure(
        name="scores-means",
        title=results.title,
        kind="bars",
        x="metric",
        y="mean (%)",
        panels=(Panel(series=tuple(series)),),
        caption=f"Means with 95 % intervals over {_episodes(results)}.",
    )


def _episodes(results: ResultsTable) -> str:
    """Say how many episodes means are over: for each agent, where they differ."""
    counts = {row.agent: row.cases for row in results.rows}
    if len(set(counts.values())) == 1:
        return counted(results.rows[0].cases, "episode")
    return ", ".join(f"{counted(count, 'episode')} ({agent})" for agent, count in counts.items())


def _episode(row: ScoreRow) -> str:
    return row.episode_id
