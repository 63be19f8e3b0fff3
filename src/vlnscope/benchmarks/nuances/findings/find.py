"""What NavNuances finds: rows of one or several agents become statements, tables and figure data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import findings_of
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.nuances.findings.displays import figures, tables
from vlnscope.benchmarks.nuances.findings.statements import statements_of
from vlnscope.types import ScoreRow


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent.
    """
    return findings_of(
        case_set,
        rows_by_agent,
        (said for agent, rows in rows_by_agent.items() for said in statements_of(agent, rows)),
        tables(case_set, rows_by_agent),
        figures(rows_by_agent),
        _notes(rows_by_agent),
    )


def _notes(rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Iterator[str]:
    for agent, rows in rows_by_agent.items():
        without = sum("SR" not in row.values for row in rows)
        if without:
            yield f"{agent}: {without} cases have no success rate; they are left out"
