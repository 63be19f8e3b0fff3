"""What behavior rows of agents mean: statements, the tables of the paper, and its figures as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.behavior.findings.environment import environment_statements
from vlnscope.benchmarks.behavior.findings.figures import figures
from vlnscope.benchmarks.behavior.findings.statements import skill_statements
from vlnscope.benchmarks.behavior.findings.tables import tables
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import findings_of
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.types import ScoreRow

_STATEMENTS = (skill_statements, environment_statements)


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent, as `score_cases` makes them.
    """
    said = (one for agent, rows in rows_by_agent.items() for say in _STATEMENTS for one in say(agent, rows))
    drawn = (one for one in figures(rows_by_agent) if any(panel.series for panel in one.panels))
    return findings_of(case_set, rows_by_agent, said, tables(rows_by_agent), drawn)
