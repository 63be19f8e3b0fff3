"""What scores of fidelity mean: does the language matter, and is it the path or the goal that is followed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.fidelity.build.ablations import FULL
from vlnscope.benchmarks.fidelity.findings.goal_and_path import (
    IGNORED,
    ignored_table,
    plane_figure,
    plane_statements,
)
from vlnscope.benchmarks.fidelity.findings.language import (
    language_effects,
    language_figure,
    language_statement,
    language_table,
)
from vlnscope.benchmarks.fidelity.findings.references import (
    reference_figures,
    references_of,
    references_table,
)
from vlnscope.benchmarks.fidelity.findings.results import example_figures, results_table
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import findings_of
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.types import ScoreRow


def find(
    case_set: CaseSet,
    rows_by_agent: Mapping[str, Sequence[ScoreRow]],
    *,
    ignored: float = IGNORED,
) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent; cases that an agent did not finish may be missing.
        ignored: a success with a lower CLS counts as one that ignored the path.
    """
    agents = {
        agent: {variant: group for (variant,), group in grouped(rows, "variant").items()}
        for agent, rows in rows_by_agent.items()
        if rows
    }
    full = {agent: variants.get(FULL, []) for agent, variants in agents.items()}
    effects = {agent: list(language_effects(variants)) for agent, variants in agents.items()}
    references = references_of(case_set)

    def statements() -> Iterator[Statement]:
        for agent, rows in full.items():
            yield from (language_statement(agent, effect) for effect in effects[agent])
            yield from plane_statements(agent, rows, ignored)

    tables = (
        results_table(case_set, agents),
        language_table(effects),
        ignored_table(full, ignored),
        references_table(references),
    )
    figures = (
        plane_figure(agents),
        language_figure(effects),
        *example_figures(full),
        *reference_figures(references),
    )
    return findings_of(case_set, rows_by_agent, statements(), tables, figures)
