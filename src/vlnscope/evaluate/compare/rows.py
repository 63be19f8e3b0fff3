"""What agents are compared over, and the comparison itself, for episodes and for cases of benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vlnscope.evaluate.compare.comparison import AgentRow, Measure, PairRow
from vlnscope.evaluate.score.result import Rows
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.columns import Sample
from vlnscope.stats.estimate import summarise
from vlnscope.stats.multiplicity import Correction
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import align
from vlnscope.stats.power import ALPHA, data_needed, minimum_detectable_effect
from vlnscope.stats.runs import Runs
from vlnscope.stats.several import Comparison, compare_agents, corrected

Tables = Mapping[str, Sequence[Rows]]


@dataclass(frozen=True)
class ComparedRows:
    """What is compared: every run of every agent, over the same rows in the same order.

    Attributes:
        nesting: how the rows are nested.
        runs: the runs of each agent.
        measures: what is compared.
        group: which rows these are; empty if all.
    """

    nesting: Nesting
    runs: Tables
    measures: tuple[Measure, ...]
    group: str = ""

    def of(self, metric: str) -> dict[str, Runs]:
        """Return the runs of each agent in one metric."""
        return {
            name: Runs.of(
                name,
                {f"run {i}": rows.values[metric] for i, rows in enumerate(runs, 1)},
                self.nesting,
                made=len(runs),
            )
            for name, runs in self.runs.items()
        }


def tabulated(
    fields: Sequence[ComparedRows], against: str | None, correction: Correction, bootstrap: Bootstrap | None
) -> tuple[tuple[AgentRow, ...], tuple[PairRow, ...]]:
    """Compare agents in every field and measure; p-values are corrected over all tests of a measure.

    Args:
        fields: what is compared.
        against: compare all others with this agent only.
        correction: how p-values are corrected.
        bootstrap: how units are resampled, if they are.
    """
    comparisons: list[tuple[ComparedRows, Measure, Comparison]] = []
    rows: list[AgentRow] = []
    for field in fields:
        for measure in field.measures:
            by_agent = field.of(measure.name)
            means = {name: runs.mean_column() for name, runs in by_agent.items()}
            compared = compare_agents(
                means,
                field.nesting,
                against=against,
                correction="none",
                higher_is_better=measure.better != "lower",
                within=measure.within,
                bootstrap=bootstrap,
            )
            comparisons += [(field, measure, comparison) for comparison in compared]
            ranges = dict.fromkeys(means, measure.within)
            intervals = summarise(means, field.nesting, ranges=ranges, bootstrap=bootstrap)
            rows += [
                AgentRow(measure.name, name, intervals[name], runs, measure, field.group)
                for name, runs in by_agent.items()
            ]
    pairs: dict[int, PairRow] = {}
    for name in dict.fromkeys(measure.name for _, measure, _ in comparisons):
        family = [at for at, (_, measure, _) in enumerate(comparisons) if measure.name == name]
        for at, comparison in zip(
            family, corrected([comparisons[at][2] for at in family], correction), strict=True
        ):
            pairs[at] = _pair_row(comparisons[at][0], comparisons[at][1], comparison)
    return tuple(rows), tuple(pairs[at] for at in range(len(comparisons)))


def aligned(tables: Tables) -> Tables:
    """Put the rows of all runs into the order of the first.

    Raises:
        InputError: they are not for the same episodes or cases.
    """
    first_name, first = next((name, runs[0]) for name, runs in tables.items())
    return {
        name: [taken(rows, align(first.ids, rows.ids, (first_name, name)).tolist()) for rows in runs]
        for name, runs in tables.items()
    }


def shared_only(tables: Tables) -> tuple[Tables, int]:
    """Keep the rows that all runs have, and say how many these are."""
    shared = set.intersection(*(set(rows.ids) for runs in tables.values() for rows in runs))
    kept = {
        name: [taken(rows, [i for i, id_ in enumerate(rows.ids) if id_ in shared]) for rows in runs]
        for name, runs in tables.items()
    }
    return kept, len(shared)


def taken(rows: Rows, places: list[int]) -> Rows:
    """Return some of the rows, in this order."""
    chosen = np.asarray(places, dtype=np.int64)
    return Rows(
        [rows.ids[i] for i in places],
        [rows.scans[i] for i in places],
        [rows.path_ids[i] for i in places],
        {name: values.take(chosen) for name, values in rows.values.items()},
    )


def nesting_of(rows: Rows) -> Nesting:
    """Return how rows are nested: paths in scenes."""
    return Nesting.of({"scene": rows.scans, "path": rows.path_ids})


def _pair_row(field: ComparedRows, measure: Measure, comparison: Comparison) -> PairRow:
    """Add what these data could have shown, each test at its share of the level."""
    difference, alpha = comparison.difference, ALPHA / comparison.tests
    named: dict[str, Any] = {"measure": measure, "group": field.group}
    if not difference.error or difference.units != field.nesting.names[:1]:
        return PairRow(measure.name, comparison, **named)
    detectable = minimum_detectable_effect(difference.error, difference.clusters, alpha=alpha)
    if not difference.mean or (comparison.adjusted or 0.0) <= ALPHA:
        return PairRow(measure.name, comparison, detectable, **named)
    runs = field.of(measure.name)
    a, b = (runs[name].mean_column() for name in (comparison.a, comparison.b))
    both = a.defined & b.defined
    column = Sample(np.where(both, a.values - b.values, 0.0), both)
    needed = data_needed(column, field.nesting, difference.error, difference.mean, alpha=alpha)
    return PairRow(measure.name, comparison, detectable, needed, **named)
