"""The paper's tables: how many items there are, and success rates beside the published ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Cell, Table
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, NAMES
from vlnscope.benchmarks.nuances.findings.derived_rows import chosen, dual_rows
from vlnscope.benchmarks.nuances.findings.published import COUNTS, TABLE_2
from vlnscope.stats.interval import ANY
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]


def tables(asked: CaseSet, scored: Scored) -> Iterator[Table]:
    """Yield the counts, the success rates by category, and those by subset."""
    yield _counts(asked)
    yield _rates(scored)
    yield _subsets(scored)


def _counts(asked: CaseSet) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for category in CATEGORIES:
        cases = [case for case in asked.cases if case.groups.get("category") == category]
        # the paper counts ordinals without their sides, which are the second word of a subset of ours
        here = Counter(case.groups.get("subset", "").partition(" ")[0] for case in cases)
        rows.append((NAMES[category], "all", len(cases), sum(COUNTS[category].values())))
        subsets = dict.fromkeys([*COUNTS[category], *here])
        rows += [(NAMES[category], each, here[each], COUNTS[category].get(each)) for each in subsets]
    return Table(
        name="nuances-counts",
        title="Items",
        columns=("category", "subset", "here", "paper"),
        rows=tuple(rows),
        source="Table 1",
    )


def _rates(scored: Scored) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for agent, found in scored.items():
        rows.append((agent, "run here", *(_rate(chosen(found, category=name), "SR") for name in CATEGORIES)))
    known = {row.episode_id: row for found in scored.values() for row in found}
    level = [_rate(chosen(known.values(), category=name), "chance") for name in CATEGORIES]
    rows.append(("random moves", "expected here", *level))
    rows += [(each.name, "paper", *(each.rate(name) for name in CATEGORIES)) for each in TABLE_2]
    return Table(
        name="nuances-rates",
        title="Success rates by category (%)",
        columns=("agent", "source", *CATEGORIES),
        rows=tuple(rows),
        notes=(
            "Rows of the paper are on its own data, which differs from the data here: read them as scale.",
            "NavGPT4 and NavGPT4v were run on about 130 items.",
        ),
        source="Table 2",
    )


def _subsets(scored: Scored) -> Table:
    columns = ("agent", "category", "subset", "SR", "OSR", "chance", "cases")
    rows: list[tuple[Cell, ...]] = []
    for agent, found in scored.items():
        for category in CATEGORIES:
            of_category = chosen(found, category=category)
            parts = {
                name: chosen(of_category, subset=name)
                for name in dict.fromkeys(row.groups.get("subset", "") for row in of_category)
            }
            if category == "DC":
                parts["left and right"] = dual_rows(of_category, ("left", "right"))
            if category == "VM":
                parts["stairs both ways"] = chosen(of_category, both="yes")
                parts["up and down"] = dual_rows(of_category, ("up", "down"))
            for name, part in parts.items():
                if part:
                    rates = (_rate(part, metric) for metric in ("SR", "OSR", "chance"))
                    rows.append((agent, category, name, *rates, len(part)))
    return Table(
        name="nuances-subsets",
        title="Success rates by subset (%)",
        columns=columns,
        rows=tuple(rows),
        notes=(
            "chance: five random moves, in expectation.",
            "Left and right, up and down: from one view, both right.",
        ),
    )


def _rate(rows: Sequence[ScoreRow], metric: str) -> float | None:
    found = mean_of(rows, metric, within=ANY).mean if rows else None
    return None if found is None else round(100 * found, 2)
