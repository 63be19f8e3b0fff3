"""Makes the page of a report."""

from __future__ import annotations

from pathlib import Path

from vlnscope.benchmarks.kit.findings import NEXT_TO_NOTHING
from vlnscope.core.files import write_text
from vlnscope.reporting.page import assets, packing
from vlnscope.reporting.page.chapters import chapters
from vlnscope.reporting.page.statements import Book
from vlnscope.reporting.page.summary import cards, profile, references
from vlnscope.reporting.page.templating import fill
from vlnscope.reporting.page.walk_cards import walk_card, walks_payload
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.sources.bibliography import bibtex
from vlnscope.reporting.sources.bibliography import references as papers_of
from vlnscope.reporting.sources.definitions import glossary
from vlnscope.reporting.verdicts import CAN, LITTLE
from vlnscope.reporting.walk_data import Walks


def render(report: Report, walks: Walks) -> str:
    """Return the report as one HTML document; the same content gives the same text.

    It needs no network, runs no script but its own, and takes nothing of the content for markup. Without
    scripts everything can be read but plots, whose data then stand in tables.
    """
    book = Book(report, walks)
    opening = cards(report, book)
    told = chapters(book, [agent.name for agent in report.agents])
    plots = {anchor: it.drawn for chapter in told for anchor, it in (*chapter.plots, *chapter.more_plots)}
    library = assets.plot_library()
    scripts = {name: assets.static(name) for name in assets.SCRIPTS}
    papers = papers_of(report)
    return fill(
        "page.html.j2",
        report=report,
        cards=opening,
        profile=profile(opening),
        references=references(report),
        chapters=told,
        shades={card.agent.name: card.shade for card in opening},
        glossary=glossary(report.findings),
        entries=papers,
        bibtex=bibtex(papers),
        can=round(100 * CAN),
        cannot=round(100 * NEXT_TO_NOTHING),
        little=round(100 * LITTLE),
        plots=packing.json_block(plots),
        library=library.packed if plots else "",
        policy=packing.policy([*scripts.values(), library.source]),
        style=assets.style_sheet(),
        scripts=scripts,
        walk_card=lambda walk: walk_card(walk, walks.maps),
        walks_payload=walks_payload(walks),
    )


def write_page(report: Report, walks: Walks, path: str | Path) -> Path:
    """Write the report into a file, whole or not at all."""
    write_text(path, render(report, walks))
    return Path(path)
