"""What scores of fidelity mean: does the language matter, and is it the path or the goal that is followed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vlnscope.benchmarks.fidelity.build.ablations import FULL
from vlnscope.benchmarks.fidelity.build.reference_statistics import (
    METRES,
    STATISTICS,
    TOKENS,
    Bins,
    References,
)
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
from vlnscope.benchmarks.fidelity.findings.published import PUBLISHED_REFERENCES
from vlnscope.benchmarks.fidelity.findings.results import example_figures, results_table
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import Cell, Figure, Findings, Series, Statement, Table
from vlnscope.types import ScoreRow

_WIDTHS = {"steps": 1.0, "lengths": METRES, "directs": METRES, "tokens": TOKENS}
"""Widths of the bins of the distributions of Figure 3."""
_declared = declarations(__package__)


def references_of(case_set: CaseSet) -> list[References]:
    """Return the descriptions that the builder left: of the data set, and of what was built from it."""
    return msgspec.convert(case_set.options.get(STATISTICS, []), list[References])


def references_table(references: Sequence[References]) -> Table:
    """Return Table 1, each row of ours followed by the published one where there is one."""
    rows: list[tuple[Cell, ...]] = []
    for it in references:
        shares = 100 * it.shortest, 100 * it.returning
        rows.append((it.name, it.paths, it.samples, it.length, it.direct, *shares))
        if it.name in PUBLISHED_REFERENCES:
            rows.append((f"{it.name} (published)", None, *PUBLISHED_REFERENCES[it.name], None, None))
    return _declared.table("references", rows)


def reference_figures(references: Sequence[References]) -> Iterator[Figure]:
    """Yield the four distributions of Figure 3, a line per data set."""
    for member, width in _WIDTHS.items() if references else ():
        lines = (_line(it.name, getattr(it, member), width) for it in references)
        yield _declared.figure(f"figure-3-{member}", {"": lines}, width=width)


def _line(name: str, bins: Bins, width: float) -> Series:
    counts = dict(bins)
    total = sum(counts.values())
    first, last = min(counts), max(counts)
    places = [first + k * width for k in range(round((last - first) / width) + 1)]
    return Series(name=name, x=tuple(places), y=tuple(100 * counts.get(x, 0) / total for x in places))


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
