"""What scores of errors mean: what each type of wrong word costs, where, and how soon it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vlnscope.benchmarks.errors.build.planting import QUINTILES
from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.findings.figures import cost_figure, parting_figure, position_figure
from vlnscope.benchmarks.errors.findings.pairs import Cost, cost_of, loss_of
from vlnscope.benchmarks.errors.findings.tables import cost_table, count_table, position_table
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording, statement
from vlnscope.stats.paired import Difference
from vlnscope.types import ScoreRow

Costs = dict[str, dict[str, Cost]]
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


def find(asked: CaseSet, scored: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of some agents mean.

    Args:
        asked: the cases.
        scored: rows by agent; pairs of which an agent did not finish both halves are left out.
    """
    costs = {agent: _by_type(rows) for agent, rows in scored.items()}
    places = {agent: _by_position(rows) for agent, rows in scored.items()}
    statements = [one for agent, its in costs.items() for one in _statements(agent, its)]
    return Findings(
        benchmark=asked.benchmark,
        data=asked.data,
        agents=tuple(scored),
        statements=tuple(statements),
        tables=(cost_table(costs), position_table(places), count_table(asked)),
        figures=(cost_figure(costs), position_figure(places), parting_figure(costs)),
        notes=(*asked.notes, *_incomplete(scored, costs)),
    )


def _by_type(rows: Sequence[ScoreRow]) -> dict[str, Cost]:
    of = grouped(rows, "type")
    found = {name: cost_of(of.get((name,), [])) for name in TYPES}
    return {name: cost for name, cost in found.items() if cost is not None}


def _by_position(rows: Sequence[ScoreRow]) -> dict[tuple[str, int], Difference]:
    of = grouped(rows, "type", "position")
    keys = [(name, fifth) for name in TYPES for fifth in range(1, QUINTILES + 1)]
    found = {(name, fifth): loss_of(of.get((name, str(fifth)), [])) for name, fifth in keys}
    return {key: loss for key, loss in found.items() if loss is not None}


def _statements(agent: str, costs: Mapping[str, Cost]) -> Iterator[Statement]:
    for name, cost in costs.items():
        noun = _NOUNS[name]
        shown = _examples(cost)
        words = Wording(
            above=f"loses {{value}} of success to {noun}",
            below=f"succeeds more often with {noun} than without it: its loss of success is {{value}}",
            unclear=f"shows no clear cost of {noun}: {{value}} of success over {{n}} pairs",
        )
        weight = 0.9 if name == "direction" else 0.7
        yield statement(
            f"{name}.SR",
            agent,
            cost.sr,
            words,
            weight=weight,
            episodes=shown,
            metric="SR",
            **_heeding(name, cost.mean("SR", "clean")),
        )
        words = Wording(
            above=f"loses {{value}} of SPL to {noun}",
            below=f"has a higher SPL with {noun} than without it: its loss of SPL is {{value}}",
            unclear=f"shows no clear cost of {noun} in SPL: {{value}} over {{n}} pairs",
        )
        yield statement(f"{name}.SPL", agent, cost.spl, words, weight=0.4, metric="SPL")
        if cost.relative is not None:
            change = f"changes its success rate by {{value}} of itself with {noun}"
            words = Wording(
                above=change,
                below=change,
                unclear=f"shows no clear relative change of success with {noun}: {{value}}",
                plain=change,
            )
            null = None if cost.relative.low is None else 0.0
            yield statement(
                f"{name}.SR.relative", agent, cost.relative, words, null=null, unit="% change", weight=0.3
            )
        words = Wording(plain=f"walks another way in {{value}} of the pairs with {noun}")
        yield statement(f"{name}.parted", agent, cost.parted, words, weight=0.4)
        if cost.parting.mean is not None:
            words = Wording(plain=f"where {noun} changes the walk, it does so at step {{value}} on average")
            yield statement(
                f"{name}.parting", agent, cost.parting, words, scale=1.0, unit="steps", weight=0.2
            )


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


def _incomplete(scored: Mapping[str, Sequence[ScoreRow]], costs: Costs) -> Iterator[str]:
    for agent, rows in scored.items():
        used = sum(2 * len(cost.clean) for cost in costs[agent].values())
        if used < len(rows):
            yield f"{agent}: {len(rows) - used} cases without the other half of their pair are left out"
