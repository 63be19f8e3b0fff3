"""What the sections of a page are made of, and what they hand over to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import msgspec
from markupsafe import Markup

from vlnscope.core import registry
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.page.agent_cards import SummaryCard, agent_cards
from vlnscope.reporting.page.example_cards import walk_card
from vlnscope.reporting.page.statements import StatementIndex
from vlnscope.reporting.page.templating import fill
from vlnscope.reporting.report_data import Report


@dataclass(frozen=True)
class PageContent:
    """The content of a page.

    Attributes:
        report: what was found.
        walks: what is shown of trajectories.
        plots: Plotly figures by the id of the element that they are drawn in; sections add theirs.
    """

    report: Report
    walks: ExampleTrajectories
    plots: dict[str, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def book(self) -> StatementIndex:
        """The statements, each with its place in the page."""
        return StatementIndex(self.report, self.walks)

    @cached_property
    def cards(self) -> list[SummaryCard]:
        """A card per agent."""
        return agent_cards(self.report, self.book)

    def fill(self, template: str, **more: Any) -> Markup:
        """Return a template of the folder ``templates`` with the content and more."""
        shades = {card.agent.name: card.shade for card in self.cards}
        text = fill(
            template,
            report=self.report,
            cards=self.cards,
            shades=shades,
            walk_card=lambda walk: walk_card(walk, self.walks.maps),
            **more,
        )
        return Markup(text)  # templates escape what is put into them


class PagePart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a page as HTML; `title` stands in the table of contents and leads to the element `anchor`."""

    anchor: str
    title: str
    html: Markup


class ReportSection(msgspec.Struct, frozen=True, kw_only=True):
    """A section of reports, registered by name (kind ``report-section``).

    Attributes:
        name: unique.
        order: sections with lower numbers come first.
        make: returns its parts; none where there is nothing to say.
    """

    name: str
    order: int = 1000
    make: Callable[[PageContent], Iterable[PagePart]]


def register_section(
    name: str, *, order: int, make: Callable[[PageContent], Iterable[PagePart]]
) -> ReportSection:
    """Make a section known under its name."""
    return registry.register("report-section", name, ReportSection(name=name, order=order, make=make))


def page_parts(content: PageContent) -> list[PagePart]:
    """Return the parts of a page: of all sections, those of plug-ins too, in their order."""
    known = cast(dict[str, ReportSection], registry.everything("report-section"))
    ordered = sorted(known.values(), key=lambda section: (section.order, section.name))
    return [part for section in ordered for part in section.make(content)]
