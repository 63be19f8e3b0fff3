"""What behavior rows of agents mean: statements, the tables of the paper, and its figures as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.behavior.findings.environment import environment_statements
from vlnscope.benchmarks.behavior.findings.figures import figures
from vlnscope.benchmarks.behavior.findings.skills import (
    SKILLS,
    intervened,
    searches_by_hops,
    skill_mean,
    subs_of,
)
from vlnscope.benchmarks.behavior.findings.tables import tables
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Findings, Statement, percent
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

_WORDS = {
    "stop": ("stops when told to", "stop when told to", "stop"),
    "direction": (
        "goes in the direction that it is told",
        "go in the direction that it is told",
        "go in a direction",
    ),
    "object": (
        "walks towards the object that is named",
        "walk towards the object that is named",
        "walk towards an object",
    ),
    "room": (
        "walks towards the room that is named",
        "walk towards the room that is named",
        "walk towards a room",
    ),
}
"""What an agent that has a skill does, the same without a subject, and what the intervention says."""
_TOPICS = {"direction": "directions", "object": "things", "room": "rooms", "left": "left", "right": "right"}
"""Who lacks an ability goes where it is told by chance; of stopping, see ``stop-against-ahead``."""
_say = declarations(__package__).statement


def skill_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield for each skill whether the agent has it, and whether the intervention's words matter."""
    for skill in SKILLS:
        chosen = intervened(rows, skill)
        if chosen:
            yield from _skill(agent, skill, chosen)
    for sub in subs_of(rows, "direction"):
        chosen = intervened(rows, "direction", sub)
        words = {"sub": sub, "key": sub.replace(" ", "-")}
        means = mean_of(chosen, "mass"), mean_of(chosen, "chance")
        yield _against_chance("direction", agent, chosen, words, *means, topic=_TOPICS.get(sub, ""))
    turns, stops = intervened(rows, "direction"), intervened(rows, "stop")
    if any("ahead" in row.values for row in turns):
        elsewhere = [row for row in turns if row.groups.get("sub") != "forward"]
        null = percent(mean_of(elsewhere, "ahead_chance").mean)
        yield _say("forward-bias", agent, mean_of(elsewhere, "ahead"), null=null)
    if any("stop_ahead" in row.values for row in stops):
        change, best = change_of(stops, "stop", "stop_ahead"), 100.0 * HALF
        yield _say("stop-against-ahead", agent, change, episodes=_lowest(stops, "stop"), best=best)
    for hops, chosen in searches_by_hops(rows).items():
        words = {"hops": hops, "away": f"{hops} hop{'s' * (hops != '1')}"}
        means = mean_of(chosen, "reached"), mean_of(chosen, "chance")
        yield _against_chance("room-k", agent, chosen, words, *means, shown="reached")


def _skill(agent: str, skill: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    does, do, condition = _WORDS[skill]
    words = {"skill": skill, "does": does, "do": do, "told": condition}
    means = skill_mean(rows, skill, "mass"), skill_mean(rows, skill, "chance")
    yield _against_chance("mass", agent, rows, words, *means, topic=_TOPICS.get(skill, ""))
    if any("effect" in row.values for row in rows):
        change = change_of(rows, "mass", "mass_none")
        yield _say("effect", agent, change, words, episodes=_lowest(rows, "effect"))


def _against_chance(
    name: str,
    agent: str,
    rows: Sequence[ScoreRow],
    words: dict[str, str],
    score: Interval,
    chance: Interval,
    *,
    topic: str = "",
    shown: str = "mass",
) -> Statement:
    """Compare a score with chance, which is what an agent without the ability `topic` gets."""
    null, examples = percent(chance.mean), _lowest(rows, shown)
    ability = {"topic": topic, "worst": null, "best": 100.0} if topic and null is not None else {}
    return _say(name, agent, score, words, null=null, episodes=examples, **ability)


def _lowest(rows: Sequence[ScoreRow], metric: str) -> tuple[str, ...]:
    """Return the cases with the smallest values: where to look for what goes wrong."""
    known = [row for row in rows if metric in row.values]
    return tuple(row.episode_id for row in sorted(known, key=lambda row: row.values[metric])[:3])


_STATEMENTS = (skill_statements, environment_statements)


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent, as `score_cases` makes them.
    """
    said = (one for agent, rows in rows_by_agent.items() for say in _STATEMENTS for one in say(agent, rows))
    drawn = (one for one in figures(rows_by_agent) if any(panel.series for panel in one.panels))
    return findings_of(case_set, rows_by_agent, said, tables(rows_by_agent), drawn)
