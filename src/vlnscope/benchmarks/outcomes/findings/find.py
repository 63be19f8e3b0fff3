"""What scores of outcomes mean: how walks end, where they go wrong, and where they stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import findings_of
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.outcomes.findings.derived_rows import is_failure
from vlnscope.benchmarks.outcomes.findings.displays import figures, tables
from vlnscope.benchmarks.outcomes.findings.statements import (
    ENOUGH,
    outcome_statements,
    score_statements,
    turn_statements,
)
from vlnscope.benchmarks.outcomes.findings.stopping import stop_statements
from vlnscope.types import ScoreRow

_STATEMENTS = (score_statements, outcome_statements, turn_statements, stop_statements)


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent; cases that an agent did not finish may be missing.
    """
    agents = {agent: rows for agent, rows in rows_by_agent.items() if rows}
    said = (one for agent, rows in agents.items() for say in _STATEMENTS for one in say(agent, rows))
    notes = (*_unknown(agents), *_same_walks(agents))
    return findings_of(case_set, rows_by_agent, said, tables(agents), figures(agents), notes)


def _unknown(agents: Mapping[str, Sequence[ScoreRow]]) -> Iterator[str]:
    for agent, rows in agents.items():
        silent = sum("stopped" in row.undefined for row in rows)
        if silent:
            yield (
                f"{agent}: whether it called stop is not known of {silent:,} of {len(rows):,} walks; they "
                "are taken to have stopped where they end; a run of the agent would tell"
            )


def _same_walks(agents: Mapping[str, Sequence[ScoreRow]]) -> Iterator[str]:
    """Say of whom the walks of all instructions of a path agree in every number, failures included."""
    for agent, rows in agents.items():
        paths: dict[tuple[str, str], list[ScoreRow]] = {}
        for row in rows:
            if row.groups.get("outcome") != "failed":
                paths.setdefault((row.scan, row.path_id), []).append(row)
        shared = [group for group in paths.values() if len(group) > 1 and any(map(is_failure, group))]
        if len(shared) >= ENOUGH and all(row.values == group[0].values for group in shared for row in group):
            yield (
                f"{agent}: its walks are the same for all instructions of a path, "
                f"in all {len(shared):,} paths with several instructions and a failure: "
                "it does not read them, or the file repeats one walk"
            )
