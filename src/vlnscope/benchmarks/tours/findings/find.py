"""What tours say of agents: scores, what memory is worth, and how that changes along a tour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Figure, Findings, Statement, Wording, statement
from vlnscope.benchmarks.tours.findings.memory_gain import (
    gain_growth,
    gain_statements,
    gain_table,
    memory_gains,
)
from vlnscope.benchmarks.tours.findings.memory_settings import VARIANTS, Halves, halves_of, tour_mean
from vlnscope.benchmarks.tours.findings.position_curves import gain_figure, place_figure, seen_figure
from vlnscope.benchmarks.tours.findings.tables import (
    asked_lengths,
    example_table,
    length_figure,
    length_table,
    ranked_figure,
    score_table,
)
from vlnscope.core.exceptions import InputError
from vlnscope.types import ScoreRow


def find(asked: CaseSet, scored: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        asked: the cases and their tours.
        scored: rows of `score_cases` by agent.

    Raises:
        InputError: no agent has any row.
    """
    agents = {agent: halves_of(rows) for agent, rows in scored.items()}
    agents = {agent: halves for agent, halves in agents.items() if any(halves.episodes.values())}
    if not agents:
        raise InputError(
            "nothing was scored, so nothing can be said",
            expected="runs of at least one agent on the cases",
            fix="run an agent first (`vlnscope run AGENT --cases DIR --out RUN`)",
        )
    gains = {agent: memory_gains(halves) for agent, halves in agents.items()}
    lengths = asked_lengths(asked)
    statements = [
        said
        for agent, halves in agents.items()
        for said in (
            *_level(agent, halves),
            *gain_statements(agent, gains[agent], gain_growth(agent, halves)),
        )
    ]
    all_gains = [(agent, gain) for agent, found in gains.items() for gain in found]
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(agents),
        statements=tuple(statements),
        tables=(
            score_table(agents),
            *((gain_table(all_gains),) if all_gains else ()),
            example_table(agents),
            length_table(asked.data, lengths),
        ),
        figures=(*_figures(agents), length_figure(lengths)),
        notes=(*asked.notes, *_notes(agents)),
    )


def _figures(agents: Mapping[str, Halves]) -> Iterator[Figure]:
    yield place_figure(agents)
    gain = gain_figure(agents)
    if gain is not None:
        yield gain
    yield ranked_figure(agents)
    halves = next(iter(agents.values()))
    yield seen_figure(next(rows for rows in halves.episodes.values() if rows))


def _level(agent: str, halves: Halves) -> Iterator[Statement]:
    kind = next((kind for kind in VARIANTS if halves.tours[kind]), None)
    if kind is None:
        return
    words = Wording(plain=f"keeps to the paths of whole tours (memory {kind}) with a t-nDTW of {{value}}")
    yield statement(
        "t-nDTW", agent, tour_mean(halves.tours[kind], "t-nDTW"), words, weight=0.8, metric="t-nDTW"
    )


def _notes(agents: Mapping[str, Halves]) -> Iterator[str]:
    for agent, halves in agents.items():
        lost = sum("t-nDTW" not in row.values for rows in halves.tours.values() for row in rows)
        if lost:
            yield f"{agent}: {lost} tours have no t-nDTW (not walked to their end, or no alignment exists)"
        if not halves.paired:
            yield f"{agent}: only one half was run, so the gain of memory cannot be told"
