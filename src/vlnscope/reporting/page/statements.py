"""Statements and verdicts as a page shows them: the sentence, what it rests on, where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.reporting.examples import ExampleTrajectories, ExampleTrajectory
from vlnscope.reporting.report_data import EvidenceLink, Report
from vlnscope.reporting.sentences import number, sentence
from vlnscope.reporting.sources.definitions import Definition, definition_of
from vlnscope.reporting.verdicts import Verdict, headline


class Fact(NamedTuple):
    """A number that a statement rests on, by name."""

    name: str
    text: str


class ShownExample(NamedTuple):
    """A walk that shows a statement; `here` where its card stands, elsewhere there is a link to it."""

    anchor: str
    walk: ExampleTrajectory
    here: bool


class ShownStatement(NamedTuple):
    """A statement ready for a page.

    `source` says in a few words what it rests on; `evidence` and `scores` are addresses, empty where there
    is none.
    """

    anchor: str
    statement: Statement
    sentence: str
    facts: tuple[Fact, ...]
    definition: Definition | None
    source: str
    evidence: str
    scores: str
    walks: tuple[ShownExample, ...]


class ShownVerdict(NamedTuple):
    """A verdict ready for a page: its words, the sentence behind it, and how much of the ability there is.

    `bar` has the lower end, the estimate and the upper end in percent; None without an interval.
    """

    verdict: Verdict
    phrase: str
    sentence: str
    shown: ShownStatement | None
    bar: tuple[float, float, float] | None
    others: tuple[ShownStatement, ...]


class StatementIndex:
    """The statements of a report, each with its place in the page; `parts` has them by findings."""

    def __init__(self, report: Report, walks: ExampleTrajectories) -> None:
        self._links = {(link.benchmark, link.data, link.agent): link for link in report.links}
        self._walks = walks
        self._placed: dict[str, str] = {}
        self._named: dict[tuple[str, str, str], ShownStatement] = {}
        self._count = 0
        self.parts = [
            (findings, tuple(self._show(findings, statement) for statement in findings.statements))
            for findings in report.findings
        ]

    def links(self, findings: Findings) -> list[EvidenceLink]:
        """Return where the numbers of some findings come from."""
        links = self._links.values()
        return [link for link in links if (link.benchmark, link.data) == (findings.benchmark, findings.data)]

    def find(self, benchmark: str, agent: str, key: str) -> ShownStatement | None:
        """Return a statement by its names; None if the report has none such."""
        return self._named.get((benchmark, agent, key))

    def judge(self, verdict: Verdict) -> ShownVerdict:
        """Make a verdict ready."""
        ability = verdict.statement.ability
        others = (self.find(name, verdict.agent, key) for name, key in verdict.others)
        return ShownVerdict(
            verdict=verdict,
            phrase=headline(verdict),
            sentence=sentence(verdict.statement),
            shown=self.find(verdict.benchmark, verdict.agent, verdict.statement.key),
            bar=None if ability is None else (100 * ability[0], 100 * ability[1], 100 * ability[2]),
            others=tuple(one for one in others if one is not None),
        )

    def _show(self, findings: Findings, statement: Statement) -> ShownStatement:
        self._count += 1
        link = self._links.get((findings.benchmark, findings.data, statement.agent))
        shown = ShownStatement(
            anchor=f"statement-{self._count}",
            statement=statement,
            sentence=sentence(statement),
            facts=tuple(_facts(statement)),
            definition=definition_of(statement, findings.benchmark),
            source=_source(statement),
            evidence=address(link.evidence) if link else "",
            scores=address(link.scores) if link else "",
            walks=tuple(self._walks_of(findings, statement)),
        )
        self._named.setdefault((findings.benchmark, statement.agent, statement.key), shown)
        return shown

    def _walks_of(self, findings: Findings, statement: Statement) -> Iterator[ShownExample]:
        for walk in self._walks.showing(findings, statement):
            here = walk.id not in self._placed
            yield ShownExample(self._placed.setdefault(walk.id, f"walk-{len(self._placed) + 1}"), walk, here)


def address(path: str) -> str:
    """Return a relative path as an address that cannot be anything else, such as a script.

    Example:
        >>> address("runs/a b/evidence.jsonl"), address("javascript:alert(1)")
        ('runs/a%20b/evidence.jsonl', 'javascript%3Aalert%281%29')
    """
    return quote(path, safe="/-_.~")


def _source(statement: Statement) -> str:
    """Say in a few words what a statement rests on."""
    cases = f"from {statement.n:,} case{'' if statement.n == 1 else 's'}"
    return f"{cases}, {statement.clusters:,} {statement.over}" if statement.over == "scenes" else cases


def _facts(statement: Statement) -> Iterator[Fact]:
    """Yield what the number rests on, as far as it is known."""
    if statement.low is not None and statement.high is not None:
        over = f", over {statement.clusters:,} {statement.over}" if statement.over else ""
        yield Fact("95 % interval", f"{number(statement.low)} to {number(statement.high)}{over}")
    elif statement.reason:
        yield Fact("no interval", statement.reason)
    if statement.null is not None:
        yield Fact("compared with", number(statement.null))
    if statement.p is not None:
        shown = "< 0.001" if statement.p < 0.001 else f"{statement.p:.3f}"
        yield Fact("test", f"p = {shown}, {statement.test}".replace("= <", "<").rstrip(", "))
    if statement.worst is not None and statement.best is not None:
        ends = f"{number(statement.worst)} without the ability, {number(statement.best)} with all of it"
        yield Fact("scale", ends)
    yield Fact("cases", f"{statement.n:,}")
