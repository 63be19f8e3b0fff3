"""Statements about behavior: what an agent does when told to, and what the words change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vlnscope.benchmarks.behavior.findings.skills import SKILLS, subs_of, told
from vlnscope.benchmarks.behavior.findings.tables import hops_of, searching, skill_mean
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Statement, Wording, statement
from vlnscope.types import ScoreRow

DOES = {
    "stop": "stops when told to",
    "direction": "goes in the direction that it is told",
    "object": "walks towards the object that is named",
    "room": "walks towards the room that is named",
}
"""What an agent that has a skill does."""
TO = {
    "stop": "stop when told to",
    "direction": "go in the direction that it is told",
    "object": "walk towards the object that is named",
    "room": "walk towards the room that is named",
}
"""The same without a subject."""
TOLD_TO = {
    "stop": "stop",
    "direction": "go in a direction",
    "object": "walk towards an object",
    "room": "walk towards a room",
}
"""What the words of an intervention say."""
_TOPICS = {"direction": "directions", "object": "things", "room": "rooms"}
"""Who lacks an ability goes where it is told by chance; of stopping, see `_stop_against_ahead`."""


def skill_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield for each skill whether the agent has it, and whether the intervention's words matter."""
    for skill in SKILLS:
        chosen = told(rows, skill)
        if not chosen:
            continue
        yield _against_chance(agent, skill, f"{skill}.mass", chosen, weight=0.8)
        if any("effect" in row.values for row in chosen):
            yield _effect(agent, skill, chosen)
    for sub in subs_of(rows, "direction"):
        yield _direction(agent, sub, told(rows, "direction", sub))
    if any("ahead" in row.values for row in told(rows, "direction")):
        yield _forward_bias(agent, rows)
    if any("stop_ahead" in row.values for row in told(rows, "stop")):
        yield _stop_against_ahead(agent, told(rows, "stop"))
    for hops in hops_of(rows):
        yield _search(agent, hops, searching(rows, hops))


def _against_chance(agent: str, skill: str, key: str, rows: Sequence[ScoreRow], weight: float) -> Statement:
    does, chance = DOES[skill], skill_mean(rows, skill, "chance").mean
    return statement(
        key,
        agent,
        skill_mean(rows, skill, "mass"),
        Wording(
            above=f"{does}, more than by chance: {{value}} of its probability; chance is {{null}}",
            below=f"{does} less than by chance: {{value}} of its probability; chance is {{null}}",
            unclear=f"cannot be shown to {TO[skill]} more than by chance: {{value}} of its probability;"
            " chance is {null}",
        ),
        null=None if chance is None else 100.0 * chance,
        weight=weight,
        episodes=_telling(rows, "mass"),
        **_ability(_TOPICS.get(skill), chance),
    )


def _direction(agent: str, sub: str, rows: Sequence[ScoreRow]) -> Statement:
    chance = mean_of(rows, "chance").mean
    return statement(
        f"direction.{sub.replace(' ', '-')}.mass",
        agent,
        mean_of(rows, "mass"),
        Wording(
            above=f"goes {sub} when told to: {{value}} of its probability; chance is {{null}}",
            below=f"goes {sub} when told to less than by chance: {{value}}; chance is {{null}}",
            unclear=f"told to go {sub}, cannot be told from chance: {{value}}; chance is {{null}}",
        ),
        null=None if chance is None else 100.0 * chance,
        weight=0.5,
        episodes=_telling(rows, "mass"),
        **_ability(sub if sub in ("left", "right") else None, chance),
    )


def _effect(agent: str, skill: str, rows: Sequence[ScoreRow]) -> Statement:
    told_to = TOLD_TO[skill]
    return statement(
        f"{skill}.effect",
        agent,
        change_of(rows, "mass", "mass_none"),
        Wording(
            above=f"heeds the words: being told to {told_to} adds {{value}} to the probability that it does",
            below=f"is led astray: being told to {told_to} changes the probability that it does by {{value}}",
            unclear=f"cannot be shown to heed the words: being told to {told_to} changes the probability"
            " that it does by {value}",
        ),
        weight=0.9,
        episodes=_telling(rows, "effect"),
    )


def _forward_bias(agent: str, rows: Sequence[ScoreRow]) -> Statement:
    elsewhere = [row for row in told(rows, "direction") if row.groups.get("sub") != "forward"]
    chance = mean_of(elsewhere, "ahead_chance").mean
    return statement(
        "direction.forward-bias",
        agent,
        mean_of(elsewhere, "ahead"),
        Wording(
            above="has a bias to go straight on: told to go elsewhere, {value} of its moves go straight on;"
            " {null} of the ways do",
            below="has no bias to go straight on: told to go elsewhere, {value} of its moves do;"
            " {null} of the ways do",
            unclear="cannot be shown to prefer going straight on: told otherwise, {value} of its moves do;"
            " {null} of the ways do",
        ),
        null=None if chance is None else 100.0 * chance,
        weight=0.6,
    )


def _stop_against_ahead(agent: str, rows: Sequence[ScoreRow]) -> Statement:
    return statement(
        "stop.against-ahead",
        agent,
        change_of(rows, "stop", "stop_ahead"),
        Wording(
            above="knows when to stop: more where the text says so than where it goes on, by {value}",
            below="stops less where the text says so than where it goes on, by {value}",
            unclear="cannot be shown to stop more where the text says so than where it goes on: {value}",
        ),
        weight=0.6,
        episodes=_telling(rows, "stop"),
        topic="stopping",
        worst=0.0,
        best=100.0 * HALF,
    )


def _search(agent: str, hops: str, rows: Sequence[ScoreRow]) -> Statement:
    chance = mean_of(rows, "chance").mean
    where = f"a named room within {hops} hop{'s' * (hops != '1')}"
    return statement(
        f"room-k.{hops}.reached",
        agent,
        mean_of(rows, "reached"),
        Wording(
            above=f"finds {where}: {{value}}; a random walk finds {{null}}",
            below=f"finds {where} less often than a random walk: {{value}} against {{null}}",
            unclear=f"looking for {where}, cannot be told from a random walk: {{value}} against {{null}}",
        ),
        null=None if chance is None else 100.0 * chance,
        weight=0.4,
        episodes=_telling(rows, "reached"),
    )


def _ability(topic: str | None, chance: float | None) -> dict[str, Any]:
    """Return what a probability of doing the right thing says of an ability."""
    if topic is None or chance is None:
        return {}
    return {"topic": topic, "worst": 100.0 * chance, "best": 100.0}


def _telling(rows: Sequence[ScoreRow], metric: str) -> tuple[str, ...]:
    """Return the cases with the smallest values: where to look for what goes wrong."""
    known = [row for row in rows if metric in row.values]
    return tuple(row.episode_id for row in sorted(known, key=lambda row: row.values[metric])[:3])
