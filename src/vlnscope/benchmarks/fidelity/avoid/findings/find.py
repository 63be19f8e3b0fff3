"""What avoid and rescue find: rows of one or several agents become statements, tables and figure data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.fidelity.avoid.tasks import TASKS, Task
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import difference_of, mean_of, partners, plain_mean, select, share_of
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Findings,
    Series,
    Statement,
    interval_cells,
    interval_series,
    percent,
)
from vlnscope.types import ScoreRow

RowsByAgent = Mapping[str, Sequence[ScoreRow]]
VARIANTS = ("told", "direct")
_ENTERED: dict[Task, str] = {"avoid": "avoid-entered", "rescue": "rescue-missed"}
_declared = declarations(__package__)


def find(case_set: CaseSet, rows_by_agent: RowsByAgent) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent.
    """
    statements = (
        said
        for agent, rows in rows_by_agent.items()
        for task in TASKS
        for said in _statements(agent, task, select(rows, task=task))
    )
    tables = (_declared.table("avoid-results", _results(rows_by_agent)),)
    return findings_of(case_set, rows_by_agent, statements, tables, (_figure(rows_by_agent),))


def _statements(agent: str, task: Task, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    told, direct = (select(rows, variant=variant) for variant in VARIANTS)
    if not told:
        return
    missed = tuple(row.episode_id for row in told if not row.values["done"])[:3]
    yield _declared.statement(f"{task}-done", agent, mean_of(told, "done"), episodes=missed)
    yield _declared.statement(_ENTERED[task], agent, mean_of(told, "entered"))
    reached = [row for row in told if row.values["SR"] > 0]
    if reached:
        wrongly = share_of(reached, lambda row: not row.values["done"])
        yield _declared.statement(f"{task}-lost", agent, wrongly)
    if partners(told, direct)[0]:
        yield _declared.statement(f"{task}-words", agent, difference_of(told, direct, "entered"))


def _results(rows_by_agent: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    for agent, rows in rows_by_agent.items():
        for task in TASKS:
            for variant in VARIANTS:
                part = select(rows, task=task, variant=variant)
                if part:
                    means = {name: _mean(part, name) for name in ("SR", "entered", "SPL", "CLS", "nDTW")}
                    done = [_rounded(cell) for cell in interval_cells(mean_of(part, "done"))]
                    first, last = list(means.values())[:2], list(means.values())[2:]
                    yield agent, task, variant, len(part), *first, *done, *last


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    return _rounded(percent(plain_mean(rows, metric)))


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 1)


def _figure(rows_by_agent: RowsByAgent) -> Figure:
    """Goals reached, and goals reached as told, a panel per agent."""
    panels: dict[str, list[Series]] = {}
    for agent, rows in rows_by_agent.items():
        groups = {task: select(rows, task=task, variant="told") for task in TASKS}
        groups = {task: part for task, part in groups.items() if part}
        for name, metric in (("goal reached (SR)", "SR"), ("as it was told (done)", "done")):
            means = [mean_of(part, metric) for part in groups.values()]
            series = interval_series(name, groups, means, [f"n = {mean.n}" for mean in means])
            panels.setdefault(agent, []).append(series)
    return _declared.figure("avoid-done", panels)
