"""What an agent can and cannot do, in order, worst first: the statements of all benchmarks by ability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from vlnscope.benchmarks.findings import Findings, Statement
from vlnscope.benchmarks.topics import TOPICS

Grade = Literal["cannot", "partly", "can", "unclear"]
CANNOT = 0.25
CAN = 0.75


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the benchmarks together say of one ability of one agent.

    Attributes:
        agent: of whom.
        topic: which ability, a key of `TOPICS`.
        grade: ``can`` if the lower end of one interval is within a quarter of the best; ``cannot`` if the
            upper ends of all are within a quarter of what an agent without it gets; ``partly`` if one
            shows that there is some and all that it is not whole; else ``unclear``.
        ability: the largest estimate, from 0 to 1.
        benchmark: whose statement is the reason.
        statement: that statement.
        others: further statements of the topic, as (benchmark, key).
    """

    agent: str
    topic: str
    grade: Grade
    ability: float
    benchmark: str
    statement: Statement
    others: tuple[tuple[str, str], ...] = ()


def verdicts(found: Sequence[Findings], agent: str) -> list[Verdict]:
    """Return the verdicts on an agent, what it cannot do first."""
    topics: dict[str, list[tuple[str, Statement]]] = {}
    for findings in found:
        for said in findings.statements:
            if said.agent == agent and said.ability is not None:
                topics.setdefault(said.topic, []).append((findings.benchmark, said))
    made = [_verdict(agent, topic, topics[topic]) for topic in TOPICS if topic in topics]
    order: dict[Grade, int] = {"cannot": 0, "partly": 1, "unclear": 2, "can": 3}
    return sorted(made, key=lambda verdict: (order[verdict.grade], round(verdict.ability, 1)))


def _verdict(agent: str, topic: str, said: Sequence[tuple[str, Statement]]) -> Verdict:
    grade = _grade([one.ability for _, one in said if one.ability is not None])
    benchmark, reason = max(said, key=lambda pair: (_shown(pair[1], grade), pair[1].weight))
    others = tuple((name, one.key) for name, one in said if one is not reason)
    best = max(one.ability[1] for _, one in said if one.ability is not None)
    return Verdict(
        agent=agent,
        topic=topic,
        grade=grade,
        ability=best,
        benchmark=benchmark,
        statement=reason,
        others=others,
    )


def _grade(abilities: Iterable[tuple[float, float, float]]) -> Grade:
    known = list(abilities)
    if any(low >= CAN for low, _, _ in known):
        return "can"
    if all(high <= CANNOT for _, _, high in known):
        return "cannot"
    if any(low > 0 for low, _, _ in known) and all(high < 1 for _, _, high in known):
        return "partly"
    return "unclear"


def _shown(statement: Statement, grade: Grade) -> float:
    """Return how well a statement shows a grade."""
    assert statement.ability is not None
    low, value, high = statement.ability
    return {"can": low, "cannot": 1 - high, "partly": low, "unclear": value}[grade]
