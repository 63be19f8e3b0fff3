"""What scores of fidelity mean: does the language matter, and is it the path or the goal that is followed?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.fidelity.build.ablations import FULL
from vlnscope.benchmarks.fidelity.findings.goal_and_path import (
    IGNORED,
    ignored_table,
    plane_figure,
    plane_statements,
)
from vlnscope.benchmarks.fidelity.findings.language import (
    LanguageEffect,
    language_effects,
    language_figure,
    language_statements,
    language_table,
)
from vlnscope.benchmarks.fidelity.findings.references import (
    reference_figures,
    references_of,
    references_table,
)
from vlnscope.benchmarks.fidelity.findings.results import example_figures, results_table
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.types import ScoreRow

Variants = dict[str, list[ScoreRow]]


def find(
    asked: CaseSet,
    scored: Mapping[str, Sequence[ScoreRow]],
    *,
    ignored: float = IGNORED,
) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        asked: the cases.
        scored: rows by agent; cases that an agent did not finish may be missing.
        ignored: a success with a lower CLS counts as one that ignored the path.
    """
    agents = {agent: _variants(rows) for agent, rows in scored.items() if rows}
    effects: dict[str, list[LanguageEffect]] = {}
    statements: list[Statement] = []
    for agent, variants in agents.items():
        effects[agent] = language_effects(variants)
        statements += language_statements(agent, effects[agent])
        statements += plane_statements(agent, variants.get(FULL, []), ignored)
    full = {agent: variants.get(FULL, []) for agent, variants in agents.items()}
    references = references_of(asked)
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(scored),
        statements=tuple(statements),
        tables=(
            results_table(asked, agents),
            language_table(effects),
            ignored_table(full, ignored),
            references_table(references),
        ),
        figures=(
            plane_figure(agents),
            language_figure(effects),
            *example_figures(full),
            *reference_figures(references),
        ),
        notes=asked.notes,
    )


def _variants(rows: Sequence[ScoreRow]) -> Variants:
    return {variant: group for (variant,), group in grouped(rows, "variant").items()}
