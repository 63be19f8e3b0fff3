"""What is said of an agent: each category beside chance, and the contrasts of the paper's Figures 4 to 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import (
    difference_of,
    mean_of,
    plain_mean,
    scene_difference,
    select,
    share_of,
)
from vlnscope.benchmarks.kit.findings import Statement, percent
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, NAMES
from vlnscope.benchmarks.nuances.findings.derived_rows import dual_rows, pair_rows
from vlnscope.types import ScoreRow

_TOPICS = {"DC": "directions", "VM": "stairs", "NU": "counting", "LR": "things", "RR": "rooms"}
_SUBSETS = (
    ("DC", "left", "left", "turn left"),
    ("DC", "right", "right", "turn right"),
    ("VM", "up", "up", "go up"),
    ("VM", "down", "down", "go down"),
    ("RR", "into", "rooms", "go into a room that is named"),
)
"""Subsets that ask for something by itself: category, subset, topic, what is told. Who leaves a room need not
know its name; who goes into one must."""
_say = declarations(__package__).statement


def statements_of(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield what can be said of an agent from its rows; what no row speaks of is not mentioned."""
    for category in CATEGORIES:
        words: dict[str, object] = {"category": category, "name": NAMES[category]}
        yield from _rate("category", agent, select(rows, category=category), words, topic=_TOPICS[category])
    for group, subset, topic, what in _SUBSETS:
        words = {"category": group, "subset": subset, "what": what}
        chosen = select(rows, category=group, subset=subset)
        yield from _rate("subset", agent, chosen, words, topic=topic)
    yield from _turns(agent, select(rows, category="DC"))
    stairs = select(rows, category="VM")
    yield from _contrast("up-down", agent, stairs)
    yield from _rate("both-ways", agent, select(stairs, both="yes"))
    yield from _counting(agent, select(rows, category="NU"))
    landmarks = select(rows, category="LR")
    yield from _contrast("towards-past", agent, landmarks)
    pairs = pair_rows(landmarks)
    yield from _rate("pairs", agent, pairs)
    yield from _rate("attributes", agent, [row for row in pairs if "attribute" in row.groups])
    yield from _regions(agent, select(rows, category="RR"))


def _rate(
    name: str,
    agent: str,
    rows: Sequence[ScoreRow],
    words: Mapping[str, object] | None = None,
    *,
    null: str = "chance",
    topic: str = "",
) -> Iterator[Statement]:
    """Compare a success rate with the mean of another value of the same rows.

    That mean is what an agent without the ability `topic` gets; one that has it is always right.
    """
    if not rows:
        return
    said = _compared(name, agent, rows, plain_mean(rows, null), words)
    topic = topic or said.topic
    known = topic and said.null is not None
    yield replace(said, topic=topic, worst=said.null, best=100.0) if known else replace(said, topic="")


def _compared(
    name: str,
    agent: str,
    rows: Sequence[ScoreRow],
    null: float | None,
    words: Mapping[str, object] | None = None,
) -> Statement:
    missed = tuple(row.episode_id for row in rows if row.values.get("SR") == 0.0)[:3]
    return _say(name, agent, mean_of(rows, "SR"), words, null=percent(null), episodes=missed)


def _turns(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Left against right, and both from one view (Figure 6)."""
    left, right = select(rows, subset="left"), select(rows, subset="right")
    both = dual_rows(rows, ("left", "right"))
    if both:
        bias = _say("turn-bias", agent, difference_of(right, left, "SR"))
        yield replace(bias, **_worse_turn(bias, left, right))
        independent = (plain_mean(left, "SR") or 0.0) * (plain_mean(right, "SR") or 0.0)
        yield _compared("dual", agent, both, independent)


def _worse_turn(bias: Statement, left: Sequence[ScoreRow], right: Sequence[ScoreRow]) -> dict[str, Any]:
    """Let a clear difference of the turns, right minus left, speak of the one that is done worse.

    Who does not heed that one does it by chance, and the other as well as ever.
    """
    if bias.verdict not in ("above", "below"):
        return {}
    better, worse, sign = (right, left, 1.0) if bias.verdict == "above" else (left, right, -1.0)
    most = (plain_mean(better, "SR") or 0.0) - (plain_mean(worse, "chance") or 0.0)
    topic = "left" if bias.verdict == "above" else "right"
    return {"topic": topic, "worst": sign * 100.0 * most, "best": 0.0} if most > 0 else {}


def _counting(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Counting against guessing (Figure 4)."""
    rows = [row for row in rows if "agent-1" in row.values]
    for name in ("agent-1", "agent-2"):
        yield from _rate(name, agent, rows, null=name)
    # who does not count takes the first, and is right wherever that is asked
    later = [row for row in rows if row.groups.get("ordinal", "first") != "first"]
    yield from _rate("later", agent, later, null="agent-2")


def _regions(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Into against exit (Figure 7), and stopping in the right place."""
    yield from _contrast("into-exit", agent, rows)
    if rows:
        known = [row for row in rows if "OSR" in row.values and "SR" in row.values]
        went_on = share_of(known, lambda row: row.values["OSR"] > row.values["SR"])
        yield _say("stopping", agent, went_on, null=0.0)


def _contrast(name: str, agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Compare two subsets, and say how much of the difference random moves would show."""
    one, other = (select(rows, subset=subset) for subset in name.split("-"))
    difference, lucky = (scene_difference(one, other, metric) for metric in ("SR", "chance"))
    if difference is not None:
        chance = "unknown" if lucky is None or lucky.mean is None else f"{100 * lucky.mean:.1f} points"
        yield _say(name, agent, difference, {"chance": chance})
