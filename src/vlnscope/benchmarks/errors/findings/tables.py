"""Tables of R2RIE-CE, filled with what was run, beside what was published."""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.findings.pairs import Cost
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Cell, Table
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import Difference

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
_PAPER = "Taioli et al. 2024"
_SCENES = "intervals: 95 %, see the notes of the report"


def cost_table(costs: Mapping[str, Mapping[str, Cost]]) -> Table:
    """Return what each type of error costs each agent, after the published rows."""
    used = [name for name in TYPES if any(name in its for its in costs.values())]
    rows: list[tuple[Cell, ...]] = [
        (BEVBERT, name, *_NONE, *PUBLISHED[name][:2], *_NONE, PUBLISHED[name][2], None, None)
        for name in used
        if name in PUBLISHED
    ]
    rows += [
        (agent, name, *_cost_cells(its[name])) for agent, its in costs.items() for name in used if name in its
    ]
    return Table(
        name="table-2",
        title="What wrong words cost",
        columns=(
            *("agent", "error", "pairs", "SR right (%)", "SR wrong (%)", "SR both (%)", "SPL both (%)"),
            *("loss of SR (points)", "from", "to", "relative change of SR (%)", "from", "to"),
        ),
        rows=tuple(rows),
        notes=(
            _SCENES,
            "the published change is relative, though the paper's formula is a difference; its agent walks "
            "in continuous space, so that only the pattern compares",
        ),
        source=f"{_PAPER}, Table II",
    )


def _cost_cells(cost: Cost) -> tuple[Cell, ...]:
    means = (cost.mean("SR", "clean"), cost.mean("SR", "wrong"), cost.mean("SR"), cost.mean("SPL"))
    return len(cost.clean), *map(_percent, means), *_bounds(cost.sr), *_bounds(cost.relative)


def position_table(places: Mapping[str, Mapping[tuple[str, int], Difference]]) -> Table:
    """Return the loss by the fifth of the instruction in which the first error is."""
    return Table(
        name="positions",
        title="What wrong words cost, by their place in the instruction",
        columns=("agent", "error", "fifth", "pairs", "loss of SR (points)", "from", "to"),
        rows=tuple(
            (agent, name, fifth, loss.n, *_bounds(loss))
            for agent, its in places.items()
            for (name, fifth), loss in its.items()
        ),
        notes=(_SCENES, "of several errors the place of the first counts"),
    )


def count_table(asked: CaseSet) -> Table:
    """Return how many pairs there are of each type, beside Table I."""
    rows: list[tuple[Cell, ...]] = []
    for name, error in TYPES.items():
        mine = sum(case.groups["type"] == name and case.groups["variant"] == "wrong" for case in asked.cases)
        if mine:
            rows.append((name, mine, error.published, len(error.ingredients)))
    return Table(
        name="table-1",
        title="Pairs of right and wrong instructions",
        columns=("error", "pairs", "pairs in R2RIE-CE", "errors per instruction"),
        rows=tuple(rows),
        notes=(
            "the published sets come from R2R-CE val_unseen; their list of objects is not public, so that "
            "sets with objects differ",
        ),
        source=f"{_PAPER}, Table I",
    )


def _bounds(interval: Interval | None) -> tuple[Cell, Cell, Cell]:
    if interval is None:
        return _NONE
    return _percent(interval.mean), _percent(interval.low), _percent(interval.high)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
