"""The chapters of a report, one per question: what is said of each agent, figures, tables, notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from vlnscope.benchmarks.kit.benchmark import Chapter
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core import registry
from vlnscope.reporting.page.content import PageContent, PagePart, register_section
from vlnscope.reporting.page.plots import Plot, plot
from vlnscope.reporting.page.sections.overview import OVERVIEW
from vlnscope.reporting.page.statements import ShownStatement, StatementIndex
from vlnscope.reporting.page.tables import ShownTable, shown_table
from vlnscope.reporting.report_data import EvidenceLink
from vlnscope.reporting.sources.definitions import Definition, benchmark_definition, own_terms, question

FIRST = 4
"""So many sentences of an agent stand open in a chapter; the rest is folded."""

FIGURES = 2
"""So many figures of a chapter stand open."""
Takes = Callable[[str], bool]
"""Whether a statement, table or figure of that name belongs to a chapter."""


class AgentStatements(NamedTuple):
    """What a chapter says of one agent: the weightiest first, the rest folded."""

    agent: str
    first: tuple[ShownStatement, ...]
    rest: tuple[ShownStatement, ...]


class ShownChapter(NamedTuple):
    """A chapter of the page."""

    anchor: str
    title: str
    question: str
    findings: Findings
    definition: Definition | None
    said: tuple[AgentStatements, ...]
    plots: tuple[tuple[str, Plot], ...]
    more_plots: tuple[tuple[str, Plot], ...]
    tables: tuple[ShownTable, ...]
    notes: tuple[str, ...]
    links: list[EvidenceLink]


def chapters(book: StatementIndex, agents: Sequence[str]) -> list[ShownChapter]:
    """Return the chapters that there is something to say in, with figures numbered through the page."""
    shown_chapters: list[ShownChapter] = []
    named = [findings.benchmark for findings, _ in book.parts if findings.benchmark != OVERVIEW]
    for benchmark, chapter, takes in _planned(named):
        parts = [part for part in book.parts if part[0].benchmark == benchmark]
        for number, (findings, shown) in enumerate(parts, 1):
            anchor = chapter.anchor if number == 1 else f"{chapter.anchor}-{number}"
            title = chapter.title if len(parts) == 1 else f"{chapter.title}: {findings.data}"
            placed = replace(chapter, anchor=anchor, title=title)
            shown_chapters.append(_chapter(placed, takes, findings, shown, agents, book.links(findings)))
    return [chapter for chapter in shown_chapters if chapter.said or chapter.plots or chapter.tables]


def _planned(names: Sequence[str]) -> list[tuple[str, Chapter, Takes]]:
    """Return the chapters of benchmarks in the order of the page, each with a test of what belongs there."""
    known = registry.everything("benchmark")
    planned = []
    for number, name in enumerate(dict.fromkeys(names), 1):
        own = known[name].chapters if name in known else ()
        usual = Chapter(title=name[:1].upper() + name[1:], anchor=f"part-{number}")
        taken = {prefix for chapter in own for prefix in chapter.prefixes}
        planned += [(name, chapter, partial(_takes, chapter.prefixes, taken)) for chapter in own or (usual,)]
    return sorted(planned, key=lambda one: one[1].order)


def _takes(prefixes: Sequence[str], taken: Collection[str], name: str) -> bool:
    prefix = name.partition(".")[0]
    return prefix in prefixes if prefixes else prefix not in taken


def _chapter(
    chapter: Chapter,
    takes: Takes,
    findings: Findings,
    shown: Sequence[ShownStatement],
    agents: Sequence[str],
    links: list[EvidenceLink],
) -> ShownChapter:
    definition = benchmark_definition(findings.benchmark)
    own = own_terms(definition)
    figures = [plot(figure, agents, own) for figure in findings.figures if takes(figure.name)]
    drawn = [(f"{chapter.anchor}-figure-{k}", it) for k, it in enumerate(figures, 1) if it is not None]
    tables = [table for table in findings.tables if table.rows and takes(table.name)]
    return ShownChapter(
        anchor=chapter.anchor,
        title=chapter.title,
        question=chapter.question or question(findings.benchmark),
        findings=findings,
        definition=definition,
        said=tuple(_said(takes, shown, agents)),
        plots=_placed(drawn[:FIGURES]),
        more_plots=_placed(drawn[FIGURES:]),
        tables=tuple(
            shown_table(table, f"{chapter.anchor}-table-{k}", own) for k, table in enumerate(tables, 1)
        ),
        notes=findings.notes,
        links=links,
    )


def _placed(drawn: Sequence[tuple[str, Plot]]) -> tuple[tuple[str, Plot], ...]:
    """Put figures two side by side; those of many panels, and one without a neighbour, are broad."""
    placed: list[tuple[str, Plot]] = []
    alone = True
    for k, (anchor, it) in enumerate(drawn):
        follows = k + 1 < len(drawn) and not drawn[k + 1][1].broad
        broad = it.broad or (alone and not follows)
        alone = broad or not alone
        placed.append((anchor, it._replace(broad=broad)))
    return tuple(placed)


def _said(takes: Takes, shown: Sequence[ShownStatement], agents: Sequence[str]) -> list[AgentStatements]:
    said = []
    for agent in agents:
        its = [one for one in shown if one.statement.agent == agent and takes(one.statement.key)]
        its.sort(key=lambda one: -one.statement.weight)
        if its:
            said.append(AgentStatements(agent, tuple(its[:FIRST]), tuple(its[FIRST:])))
    return said


def _chapters(content: PageContent) -> Iterator[PagePart]:
    for chapter in chapters(content.book, [agent.name for agent in content.report.agents]):
        content.plots.update({anchor: plot.drawn for anchor, plot in (*chapter.plots, *chapter.more_plots)})
        html = content.fill("chapter.html.j2", chapter=chapter)
        yield PagePart(anchor=chapter.anchor, title=chapter.title, html=html)


register_section("chapters", order=100, make=_chapters)
