"""What scores of errors mean: what each type of wrong word costs, where, and how soon it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vlnscope.benchmarks.errors.build.planting import QUINTILES
from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.findings.pairs import Cost, cost_of, loss_of
from vlnscope.benchmarks.errors.score import DELAY, PARTING
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Findings,
    Series,
    Statement,
    Table,
    interval_cells,
    interval_series,
    percent,
)
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

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
LEAST = 0.2
"""Who succeeds less often with right words has too little to lose to tell what wrong ones cost."""
_TOPICS = {
    "direction": "directions",
    "room": "rooms",
    "object": "things",
    "all": "reading",
    "ordinal": "counting",
    "vertical": "stairs",
}
"""Whether the words of a type are heeded: who does not heed them loses nothing to wrong ones."""
_NOUNS = {
    "direction": "a wrong direction",
    "room": "a wrong room",
    "object": "a wrong object",
    "room-object": "a wrong room and a wrong object",
    "all": "a wrong direction, room and object",
    "attribute": "a wrong colour",
    "ordinal": "a wrong ordinal",
    "vertical": "up for down or down for up",
    "order": "two sentences in the wrong order",
}
_say = _declared.statement


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


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent; pairs of which an agent did not finish both cases are left out.
    """
    costs = {agent: _by_type(rows) for agent, rows in rows_by_agent.items()}
    losses = {agent: _by_position(rows) for agent, rows in rows_by_agent.items()}
    said = (one for agent, by_type in costs.items() for one in _statements(agent, by_type))
    return findings_of(
        case_set,
        rows_by_agent,
        said,
        tables(case_set, costs, losses),
        figures(costs, losses),
        _incomplete(rows_by_agent, costs),
    )


def _by_type(rows: Sequence[ScoreRow]) -> dict[str, Cost]:
    of = grouped(rows, "type")
    costs = {name: cost_of(of.get((name,), [])) for name in TYPES}
    return {name: cost for name, cost in costs.items() if cost is not None}


def _by_position(rows: Sequence[ScoreRow]) -> dict[tuple[str, int], PairedDifference]:
    of = grouped(rows, "type", "position")
    keys = [(name, fifth) for name in TYPES for fifth in range(1, QUINTILES + 1)]
    losses = {(name, fifth): loss_of(of.get((name, str(fifth)), [])) for name, fifth in keys}
    return {key: loss for key, loss in losses.items() if loss is not None}


def _statements(agent: str, costs: Mapping[str, Cost]) -> Iterator[Statement]:
    for name, cost in costs.items():
        words = {"type": name, "noun": _NOUNS[name]}
        more = {"weight": 0.9} if name == "direction" else {}
        more |= _heeding(name, cost.mean("SR", "clean"))
        yield _say("SR", agent, cost.sr, words, episodes=_examples(cost), **more)
        yield _say("SPL", agent, cost.spl, words)
        if cost.relative is not None:
            null = None if cost.relative.low is None else 0.0
            yield _say("relative", agent, cost.relative, words, null=null)
        yield _say("parted", agent, cost.parted, words)
        if cost.parting.mean is not None:
            yield _say("parting", agent, cost.parting, words)


def _heeding(name: str, succeeds: float | None) -> dict[str, Any]:
    """Return what the cost of a type says of an ability; nothing where there is too little to lose."""
    if name not in _TOPICS or succeeds is None or succeeds < LEAST:
        return {}
    return {"topic": _TOPICS[name], "worst": 0.0, "best": 100.0 * HALF * succeeds}


def _examples(cost: Cost) -> tuple[str, ...]:
    """Return wrong cases that failed though their right half succeeded."""
    return tuple(
        wrong.episode_id
        for clean, wrong in zip(cost.clean, cost.wrong, strict=True)
        if clean.values.get("SR", 0.0) > wrong.values.get("SR", 0.0)
    )[:3]


def _incomplete(rows_by_agent: Mapping[str, Sequence[ScoreRow]], costs: CostsByAgent) -> Iterator[str]:
    for agent, rows in rows_by_agent.items():
        used = sum(2 * len(cost.clean) for cost in costs[agent].values())
        if used < len(rows):
            yield f"{agent}: {len(rows) - used} cases without the other half of their pair are left out"
