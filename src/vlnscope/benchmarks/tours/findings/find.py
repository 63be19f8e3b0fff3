"""What tours say of agents: scores, what memory is worth, and how that changes along a tour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.benchmarks.tours.findings.displays import (
    asked_lengths,
    example_table,
    figures,
    length_table,
    score_table,
)
from vlnscope.benchmarks.tours.findings.memory_gain import gain_statements, gain_table, memory_gains
from vlnscope.benchmarks.tours.findings.tour_rows import VARIANTS, MemoryRows, memory_rows, tour_mean
from vlnscope.core.exceptions import InputError
from vlnscope.types import ScoreRow


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases and their tours.
        rows_by_agent: rows of `score_cases` by agent.

    Raises:
        InputError: no agent has any row.
    """
    agents = {agent: memory_rows(rows) for agent, rows in rows_by_agent.items()}
    agents = {agent: rows for agent, rows in agents.items() if any(rows.episodes.values())}
    if not agents:
        raise InputError(
            "nothing was scored, so nothing can be said",
            expected="runs of at least one agent on the cases",
            fix="run an agent first (`vlnscope run AGENT --cases DIR --out RUN`)",
        )
    gains = {agent: memory_gains(rows) for agent, rows in agents.items()}
    lengths = asked_lengths(case_set)
    tables = (
        score_table(agents),
        *((gain_table(gains),) if any(gains.values()) else ()),
        example_table(agents),
        length_table(case_set.data, lengths),
    )
    said = (one for agent, rows in agents.items() for one in _statements(agent, rows))
    return findings_of(case_set, agents, said, tables, figures(agents, lengths), _notes(agents))


def _statements(agent: str, rows: MemoryRows) -> Iterator[Statement]:
    kind = next((kind for kind in VARIANTS if rows.tours[kind]), None)
    if kind is not None:
        level = tour_mean(rows.tours[kind], "t-nDTW")
        yield declarations(__package__).statement("level", agent, level, {"memory": kind})
    yield from gain_statements(agent, rows)


def _notes(agents: Mapping[str, MemoryRows]) -> Iterator[str]:
    for agent, rows in agents.items():
        lost = sum("t-nDTW" not in row.values for tours in rows.tours.values() for row in tours)
        if lost:
            yield f"{agent}: {lost} tours have no t-nDTW (not walked to their end, or no alignment exists)"
        if not rows.paired:
            yield f"{agent}: only one half was run, so the gain of memory cannot be told"
