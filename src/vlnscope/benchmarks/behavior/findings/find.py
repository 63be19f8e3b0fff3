"""What behavior rows of agents mean: statements, the tables of the paper, and its figures as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.behavior.environment.findings import environment_statements, environment_table
from vlnscope.benchmarks.behavior.findings import figures, tables
from vlnscope.benchmarks.behavior.findings.path_figure import case_path_figure
from vlnscope.benchmarks.behavior.findings.room_search_figure import search_figures
from vlnscope.benchmarks.behavior.findings.statements import skill_statements
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Figure, Findings, Table
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]


def find(asked: CaseSet, scored: Scored) -> Findings:
    """Say what the rows of agents mean.

    Args:
        asked: the cases.
        scored: rows by agent, as `score_cases` makes them.
    """
    statements = [
        one
        for agent, rows in scored.items()
        for said in (skill_statements, environment_statements)
        for one in said(agent, rows)
    ]
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(scored),
        statements=tuple(statements),
        tables=tuple(table for table in _tables(scored) if table.rows),
        figures=tuple(figure for figure in _figures(scored) if _drawn(figure)),
        notes=asked.notes,
    )


def _tables(scored: Scored) -> Iterator[Table]:
    if _has(scored, "stop", "direction", "object", "room"):
        yield tables.competence_table(scored)
        yield tables.sub_skill_table(scored)
        yield tables.effect_table(scored)
    yield tables.search_table(scored)
    yield environment_table(scored)


def _figures(scored: Scored) -> Iterator[Figure]:
    if _has(scored, "stop", "direction", "object", "room"):
        yield figures.competence_figure(scored)
        yield case_path_figure(next(iter(scored.values())))
    if _has(scored, "stop"):
        yield figures.stop_figure(scored)
    yield from figures.direction_figures(scored)
    yield figures.object_figure(scored)
    yield figures.room_figure(scored)
    yield from search_figures(scored)


def _has(scored: Scored, *skills: str) -> bool:
    return any(row.groups.get("skill") in skills for rows in scored.values() for row in rows)


def _drawn(figure: Figure) -> bool:
    return any(panel.series for panel in figure.panels)
