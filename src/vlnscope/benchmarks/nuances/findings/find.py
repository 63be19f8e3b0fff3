"""What NavNuances finds: rows of one or several agents become statements, tables and figure data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.nuances.findings.figures import figures
from vlnscope.benchmarks.nuances.findings.statements import statements_of
from vlnscope.benchmarks.nuances.findings.tables import tables
from vlnscope.types import ScoreRow


def find(asked: CaseSet, scored: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        asked: the cases.
        scored: rows by agent.
    """
    statements = [said for agent, rows in scored.items() for said in statements_of(agent, rows)]
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(scored),
        statements=tuple(statements),
        tables=tuple(tables(asked, scored)),
        figures=tuple(figures(scored)),
        notes=(*asked.notes, *_notes(scored)),
    )


def _notes(scored: Mapping[str, Sequence[ScoreRow]]) -> list[str]:
    found = []
    for agent, rows in scored.items():
        without = sum("SR" not in row.values for row in rows)
        if without:
            found.append(f"{agent}: {without} cases have no success rate; they are left out")
    return found
