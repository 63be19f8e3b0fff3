"""What the numbers of reports mean: one entry per metric and per benchmark.

Metrics define themselves (`vlnscope.metrics.metric`), benchmarks say what they ask and where they come from.
Every number of a report has an entry here: that of its metric, else that of its benchmark.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import Literal, NamedTuple

from vlnscope.benchmarks.kit.benchmark import Benchmark
from vlnscope.benchmarks.kit.findings import Figure, Findings, Statement, Table
from vlnscope.core import registry
from vlnscope.metrics.metric import Metric

_RULE = re.compile(r"(=+)\s+=+")


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a docstring, without its doctests and tables.

    Example:
        >>> paragraphs("How far.\\n\\n    In ``metres``,\\n    not feet.\\n\\n    Example:\\n        >>> 1")
        ('How far.', 'In metres, not feet.')
    """
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(text))
    kept = [block for block in blocks if not re.match(r"Example|=+\s", block) and ">>>" not in block]
    return tuple(_plain(block) for block in kept if block)


def terms(text: str) -> tuple[tuple[str, str], ...]:
    """Return the rows of the tables of two columns in a docstring: what is defined, and how.

    Example:
        >>> terms("=====  ====\\n``a``  one\\n       two\\nb      three\\n=====  ====")
        (('a', 'one two'), ('b', 'three'))
    """
    return tuple((_plain(name), _plain(meaning)) for name, meaning in _rows(inspect.cleandoc(text)))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of tables; lines without a name go on with the row before."""
    width, row = 0, ("", "")
    for line in text.splitlines():
        rule = _RULE.match(line)
        if rule or not width:
            if row[0]:
                yield row
            width = (0 if width else len(rule[1])) if rule else 0
            row = ("", "")
        elif line[:width].strip() and line[width : width + 1] == " ":
            if row[0]:
                yield row
            row = (line[:width], line[width:])
        else:
            row = (row[0], f"{row[1]} {line}")


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("`", "")


_WORD = re.compile(r"[A-Za-z][\w-]*")
_UNITS = {"%": "percent", "m": "metres", "": "a plain number"}
_BETTER = {"higher": "higher is better", "lower": "lower is better", "none": "neither way is better"}


class Definition(NamedTuple):
    """An entry of the glossary.

    Attributes:
        name: as in tables.
        title: its full name; of a benchmark, what it asks.
        kind: metric or benchmark.
        unit: in words; empty for a benchmark.
        better: which way is better, in words; empty for a benchmark.
        text: the definition, a paragraph each.
        paper: who defined it.
        page: name of the page of the documentation that tells more; empty if none does.
        terms: of a benchmark, its own values and what they are.
    """

    name: str
    title: str
    kind: Literal["metric", "benchmark"]
    unit: str
    better: str
    text: tuple[str, ...]
    paper: str
    page: str = ""
    terms: tuple[tuple[str, str], ...] = ()


def metric_definition(name: str) -> Definition | None:
    """Return the entry of a metric, None if there is no metric of that name.

    Example:
        >>> metric_definition("SR").title
        'success rate'
    """
    metric: Metric | None = registry.everything("metric").get(name)
    if metric is None:
        return None
    return Definition(
        name=metric.name,
        title=metric.title,
        kind="metric",
        unit=_UNITS[metric.unit],
        better=_BETTER[metric.better],
        text=paragraphs(metric.definition),
        paper=metric.paper,
        page="reference/metrics",
    )


def benchmark_definition(name: str) -> Definition | None:
    """Return the entry of a benchmark, None if there is none of that name."""
    benchmark: Benchmark | None = registry.everything("benchmark").get(name)
    if benchmark is None:
        return None
    scored = import_module(f"{benchmark.package}.score").__doc__ or ""
    return Definition(
        name=benchmark.name,
        title=question(name),
        kind="benchmark",
        unit="",
        better="",
        text=paragraphs(scored)[:1],
        paper=benchmark.paper,
        page=benchmark.name,
        terms=terms(scored),
    )


def question(benchmark: str) -> str:
    """Return what a benchmark asks, as a sentence; empty if it is not known."""
    known: Benchmark | None = registry.everything("benchmark").get(benchmark)
    text = "" if known is None else known.question
    return text[:1].upper() + text[1:]


def definition_of(statement: Statement, benchmark: str) -> Definition | None:
    """Return what defines the number of a statement: its metric's entry, else its benchmark's.

    A benchmark may give a name its own meaning, as ``nuances`` does with SR; then its entry defines it.
    """
    own = benchmark_definition(benchmark)
    for name in (statement.metric, *statement.key.split(".")):
        if name in own_terms(own):
            return own
        definition = metric_definition(name) if name else None
        if definition is not None:
            return definition
    return own


def own_terms(definition: Definition | None) -> frozenset[str]:
    """Return the names to which a benchmark gives its own meaning."""
    return frozenset() if definition is None else frozenset(name for name, _ in definition.terms)


def glossary(all_findings: Iterable[Findings]) -> list[Definition]:
    """Return the entries of all that findings mention, benchmarks first, each once."""
    listed = list(all_findings)
    benchmarks = dict.fromkeys(findings.benchmark for findings in listed)
    definitions = [benchmark_definition(name) for name in benchmarks]
    definitions += map(
        metric_definition, metrics_in(text for findings in listed for text in _texts(findings))
    )
    return [entry for entry in definitions if entry is not None]


def metrics_in(texts: Iterable[str], own: Collection[str] = ()) -> list[str]:
    """Return the metrics that texts mention, in the order of their names, but names in `own`.

    Example:
        >>> metrics_in(["loss of SR (points)", "nDTW", "memory.t-nDTW.known"])
        ['nDTW', 'SR', 't-nDTW']
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    return [name for name in registry.names("metric") if name in words and name not in own]


def table_texts(table: Table) -> Iterator[str]:
    """Yield where a table may mention metrics: its columns, and the cells of a column of metrics."""
    yield from table.columns
    if "metric" in table.columns:
        at = table.columns.index("metric")
        yield from (str(row[at]) for row in table.rows)


def figure_texts(figure: Figure) -> Iterator[str]:
    """Yield where a figure may mention metrics."""
    yield from (figure.title, figure.x, figure.y, *(panel.title for panel in figure.panels))


def _texts(findings: Findings) -> Iterator[str]:
    for statement in findings.statements:
        yield from (statement.metric, statement.key)
    for table in findings.tables:
        yield from table_texts(table)
    for figure in findings.figures:
        yield from figure_texts(figure)
