"""The card of an agent: headline numbers, how its episodes end, and what it cannot do and can."""

from __future__ import annotations

from typing import NamedTuple

from vlnscope.benchmarks.kit.benchmark import benchmarks
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.page.plots import agent_shade
from vlnscope.reporting.page.statements import ShownStatement, ShownVerdict, StatementIndex
from vlnscope.reporting.page.templating import fill
from vlnscope.reporting.report_data import Report, ReportedAgent
from vlnscope.reporting.sentences import number

FIRST = 6
"""So many verdicts of an agent stand open."""


class CardTile(NamedTuple):
    """A headline number: of a statement that a benchmark names for it."""

    name: str
    value: str
    interval: str
    shown: ShownStatement


class EndingShare(NamedTuple):
    """One way in which walks end, and how many do: of a statement that a benchmark names for it."""

    phrase: str
    value: str
    share: float
    succeeded: bool
    shown: ShownStatement


class SummaryCard(NamedTuple):
    """What the summary says of one agent."""

    anchor: str
    agent: ReportedAgent
    shade: str
    tiles: tuple[CardTile, ...]
    endings: tuple[EndingShare, ...]
    first: tuple[ShownVerdict, ...]
    rest: tuple[ShownVerdict, ...]


def agent_cards(report: Report, book: StatementIndex) -> list[SummaryCard]:
    """Return a card per agent, verdicts in the order of the report."""
    names = [agent.name for agent in report.agents]
    cards = []
    for k, agent in enumerate(report.agents, 1):
        judged = [book.judge(verdict) for verdict in report.verdicts if verdict.agent == agent.name]
        cards.append(
            SummaryCard(
                anchor=f"agent-{k}",
                agent=agent,
                shade=agent_shade(agent.name, names),
                tiles=tuple(_tiles(book, agent.name)),
                endings=tuple(_endings(book, agent.name)),
                first=tuple(judged[:FIRST]),
                rest=tuple(judged[FIRST:]),
            )
        )
    return cards


def summary_html(report: Report) -> str:
    """Return the verdicts on all agents as a piece of HTML, for notebooks."""
    return fill(
        "notebook.html.j2",
        report=report,
        cards=agent_cards(report, StatementIndex(report, ExampleTrajectories())),
    )


def _tiles(book: StatementIndex, agent: str) -> list[CardTile]:
    tiles = []
    for benchmark, name in ((one.name, key) for one in benchmarks() for key in one.headlines):
        shown = book.find(benchmark, agent, name)
        if shown is None or shown.statement.value is None:
            continue
        said = shown.statement
        ends = "" if said.low is None or said.high is None else f"[{number(said.low)}, {number(said.high)}]"
        tiles.append(CardTile(name, number(shown.statement.value), ends, shown))
    return tiles


def _endings(book: StatementIndex, agent: str) -> list[EndingShare]:
    """Return how walks end, successes first, then failures, the most frequent first."""
    shares = []
    for benchmark, key, share in ((one.name, *item) for one in benchmarks() for item in one.shares.items()):
        shown = book.find(benchmark, agent, key)
        if shown is not None and shown.statement.value:
            value = shown.statement.value
            shares.append(EndingShare(share.phrase, number(value), value, share.succeeded, shown))
    return sorted(shares, key=lambda ending: (not ending.succeeded, -ending.share))
