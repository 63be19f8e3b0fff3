"""Tables and figures of R2RIE-CE, filled with what was run, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.findings.pairs import Cost
from vlnscope.benchmarks.errors.score import DELAY, PARTING
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Series,
    Table,
    interval_cells,
    interval_series,
    percent,
)
from vlnscope.stats.paired import PairedDifference

CostsByAgent = Mapping[str, Mapping[str, Cost]]
LossesByAgent = Mapping[str, Mapping[tuple[str, int], PairedDifference]]
PUBLISHED: Mapping[str, tuple[float, float, float]] = {
    "direction": (53.0, 43.0, -18.64),
    "room": (58.0, 49.0, -6.66),
    "object": (56.0, 46.0, -8.47),
    "room-object": (57.0, 47.0, -11.47),
    "all": (52.0, 43.0, -30.64),
}
"""SR and SPL over right and wrong instructions together, and the change of SR, of BEVBert in R2R-CE
val_unseen (Table II). The printed formula is a difference, but the numbers are relative (DIFF-28)."""
BEVBERT = "BEVBert, R2R-CE (published)"
_NONE = (None, None, None)
_declared = declarations(__package__)


def tables(case_set: CaseSet, costs: CostsByAgent, losses: LossesByAgent) -> Iterator[Table]:
    """Yield what errors cost, what they cost by their place, and how many pairs there are."""
    yield _declared.table("table-2", _cost_rows(costs))
    yield _declared.table(
        "positions",
        (
            (agent, *key, loss.n, *interval_cells(loss))
            for agent, by_place in losses.items()
            for key, loss in by_place.items()
        ),
    )
    yield _declared.table("table-1", _counts(case_set))


def _cost_rows(costs: CostsByAgent) -> Iterator[tuple[Cell, ...]]:
    """Yield what each type of error costs each agent, after the published rows."""
    used = [name for name in TYPES if any(name in by_type for by_type in costs.values())]
    for name in used:
        if name in PUBLISHED:
            sr, spl, change = PUBLISHED[name]
            yield BEVBERT, name, *_NONE, sr, spl, *_NONE, change, None, None
    for agent, by_type in costs.items():
        for name in used:
            if name in by_type:
                yield agent, name, *_cost_cells(by_type[name])


def _cost_cells(cost: Cost) -> tuple[Cell, ...]:
    means = (cost.mean("SR", "clean"), cost.mean("SR", "wrong"), cost.mean("SR"), cost.mean("SPL"))
    return len(cost.clean), *map(percent, means), *interval_cells(cost.sr), *interval_cells(cost.relative)


def _counts(case_set: CaseSet) -> Iterator[tuple[Cell, ...]]:
    for name, error in TYPES.items():
        pairs = sum(
            case.groups["type"] == name and case.groups["variant"] == "wrong" for case in case_set.cases
        )
        if pairs:
            yield name, pairs, error.published, len(error.ingredients)


def figures(costs: CostsByAgent, losses: LossesByAgent) -> Iterator[Figure]:
    """Yield the relative change of SR by type, the loss by place, and when the walks part."""
    used = tuple(name for name in PUBLISHED if any(name in by_type for by_type in costs.values()))
    published = Series(name=BEVBERT, x=used, y=tuple(PUBLISHED[name][2] for name in used), role="reference")
    bars = [
        interval_series(agent, by_type, [cost.relative for cost in by_type.values()])
        for agent, by_type in costs.items()
    ]
    yield _declared.figure("cost", {"": (*bars, published)})
    types = dict.fromkeys(name for by_place in losses.values() for name, _ in by_place)
    yield _declared.figure("positions", {name: _by_fifth(losses, name) for name in types})
    panels = {"from the start": _parting(costs, PARTING), "from the error": _parting(costs, DELAY)}
    yield _declared.figure("parting", {title: boxes for title, boxes in panels.items() if boxes})


def _by_fifth(losses: LossesByAgent, name: str) -> Iterator[Series]:
    for agent, by_place in losses.items():
        fifths = {fifth: loss for (kind, fifth), loss in by_place.items() if kind == name}
        if fifths:
            yield interval_series(agent, fifths, list(fifths.values()))


def _parting(costs: CostsByAgent, metric: str) -> list[Series]:
    """Return when the walks part, a box per agent and type, as far as it is known."""
    boxes = []
    for agent, by_type in costs.items():
        rows = [(name, row) for name, cost in by_type.items() for row in cost.wrong if metric in row.values]
        if rows:
            x, y = tuple(name for name, _ in rows), tuple(row.values[metric] for _, row in rows)
            boxes.append(Series(name=agent, x=x, y=y))
    return boxes
