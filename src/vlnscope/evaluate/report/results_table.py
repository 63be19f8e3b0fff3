"""Agents × metrics for a paper: means with intervals, and which differences are shown.

Means and differences are made by `vlnscope.benchmarks.kit.estimates`, as in the statements of
benchmarks. Every pair of agents is compared case by case in every metric and group, and all tests of a metric
are corrected together, after Holm: marks and bold numbers rest on the same family.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vlnscope.benchmarks.kit.estimates import difference_of, mean_of, partners, scope
from vlnscope.benchmarks.kit.findings import Wording, statement
from vlnscope.core.exceptions import InputError
from vlnscope.engine.store.provenance import AgentRecord
from vlnscope.evaluate.benchmarking import ScoredRun
from vlnscope.evaluate.compare.comparison import Measure, measure_for
from vlnscope.evaluate.compare.runs import USUAL
from vlnscope.reporting.report_data import ReportedAgent
from vlnscope.reporting.tables.marks import Estimate, ResultRow, ResultsTable
from vlnscope.stats.power import ALPHA
from vlnscope.stats.several import Comparison, corrected, pairs
from vlnscope.types import Floats, ScoreRow

GROUPS = ("skill", "category", "type", "variant")
"""What rows are grouped by, as far as they differ in it."""
MOST_VALUES = 12
"""A key with more values than these does not group rows but names them."""


@dataclass(frozen=True)
class _Group:
    """Rows of each agent that belong together."""

    label: str
    rows: dict[str, list[ScoreRow]]

    def has(self, metric: str) -> bool:
        return any(metric in row.values for rows in self.rows.values() for row in rows)


@dataclass(frozen=True)
class _Column:
    """All comparisons of one metric in one group."""

    measure: Measure
    group: _Group
    compared: list[Comparison]

    def p(self, agent: str, baseline: str) -> float | None:
        """Return the corrected p-value of an agent against the baseline."""
        return next((c.adjusted for c in self.compared if {c.a, c.b} == {agent, baseline}), None)

    def is_best(self, agent: str, rivals: Collection[str]) -> bool:
        """Say whether an agent is shown to be better than all rivals."""
        return bool(rivals) and all(
            any(self._wins(c, agent, rival) for c in self.compared) for rival in rivals
        )

    def _wins(self, one: Comparison, agent: str, rival: str) -> bool:
        mean = one.difference.mean
        if {one.a, one.b} != {agent, rival} or not mean or one.adjusted is None or one.adjusted > ALPHA:
            return False
        ahead = one.a if (mean > 0) == (self.measure.better == "higher") else one.b
        return self.measure.better != "none" and ahead == agent


@dataclass(frozen=True)
class Knowing:
    """Agents that know more than others.

    Attributes:
        told: those that are told the reference.
        explored: those that look around the building before they walk.
    """

    told: tuple[str, ...] = ()
    explored: tuple[str, ...] = ()

    @classmethod
    def of(cls, agents: Iterable[ReportedAgent | AgentRecord]) -> Knowing:
        """Sort agents by what they know."""
        every = list(agents)
        return cls(
            tuple(agent.name for agent in every if agent.privileged),
            tuple(agent.name for agent in every if agent.explored),
        )

    def __contains__(self, agent: object) -> bool:
        return agent in self.told or agent in self.explored


NONE_KNOWS = Knowing()


def results_table(
    scored: Mapping[str, Sequence[ScoreRow]],
    *,
    name: str,
    title: str,
    metrics: Sequence[str] | None = None,
    baseline: str = "",
    knowing: Knowing = NONE_KNOWS,
) -> ResultsTable:
    """Compare agents over the same cases.

    Args:
        scored: rows by agent.
        name: of the table.
        title: of the table.
        metrics: values of rows; the usual ones if not given, see `usual_metrics`.
        baseline: the agent that marks compare with; without it there are no marks.
        knowing: agents that know more than others: marked, and out of the contest for bold.

    Raises:
        InputError: no row has one of the metrics.
    """
    wanted = usual_metrics(scored) if metrics is None else metrics
    groups = _groups(scored)
    measures = [
        measure_for(metric, _values(scored, metric))
        for metric in dict.fromkeys(wanted)
        if any(group.has(metric) for group in groups)
    ]
    if not measures:
        raise InputError(
            f"no row has {', '.join(wanted or USUAL)}",
            expected="rows with one of these",
            fix="name other metrics or other runs",
        )
    groups = [group for group in groups if any(group.has(measure.name) for measure in measures)]
    columns = _columns(groups, measures)
    rows = [
        _row(agent, group, [c for c in columns if c.group is group], baseline, knowing)
        for group in groups
        for agent in group.rows
    ]
    every = [row for its in scored.values() for row in its]
    tested = [one for column in columns for one in column.compared if one.adjusted is not None]
    return ResultsTable(
        name=name,
        title=title,
        metrics=tuple(measure.name for measure in measures),
        columns=tuple(f"{m.name} ({m.unit})" if m.unit else m.name for m in measures),
        better=tuple(measure.better for measure in measures),
        rows=tuple(rows),
        baseline=baseline if baseline in scored and len(scored) > 1 else "",
        tests=max((one.tests for one in tested), default=0),
        intervals=scope(every),
        notes=tuple(_small_print(columns)),
    )


def _values(scored: Mapping[str, Sequence[ScoreRow]], metric: str) -> Floats:
    rows = (row for its in scored.values() for row in its)
    return np.array([row.values[metric] for row in rows if metric in row.values], dtype=np.float64)


def run_results(run: ScoredRun) -> ResultsTable | None:
    """Return the usual metrics of one run of a benchmark's cases; None if its rows have none of them."""
    agent = run.record.agent
    if not usual_metrics({agent.name: run.rows}):
        return None
    return results_table(
        {agent.name: run.rows},
        name=f"{run.case_set.benchmark}-results",
        title=f"Results of {run.case_set.benchmark} on {run.case_set.data}",
        knowing=Knowing.of([agent]),
    )


def usual_metrics(scored: Mapping[str, Sequence[ScoreRow]], metrics: Sequence[str] = USUAL) -> list[str]:
    """Return those metrics that most groups of rows have; none if no row has any."""
    groups = _groups(scored)
    counts = {name: sum(group.has(name) for group in groups) for name in metrics}
    most = max(counts.values(), default=0)
    return [name for name, count in counts.items() if count == most > 0]


def _groups(scored: Mapping[str, Sequence[ScoreRow]]) -> list[_Group]:
    every = [row for rows in scored.values() for row in rows]
    keys = [key for key in GROUPS if 1 < len({row.groups.get(key) for row in every}) <= MOST_VALUES]
    by_group: dict[tuple[str, ...], dict[str, list[ScoreRow]]] = {}
    for agent, rows in scored.items():
        for row in rows:
            values = tuple(row.groups.get(key, "") for key in keys)
            by_group.setdefault(values, {}).setdefault(agent, []).append(row)
    return [_Group(", ".join(filter(None, values)), rows) for values, rows in by_group.items()]


def _columns(groups: Sequence[_Group], measures: Sequence[Measure]) -> list[_Column]:
    """Compare all agents in all groups and measures, then correct all tests of a measure together."""
    columns = [_Column(measure, group, []) for group in groups for measure in measures]
    for column in columns:
        column.compared.extend(_compared(column))
    adjusted = {
        name: iter(corrected([one for c in columns if c.measure.name == name for one in c.compared]))
        for name in {column.measure.name for column in columns}
    }
    return [
        _Column(c.measure, c.group, [next(adjusted[c.measure.name]) for _ in c.compared]) for c in columns
    ]


def _compared(column: _Column) -> list[Comparison]:
    metric = column.measure.name
    rows = {agent: [row for row in its if metric in row.values] for agent, its in column.group.rows.items()}
    both = pairs(rows) if len(rows) > 1 else []
    return [
        Comparison(
            a=a,
            b=b,
            difference=difference_of(rows[a], rows[b], metric, pair=_case, within=column.measure.within),
        )
        for a, b in both
        if partners(rows[a], rows[b], _case)[0]
    ]


def _row(
    agent: str,
    group: _Group,
    columns: Sequence[_Column],
    baseline: str,
    knowing: Knowing,
) -> ResultRow:
    rivals = [other for other in group.rows if other != agent and other not in knowing]
    estimates = []
    for column in columns:
        measure = column.measure
        mean = mean_of(group.rows[agent], measure.name, within=measure.within)
        said = statement(measure.name, agent, mean, Wording(), scale=measure.scale, unit=measure.unit)
        best = agent not in knowing and column.is_best(agent, rivals)
        p = column.p(agent, baseline)
        estimates.append(Estimate(value=said.value, low=said.low, high=said.high, p=p, best=best))
    rows = group.rows[agent]
    cases = max(sum(column.measure.name in row.values for row in rows) for column in columns)
    return ResultRow(
        agent=agent,
        group=group.label,
        cases=cases,
        estimates=tuple(estimates),
        privileged=agent in knowing.told,
        explored=agent in knowing.explored,
    )


def _small_print(columns: Sequence[_Column]) -> list[str]:
    """Say what rests on paths instead of scenes, and whether agents were asked the same."""
    notes = []
    if any(len({_cases(rows) for rows in c.group.rows.values()}) > 1 for c in columns):
        notes.append(
            "agents were asked different cases: means are over their own, tests over those both have"
        )
    over = {c.group.label for c in columns for one in c.compared if one.difference.units == ("path",)}
    if 0 < len(over) < len({column.group.label for column in columns}):
        names = ", ".join(dict.fromkeys(c.group.label for c in columns if c.group.label in over))
        notes.append(f"over paths, and so for these scenes only: {names}")
    return notes


def _cases(rows: Sequence[ScoreRow]) -> frozenset[str]:
    return frozenset(map(_case, rows))


def _case(row: ScoreRow) -> str:
    return row.episode_id
