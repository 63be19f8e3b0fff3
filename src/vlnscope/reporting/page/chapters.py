"""The chapters of a report, one per question: what is said of each agent, figures, tables, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.reporting.page.plots import Plot, plot
from vlnscope.reporting.page.statements import Book, Shown
from vlnscope.reporting.page.tables import ShownTable, shown_table
from vlnscope.reporting.report_data import EvidenceLink
from vlnscope.reporting.sources.definitions import Definition, benchmark_definition, own_terms, question

FIRST = 4
"""So many sentences of an agent stand open in a chapter; the rest is folded."""

FIGURES = 2
"""So many figures of a chapter stand open."""


class _Plan(NamedTuple):
    """A chapter to come: of which benchmark, and which of its names (keys, tables, figures) belong there."""

    anchor: str
    title: str
    benchmark: str
    question: str = ""
    takes: Callable[[str], bool] = lambda name: True


def _ablation(name: str) -> bool:
    return name.split(".")[0] == "language"


PLAN = (
    _Plan("fidelity", "Fidelity against goal-seeking", "fidelity", takes=lambda name: not _ablation(name)),
    _Plan(
        "ablations",
        "Ablations: what its words are worth to it",
        "fidelity",
        "What does it lose when its instruction is cut, put in another order, swapped or taken away?",
        _ablation,
    ),
    _Plan("tours", "Memory along tours", "tours"),
    _Plan("errors", "Sensitivity to wrong words", "errors"),
    _Plan("behavior", "Behaviour: the next step", "behavior"),
    _Plan("nuances", "Nuances: atomic instructions", "nuances"),
    _Plan("outcomes", "How walks end, and where they fail", "outcomes"),
)
"""In the order of the page; benchmarks that are not named here follow."""


class Said(NamedTuple):
    """What a chapter says of one agent: the weightiest first, the rest folded."""

    agent: str
    first: tuple[Shown, ...]
    rest: tuple[Shown, ...]


class Chapter(NamedTuple):
    """A chapter of the page."""

    anchor: str
    title: str
    question: str
    findings: Findings
    definition: Definition | None
    said: tuple[Said, ...]
    plots: tuple[tuple[str, Plot], ...]
    more_plots: tuple[tuple[str, Plot], ...]
    tables: tuple[ShownTable, ...]
    notes: tuple[str, ...]
    links: list[EvidenceLink]


def chapters(book: Book, agents: Sequence[str]) -> list[Chapter]:
    """Return the chapters that there is something to say in, with figures numbered through the page."""
    others = dict.fromkeys(findings.benchmark for findings, _ in book.parts)
    planned = {plan.benchmark for plan in PLAN}
    more = [
        _Plan(f"part-{k}", name[:1].upper() + name[1:], name)
        for k, name in enumerate(others, 1)
        if name not in planned
    ]
    made: list[Chapter] = []
    for plan in (*PLAN, *more):
        held = [part for part in book.parts if part[0].benchmark == plan.benchmark]
        for number, (findings, shown) in enumerate(held, 1):
            anchor = plan.anchor if number == 1 else f"{plan.anchor}-{number}"
            title = plan.title if len(held) == 1 else f"{plan.title}: {findings.data}"
            chapter = _chapter(plan, anchor, title, findings, shown, agents, book.links(findings))
            if chapter.said or chapter.plots or chapter.tables:
                made.append(chapter)
    return made


def _chapter(
    plan: _Plan,
    anchor: str,
    title: str,
    findings: Findings,
    shown: Sequence[Shown],
    agents: Sequence[str],
    links: list[EvidenceLink],
) -> Chapter:
    definition = benchmark_definition(findings.benchmark)
    own = own_terms(definition)
    figures = [plot(figure, agents, own) for figure in findings.figures if plan.takes(figure.name)]
    drawn = [(f"{anchor}-figure-{k}", it) for k, it in enumerate(figures, 1) if it is not None]
    tables = [table for table in findings.tables if table.rows and plan.takes(table.name)]
    return Chapter(
        anchor=anchor,
        title=title,
        question=plan.question or question(findings.benchmark),
        findings=findings,
        definition=definition,
        said=tuple(_said(plan, shown, agents)),
        plots=_placed(drawn[:FIGURES]),
        more_plots=_placed(drawn[FIGURES:]),
        tables=tuple(shown_table(table, f"{anchor}-table-{k}", own) for k, table in enumerate(tables, 1)),
        notes=findings.notes,
        links=links,
    )


def _placed(drawn: Sequence[tuple[str, Plot]]) -> tuple[tuple[str, Plot], ...]:
    """Put figures two side by side; those of many panels, and one without a neighbour, are broad."""
    made: list[tuple[str, Plot]] = []
    alone = True
    for k, (anchor, it) in enumerate(drawn):
        follows = k + 1 < len(drawn) and not drawn[k + 1][1].broad
        broad = it.broad or (alone and not follows)
        alone = broad or not alone
        made.append((anchor, it._replace(broad=broad)))
    return tuple(made)


def _said(plan: _Plan, shown: Sequence[Shown], agents: Sequence[str]) -> list[Said]:
    made = []
    for agent in agents:
        its = [one for one in shown if one.statement.agent == agent and plan.takes(one.statement.key)]
        its.sort(key=lambda one: -one.statement.weight)
        if its:
            made.append(Said(agent, tuple(its[:FIRST]), tuple(its[FIRST:])))
    return made
