"""What experiments say of agents: differences between them, and how their seeds differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from vlnscope.benchmarks.kit.estimates import column, difference_of, grouped
from vlnscope.benchmarks.kit.findings import Cell, Findings, Statement, Table, Wording, literal, statement
from vlnscope.evaluate.benchmarking import ScoredRun
from vlnscope.experiments.workspace import Entrant
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import PairedDifference
from vlnscope.stats.runs import Runs
from vlnscope.types import ScoreRow

METRICS = ("SR", "SPL", "nDTW", "CLS")
CORRECTED = (
    "sentences that compare two agents rest on p-values that are corrected after Holm for the metrics of "
    "that comparison; those on one agent are not corrected"
)
OVER_SEEDS = (
    "agents with several seeds count by their mean, case by case; intervals are over scenes, "
    "and say nothing of other seeds"
)


def versus(
    agent: str,
    other: str,
    scored: Mapping[str, Sequence[ScoreRow]],
    metrics: Sequence[str] = METRICS,
    *,
    weight: float = 0.9,
) -> list[Statement]:
    """Compare two agents case by case.

    Args:
        agent: of whom it is said.
        other: with whom it is compared.
        scored: rows by agent.
        metrics: of which more is better.
        weight: of the statements.
    """
    differences = {
        metric: difference_of(scored[agent], scored[other], metric, pair=_case) for metric in metrics
    }
    return contrasts(f"versus.{other}", agent, differences, partial(_better, other), weight=weight)


def contrasts(
    key: str,
    agent: str,
    differences: Mapping[str, PairedDifference],
    wording: Callable[[str], Wording],
    *,
    weight: float = 0.9,
) -> list[Statement]:
    """Put differences into statements, a metric each."""
    return [
        statement(
            f"{key}.{metric}",
            agent,
            one,
            wording(metric),
            metric=metric,
            weight=weight,
        )
        for metric, one in differences.items()
    ]


def variant(rows: Sequence[ScoreRow], name: str) -> list[ScoreRow]:
    """Return the rows of one variant."""
    return grouped(rows, "variant").get((name,), [])


def losses(rows: Sequence[ScoreRow], ablation: str, metrics: Sequence[str] = METRICS) -> list[ScoreRow]:
    """Return what an ablation costs, pair by pair: the values of ``full`` minus those of the ablation."""
    without = {row.groups["pair"]: row for row in variant(rows, ablation)}
    return [
        msgspec.structs.replace(
            row,
            values={
                name: row.values[name] - other.values[name]
                for name in metrics
                if name in row.values and name in other.values
            },
        )
        for row in variant(rows, "full")
        if (other := without.get(row.groups["pair"])) is not None
    ]


def seeds_table(
    entrants: Sequence[Entrant],
    runs: Mapping[str, Sequence[ScoredRun]],
    choose: Callable[[Sequence[ScoreRow]], Sequence[ScoreRow]],
    metrics: Sequence[str] = METRICS,
) -> Table:
    """Return the means of every run, then those of the runs of an agent with their standard deviation.

    Args:
        entrants: the agents.
        runs: their scored runs, in the order of their attempts.
        choose: which of the rows count.
        metrics: shares that are shown in percent.
    """
    rows: list[tuple[Cell, ...]] = []
    for entrant in entrants:
        scored = [choose(run.rows) for run in runs[entrant.name]]
        nesting = Nesting.of({"scene": [row.scan for row in scored[0]]})
        runs_by_metric = {
            metric: Runs.of(
                entrant.name,
                {str(k): column(its, metric) for k, its in enumerate(scored)},
                nesting,
                made=len(scored),
            )
            for metric in metrics
        }
        means = {metric: list(one.means().values()) for metric, one in runs_by_metric.items()}
        for k, attempt in enumerate(entrant.attempts):
            chosen = attempt.trained.update if attempt.trained else None
            cells = (100.0 * means[metric][k] for metric in metrics)
            rows.append((entrant.name, f"seed {attempt.seed}", *cells, chosen))
        if len(scored) > 1:
            spreads = [runs_by_metric[metric].spread() for metric in metrics]
            rows.append((entrant.name, "mean", *(100.0 * one.mean for one in spreads), None))
            rows.append((entrant.name, "SD", *(100.0 * (one.deviation or 0.0) for one in spreads), None))
    return Table(
        name="seeds",
        title="Seed by seed (percent)",
        columns=("agent", "run", *metrics, "weights after update"),
        rows=tuple(rows),
        notes=("SD: between the runs of an agent.",),
    )


def kept(
    findings: Findings,
    *,
    statements: Callable[[Statement], bool],
    tables: Sequence[str],
    figures: Sequence[str],
) -> Findings:
    """Return findings with what an experiment is about, and nothing else."""
    return msgspec.structs.replace(
        findings,
        statements=tuple(one for one in findings.statements if statements(one)),
        tables=tuple(table for table in findings.tables if table.name in tables),
        figures=tuple(figure for figure in findings.figures if figure.name in figures),
    )


def _better(other: str, metric: str) -> Wording:
    name = literal(other)
    return Wording(
        above=f"is better than {name}: {metric} is higher by {{value}}",
        below=f"is worse than {name}: {metric} differs by {{value}}",
        unclear=f"is not shown to differ from {name} in {metric}: {{value}}",
    )


def _case(row: ScoreRow) -> str:
    return row.episode_id
