"""The opening of a page: what each agent can and cannot do, all side by side, then a card per agent.

The first table of a page is the one of abilities by agents: `ability_rows` makes its rows, and
``templates/summary.html.j2`` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.kit.abilities import abilities
from vlnscope.reporting.page.agent_cards import SummaryCard
from vlnscope.reporting.page.content import PageContent, PagePart, register_section
from vlnscope.reporting.page.statements import ShownVerdict
from vlnscope.reporting.page.tables import reference_tables, shown_table

AbilityRow = tuple[str, tuple[ShownVerdict | None, ...]]
"""What an ability is called, and the verdicts on all agents; None where nothing is known."""


def ability_rows(cards: Sequence[SummaryCard]) -> list[AbilityRow]:
    """Set the verdicts on all agents side by side, abilities in their usual order."""
    by_agent = [{one.verdict.topic: one for one in (*card.first, *card.rest)} for card in cards]
    named = dict.fromkeys(topic for verdicts in by_agent for topic in verdicts)
    known = abilities()
    topics = [*(topic for topic in known if topic in named), *(t for t in named if t not in known)]
    return [
        (known[topic].can if topic in known else topic, tuple(verdicts.get(topic) for verdicts in by_agent))
        for topic in topics
    ]


def _summary(content: PageContent) -> Iterator[PagePart]:
    """Yield the summary, with tables that set the agents beside chance, oracles and published numbers."""
    beside = [table for findings in content.report.findings for table in reference_tables(findings)]
    judged = [card for card in content.cards if card.first]
    html = content.fill(
        "summary.html.j2",
        profiled=judged,
        ability_rows=ability_rows(judged),
        references=[shown_table(table, f"references-{k}") for k, table in enumerate(beside, 1)],
    )
    yield PagePart(anchor="summary", title="Summary", html=html)


register_section("summary", order=0, make=_summary)
