"""What an agent can and cannot do, in order, worst first: the statements of all benchmarks by ability.

How the statements of a topic make a verdict:

1. Within a benchmark the weakest one counts. A benchmark asks for an ability in several ways, and luck or
   habit helps with some: who ignores “second” takes the first door, and is right where that was asked.
2. The benchmark that was made to ask for the ability (`Ability.asked_by`) decides; where it says nothing, the
   one that shows most. If another shows clearly that there is some, no verdict says that there is none.
3. Who stops anywhere fails at much else, and who walks alike whatever it is told gets things right without
   reading; who does not know a chair cannot be asked to count chairs (`Ability.needs`). So where such an
   ability is missing, the verdicts that follow from that say so (`Verdict.because`), claim no ability and
   stand after the others of their grade.
4. Where an ability has parts, such as left and right, what tells more comes first among those of a grade:
   the part that is missing, or the whole where all parts are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from vlnscope.benchmarks.kit.abilities import Ability, abilities
from vlnscope.benchmarks.kit.benchmark import benchmarks
from vlnscope.benchmarks.kit.findings import NEXT_TO_NOTHING, Findings, Statement

Grade = Literal["cannot", "partly", "mostly", "can", "unclear"]
CAN = 0.75
"""At least so much of an ability is all of it."""
LITTLE = 0.5
"""More than this is most of it; where surely less is there and none is shown, there is no sign of it."""
_ORDER: Mapping[Grade, int] = {"cannot": 0, "partly": 1, "unclear": 1, "mostly": 2, "can": 3}
_FIRST = ("stopping", "reading")
"""What so much follows from that it must surely be missing to explain anything."""
Extent = tuple[float, float, float]
"""How much of an ability there is: at least, estimated, at most."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the benchmarks together say of one ability of one agent.

    Attributes:
        agent: of whom.
        topic: name of the ability.
        grade: ``can`` if the interval lies within a quarter of the best; ``cannot`` if it lies within a tenth
            of what an agent without the ability gets; ``mostly`` if it lies above the half; ``partly`` if
            there is surely some of the ability, and surely not all; else ``unclear``.
        ability: the estimate, from 0 to 1.
        benchmark: whose statement is the reason.
        statement: that statement.
        others: further statements of the topic, as (benchmark, key).
        because: the topic whose lack explains this verdict, or makes it impossible; empty if none does.
    """

    agent: str
    topic: str
    grade: Grade
    ability: float
    benchmark: str
    statement: Statement
    others: tuple[tuple[str, str], ...] = ()
    because: str = ""


class _Said(NamedTuple):
    benchmark: str
    statement: Statement
    ability: Extent


def verdicts(all_findings: Sequence[Findings], agent: str) -> list[Verdict]:
    """Return the verdicts on an agent, worst first: cannot, partly, unclear, mostly, can."""
    known = abilities()
    topics: dict[str, list[_Said]] = {}
    for findings in all_findings:
        for said in findings.statements:
            if said.agent == agent and said.ability is not None and said.topic in known:
                topics.setdefault(said.topic, []).append(_Said(findings.benchmark, said, said.ability))
    by_topic = {
        topic: _verdict(agent, topic, ability, topics[topic])
        for topic, ability in known.items()
        if topic in topics
    }
    by_topic = {topic: _explained(verdict, by_topic, known) for topic, verdict in by_topic.items()}
    hidden = {topic for topic in by_topic if _repeats(topic, by_topic, known)}
    order = {topic: number for number, topic in enumerate(known)}
    return sorted(
        by_topic.values(),
        key=lambda verdict: (*_rank(verdict, verdict.topic in hidden), order[verdict.topic]),
    )


def headline(verdict: Verdict) -> str:
    """Say a verdict in the words of its topic, claiming no more than its interval shows."""
    known = abilities()
    topic = known.get(verdict.topic) or _unknown(verdict.topic)
    assert verdict.statement.ability is not None
    low, _, high = verdict.statement.ability
    if verdict.grade != "unclear":
        said = {"cannot": topic.cannot, "partly": topic.partly, "can": topic.can}
        return said.get(verdict.grade, f"mostly {topic.can}")
    if verdict.because == "reading":
        often = "" if low >= LITTLE else " at times"
        return f"{topic.can}{often}, but not by reading" if low > 0 else f"no sign that it {topic.can}"
    if verdict.because:
        lacking = known.get(verdict.because) or _unknown(verdict.because)
        return f"not to be told whether it {topic.can}: it is not clear that it {lacking.can}"
    if low > 0:
        return f"some sign that it {topic.can}"
    return f"no sign that it {topic.can}" if high < LITTLE else f"unclear whether it {topic.can}"


def _unknown(topic: str) -> Ability:
    """Return an ability of a benchmark that is not installed here, of which only the name is known."""
    return Ability(can=f"shows {topic}", cannot=f"does not show {topic}", partly=f"shows some {topic}")


def _verdict(agent: str, topic: str, ability: Ability, said: Sequence[_Said]) -> Verdict:
    weakest: dict[str, _Said] = {}
    for one in said:
        before = weakest.get(one.benchmark)
        if before is None or _badness(one) > _badness(before):
            weakest[one.benchmark] = one
    main = weakest.get(ability.asked_by) or max(weakest.values(), key=lambda one: one.ability)
    rest = [one for one in weakest.values() if one is not main]
    return Verdict(
        agent=agent,
        topic=topic,
        grade=_agreed(_grade(main), main.benchmark, [one.ability for one in rest]),
        ability=main.ability[1],
        benchmark=main.benchmark,
        statement=main.statement,
        others=tuple((one.benchmark, one.statement.key) for one in said if one is not main),
    )


def _badness(one: _Said) -> tuple[float, ...]:
    """Return how much a statement speaks against an ability: by the estimate, then by the interval.

    Of several that all show that it is missing, the weightiest tells best how.
    """
    _, value, high = one.ability
    weight = one.statement.weight
    return (1.0, weight, -value, -high) if one.statement.shows_absence else (0.0, -value, -high, weight)


def _grade(one: _Said) -> Grade:
    low, _, high = one.ability
    if low >= CAN:
        return "can"
    if one.statement.shows_absence:
        return "cannot"
    if low >= LITTLE:
        return "mostly"
    return "partly" if low > 0 and high < 1 else "unclear"


def _agreed(grade: Grade, benchmark: str, others: Sequence[Extent]) -> Grade:
    """Take back that there is nothing of an ability where another benchmark shows that there is some.

    How ordinary walks end is no sign of an ability but the thing itself, so that is not taken back.
    """
    ordinary = {one.name for one in benchmarks() if one.ordinary}
    shown = benchmark not in ordinary and any(low > NEXT_TO_NOTHING for low, _, _ in others)
    return "partly" if grade == "cannot" and shown else grade


def _explained(verdict: Verdict, by_topic: Mapping[str, Verdict], known: Mapping[str, Ability]) -> Verdict:
    """Say of a verdict that it follows from a lack of something else, where it does."""
    if _lacks("reading", by_topic) and _is_part(verdict.topic, "reading", known):
        grade: Grade = "cannot" if verdict.grade == "cannot" else "unclear"
        return replace(verdict, grade=grade, because="reading")
    sure = verdict.grade in ("can", "mostly") or (verdict.topic, verdict.grade) == ("reading", "cannot")
    if sure or verdict.topic == "stopping":
        return verdict
    needed = [name for name in ("stopping", *known[verdict.topic].needs) if _lacks(name, by_topic)]
    return replace(verdict, grade="unclear", because=needed[0]) if needed else verdict


def _lacks(topic: str, by_topic: Mapping[str, Verdict]) -> bool:
    """Say whether an ability is missing, or so much of it that others cannot be told."""
    if topic not in by_topic:
        return False
    verdict = by_topic[topic]
    if verdict.grade == "cannot":
        return True
    return topic not in _FIRST and verdict.grade in ("partly", "unclear") and verdict.ability < LITTLE


def _is_part(topic: str, whole: str, known: Mapping[str, Ability]) -> bool:
    above = known[topic].part_of if topic in known else ""
    return above != "" and (above == whole or _is_part(above, whole, known))


def _repeats(topic: str, by_topic: Mapping[str, Verdict], known: Mapping[str, Ability]) -> bool:
    """Say whether a part or a whole of the ability tells the same, and more."""
    whole = known[topic].part_of
    parts = [by_topic[name] for name in by_topic if known[name].part_of == topic]
    if topic == "reading" or (not parts and whole not in by_topic):
        return False
    if parts:
        return not _all_alike(parts)
    return whole != "reading" and _all_alike(
        [by_topic[name] for name in by_topic if known[name].part_of == whole]
    )


def _all_alike(parts: Sequence[Verdict]) -> bool:
    return len({part.grade for part in parts}) == 1


def _rank(verdict: Verdict, repeats: bool) -> tuple[float, ...]:
    """Order verdicts, worst first: what is missing, then what may be, then what is there.

    Within these, those that stand for themselves come before those that follow from others or repeat them;
    then it goes by how much is missing, half by the estimate and half by what is sure.
    """
    assert verdict.statement.ability is not None
    follows = verdict.because != "" or repeats
    _, value, high = verdict.statement.ability
    return _ORDER[verdict.grade], follows, round((value + high) / 2, 1)
