"""The opening of a report: per agent what it cannot do and can, and all agents side by side."""

from __future__ import annotations

from typing import NamedTuple

from vlnscope.benchmarks.kit.abilities import TOPICS
from vlnscope.benchmarks.outcomes.score.outcomes import OUTCOMES, SUCCESSES
from vlnscope.reporting.page.plots import agent_shade
from vlnscope.reporting.page.statements import Book, Judged, Shown
from vlnscope.reporting.page.tables import ShownTable, reference_tables, shown_table
from vlnscope.reporting.page.templating import fill
from vlnscope.reporting.report_data import Report, ReportedAgent
from vlnscope.reporting.sentences import number
from vlnscope.reporting.walk_data import Walks

TILES = ("SR", "SPL", "nDTW")
FIRST = 6
"""So many verdicts of an agent stand open."""


class Tile(NamedTuple):
    """A headline number: of the statement of that key in the part ``outcomes``."""

    name: str
    value: str
    interval: str
    shown: Shown


class Ending(NamedTuple):
    """One way in which walks end, and how many do: of the statement of that key in ``outcomes``."""

    phrase: str
    value: str
    share: float
    succeeded: bool
    shown: Shown


class Card(NamedTuple):
    """What the summary says of one agent."""

    anchor: str
    agent: ReportedAgent
    shade: str
    tiles: tuple[Tile, ...]
    endings: tuple[Ending, ...]
    first: tuple[Judged, ...]
    rest: tuple[Judged, ...]


class Profile(NamedTuple):
    """Abilities by agents: a row per topic, a cell per agent, None where nothing is known."""

    rows: tuple[tuple[str, tuple[Judged | None, ...]], ...]


def cards(report: Report, book: Book) -> list[Card]:
    """Return a card per agent, verdicts in the order of the report."""
    names = [agent.name for agent in report.agents]
    made = []
    for k, agent in enumerate(report.agents, 1):
        judged = [book.judge(verdict) for verdict in report.verdicts if verdict.agent == agent.name]
        made.append(
            Card(
                anchor=f"agent-{k}",
                agent=agent,
                shade=agent_shade(agent.name, names),
                tiles=tuple(_tiles(book, agent.name)),
                endings=tuple(_endings(book, agent.name)),
                first=tuple(judged[:FIRST]),
                rest=tuple(judged[FIRST:]),
            )
        )
    return made


def profile(cards: list[Card]) -> Profile:
    """Set the verdicts of all agents side by side, topics in their usual order."""
    held = [{one.verdict.topic: one for one in (*card.first, *card.rest)} for card in cards]
    named = dict.fromkeys(topic for its in held for topic in its)
    topics = [*(topic for topic in TOPICS if topic in named), *(t for t in named if t not in TOPICS)]
    return Profile(
        rows=tuple(
            (TOPICS[topic].can if topic in TOPICS else topic, tuple(its.get(topic) for its in held))
            for topic in topics
        )
    )


def references(report: Report) -> list[ShownTable]:
    """Return tables that set the agents beside chance, oracles and published numbers."""
    found = [table for findings in report.findings for table in reference_tables(findings)]
    return [shown_table(table, f"references-{k}") for k, table in enumerate(found, 1)]


def summary_html(report: Report) -> str:
    """Return the verdicts on all agents as a piece of HTML, for notebooks."""
    return fill("notebook.html.j2", report=report, cards=cards(report, Book(report, Walks())))


def _tiles(book: Book, agent: str) -> list[Tile]:
    made = []
    for name in TILES:
        shown = book.find("outcomes", agent, name)
        if shown is None or shown.statement.value is None:
            continue
        said = shown.statement
        ends = "" if said.low is None or said.high is None else f"[{number(said.low)}, {number(said.high)}]"
        made.append(Tile(name, number(shown.statement.value), ends, shown))
    return made


def _endings(book: Book, agent: str) -> list[Ending]:
    """Return how walks end, successes first, then failures, the most frequent first."""
    made = []
    for kind, phrase in OUTCOMES.items():
        shown = book.find("outcomes", agent, f"outcome.{kind}")
        if shown is not None and shown.statement.value:
            value = shown.statement.value
            made.append(Ending(phrase, number(value), value, kind in SUCCESSES, shown))
    return sorted(made, key=lambda ending: (not ending.succeeded, -ending.share))
