"""What scores of errors mean: what each type of wrong word costs, where, and how soon it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vlnscope.benchmarks.errors.build.planting import QUINTILES
from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.findings.displays import CostsByAgent, figures, tables
from vlnscope.benchmarks.errors.findings.pairs import Cost, cost_of, loss_of
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

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
_say = declarations(__package__).statement


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
