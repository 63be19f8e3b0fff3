"""What scores of outcomes mean: how walks end, where they go wrong, and where they stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.benchmarks.outcomes.findings.derived_rows import is_failure
from vlnscope.benchmarks.outcomes.findings.figures import approach_figure, outcome_figure, wrong_turn_figure
from vlnscope.benchmarks.outcomes.findings.statements import ENOUGH, outcome_statements, score_statements
from vlnscope.benchmarks.outcomes.findings.stopping import stop_statements
from vlnscope.benchmarks.outcomes.findings.tables import (
    missed_table,
    outcome_table,
    score_table,
    wrong_turn_table,
)
from vlnscope.benchmarks.outcomes.findings.wrong_turns import turn_statements
from vlnscope.types import ScoreRow


def find(asked: CaseSet, scored: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        asked: the cases.
        scored: rows by agent; cases that an agent did not finish may be missing.
    """
    agents = {agent: rows for agent, rows in scored.items() if rows}
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(scored),
        statements=tuple(said for agent, rows in agents.items() for said in _said(agent, rows)),
        tables=(
            outcome_table(agents),
            score_table(agents),
            missed_table(agents),
            wrong_turn_table(agents),
        ),
        figures=(outcome_figure(agents), wrong_turn_figure(agents), approach_figure(agents)),
        notes=(*asked.notes, *_unknown(agents), *_same_walks(agents)),
    )


def _said(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    yield from score_statements(agent, rows)
    yield from outcome_statements(agent, rows)
    yield from turn_statements(agent, rows)
    yield from stop_statements(agent, rows)


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
        told = [group for group in paths.values() if len(group) > 1 and any(map(is_failure, group))]
        if len(told) >= ENOUGH and all(row.values == group[0].values for group in told for row in group):
            yield (
                f"{agent}: its walks are the same for all instructions of a path, in all {len(told):,} paths "
                "with several instructions and a failure: it does not read them, or the file repeats one walk"
            )
